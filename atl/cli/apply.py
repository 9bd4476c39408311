"""Bring a database to what the workspace declares, and record what was done.

What only adds runs; what has to fill or verify rows needs --backfill, what may break callers or loses data needs
--allow with the class. Killed at any moment, the next apply finishes what was begun.

Exit code 0: done, or nothing to do; 1, 2, 4: the plan is backfill_required, cross_caller_breaking, destructive, and was
not agreed to; 3: it could not be done.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

from atl.cli import planning
from atl.cli.databases import opened, options
from atl.cli.output import UsageError, colour_option, flush, note, paint_for, write
from atl.diff import Class, Diff, diff

if TYPE_CHECKING:
    import argparse

    from psycopg import Connection

    from atl.migrate.checkpoint import Recorded
    from atl.migrate.driver import Wishes
    from atl.migrate.model import Parked, Plan
    from atl.workspace.sides import Side

__all__ = ["arguments", "run"]

_ASKED = (Class.CROSS_CALLER_BREAKING, Class.DESTRUCTIVE)


def arguments(parser: argparse.ArgumentParser) -> None:
    options(parser, formats=False)
    parser.add_argument("--backfill", action="store_true", help="fill and verify rows that are there")
    classes = [c.value for c in _ASKED]
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        choices=classes,
        metavar="CLASS",
        help=f"agree to what is {' or '.join(classes)}; once for each",
    )
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--dry-run", action="store_true", help="show what would be done, and do nothing")
    what.add_argument("--adopt", action="store_true", help="record that the database is what is declared")
    what.add_argument("--reap", action="store_true", help="drop what is parked and past its time")
    what.add_argument("--back-out", action="store_true", help="take back the stages of a plan that was stopped")
    parser.add_argument("--create-extensions", action="store_true", help="create extensions that are missing")
    parser.add_argument(
        "--wait", type=float, default=60, metavar="SECONDS", help="how long to wait for another apply (default: 60)"
    )
    parser.add_argument("--plan", metavar="ID", help="apply this plan alone, as `atl plan --db` showed it")
    colour_option(parser)


class _Reporter:
    """Lines on standard output; what is only of the moment on a terminal's standard error."""

    def __init__(self) -> None:
        self._live = sys.stderr.isatty()
        self._shown = False

    def say(self, text: str) -> None:
        from atl.findings.render_cells import one_line

        if self._shown:
            sys.stderr.write("\r\x1b[K")
            self._shown = False
        write(f"{one_line(text)}\n")
        flush()

    def progress(self, done: int, total: int, seconds: float) -> None:
        if self._live:
            share = f" ({100 * done // total} %)" if total else ""
            rate = f", {done / seconds:.0f} rows/s" if seconds > 0 else ""
            sys.stderr.write(f"\r\x1b[K  {done} of {total} rows{share}{rate}")
            sys.stderr.flush()
            self._shown = True


def run(args: argparse.Namespace) -> int:
    from atl.migrate.driver import Refused, Wishes
    from atl.workspace.sides import path_side, root_of

    if args.wait < 0:
        raise UsageError("--wait is a number of seconds")
    if args.plan is not None and (args.adopt or args.reap or args.back_out):
        raise UsageError("--plan goes with no --adopt, --reap or --back-out")
    wishes = Wishes(args.backfill, frozenset(map(Class, args.allow)), args.create_extensions)
    new = None if args.reap or args.back_out else path_side(root_of(args.path), "the workspace")
    try:
        with opened(args) as connection:
            return _run(args, connection, new, wishes)
    except Refused as refused:
        note(f"atl: {refused.message}")
        for line in refused.notes:
            note(f"  {line}")
        return refused.cls.exit_code
    except KeyboardInterrupt:
        note("atl: interrupted; what was not finished is undone")
        note("  `atl apply` goes on from there, `atl apply --back-out` takes back what is done")
        return 130


def _run(args: argparse.Namespace, connection: Connection[Any], new: Side | None, wishes: Wishes) -> int:
    from atl.migrate import apply, checkpoint, driver, parking

    reporter = _Reporter()
    if args.dry_run and new is not None:
        state = checkpoint.read(connection)
        if state.pending is not None:
            from atl.schema.canonical import load

            under_way = state.pending.plan
            _hold_to(args, under_way, f"plan {under_way} was stopped halfway and comes first")
            reporter.say(f"plan {under_way} was stopped halfway and would be finished first")
            if args.plan is not None:
                write("nothing was done (--dry-run)\n")
                return 0
            state = state._replace(schema=load(state.pending.target))
        plan = _plan(state, new, [kept.parked for kept in parking.everything(connection)])
        if plan.diff.changes:
            _hold_to(args, plan.id, f"it would be {plan.id} now")
        _show(args, plan)
        driver.refuse(plan, wishes)
        write("nothing was done (--dry-run)\n")
        return 0
    with apply.applier(connection, args.wait, reporter):
        checkpoint.prepare(connection)
        state = checkpoint.read(connection)
        if args.back_out:
            driver.back_out(connection, state, reporter)
        elif args.reap:
            count = driver.reap(connection, state, reporter)
            reporter.say(f"{count} dropped" if count else "nothing that is parked is past its time")
        elif new is None:
            raise UsageError("nothing to apply")
        elif args.adopt:
            driver.adopt(connection, state, new.schema)
            reporter.say("recorded: the database is what is declared")
        else:
            if state.pending is not None:
                under_way = state.pending.plan
                _hold_to(args, under_way, f"plan {under_way} was stopped halfway and comes first")
                state = driver.finish(connection, state, reporter, new.schema)
                if args.plan is not None:
                    reporter.say(f"done: plan {under_way}")
                    return 0
            parked = [kept.parked for kept in parking.everything(connection)]
            plan = _plan(state, new, parked)
            planning.remark(plan)
            if not plan.diff.changes:
                if plan.from_digest != plan.to_digest:
                    # Hints came or went: what a hint means later rests on which have been carried out.
                    driver.carry_out(connection, state, new.schema, plan, parked, wishes, reporter)
                reporter.say("the database is what is declared: nothing to do")
                return 0
            _hold_to(args, plan.id, f"it would be {plan.id} now")
            _show(args, plan)
            driver.carry_out(connection, state, new.schema, plan, parked, wishes, reporter)
            reporter.say(f"done: plan {plan.id}")
    return 0


def _plan(state: Recorded, new: Side, parked: list[Parked]) -> Plan:
    from atl.migrate.plan import make_plan

    return make_plan(_diff(state, new), parked)


def _hold_to(args: argparse.Namespace, plan: str, why: str) -> None:
    """Refuse when another plan than this one was asked for."""
    from atl.migrate.checkpoint import stale

    if args.plan not in (None, plan):
        raise stale(args.plan, why)


def _diff(state: Recorded, new: Side) -> Diff:
    from atl.diff.callers import find_users

    return diff(state.schema, new.schema, new.caller, find_users(state.schema, new.schema, new.cached))


def _show(args: argparse.Namespace, plan: Plan) -> None:
    from atl.cli.plan_text import plan_text

    write(plan_text(plan, "the database", "the workspace", paint_for(args.color), advise=False) + "\n")
    flush()
