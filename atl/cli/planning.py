"""What `plan` and `diff` share: their options, and a plan in the form that was asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from atl.cli.output import UsageError, colour_option, note, paint_for, write, write_document
from atl.diff import Class, diff

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from psycopg import Connection

    from atl.diff.renames import Stale, Swap
    from atl.migrate.model import Parked, Plan
    from atl.workspace.sides import Side

__all__ = [
    "FORMATS",
    "database_side",
    "embedded_side",
    "options",
    "plan_between",
    "print_json_schema",
    "remark",
    "show",
]

FORMATS = ("text", "json", "markdown")


def options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--format", choices=FORMATS, default="text", help="what is printed (default: text)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--sql", action="store_true", help="print the SQL script instead")
    what.add_argument("--down", action="store_true", help="print the script that undoes it instead")
    what.add_argument("--json-schema", action="store_true", help="print the JSON Schema of `--format json` instead")
    classes = [cls.value for cls in Class]
    parser.add_argument(
        "--fail-at", choices=classes, metavar="CLASS", help=f"exit with 0 below this class: {', '.join(classes)}"
    )
    colour_option(parser)


def print_json_schema() -> int:
    from json import dumps

    from atl.migrate.document import json_schema

    write_document(dumps(json_schema(), indent=2, ensure_ascii=False) + "\n")
    return 0


def plan_between(old: Side, new: Side, parked: Sequence[Parked] = ()) -> Plan:
    """The plan from one side to the other, judged by the callers that the new one knows."""
    from atl.diff.callers import find_users
    from atl.migrate.plan import make_plan
    from atl.workspace.collecting import uncollected

    with uncollected():
        users = find_users(old.schema, new.schema, new.cached)
        return make_plan(diff(old.schema, new.schema, new.caller, users), parked)


def database_side(address: str) -> tuple[Side, Sequence[Parked]]:
    """What a database was last brought to, and what it has parked. Raises MigrateError."""
    from atl.migrate import database

    with database.session(address) as connection:
        return _recorded(connection, database.shown_address(address))


def embedded_side(root: str) -> tuple[Side, Sequence[Parked]]:
    """The same of the embedded database of a workspace, which need not have been started ever. Raises MigrateError."""
    from atl.migrate import database, embedded

    if not embedded.exists(root):
        from atl.schema.model import Schema
        from atl.workspace.sides import Side

        return Side("nothing", Schema()), ()
    with embedded.running(root) as address, database.session(address) as connection:
        return _recorded(connection, "the embedded database")


def _recorded(connection: Connection[Any], label: str) -> tuple[Side, Sequence[Parked]]:
    from atl.cli.databases import tell_of_pending
    from atl.migrate import checkpoint, parking
    from atl.workspace.sides import Side

    found = checkpoint.read(connection)
    tell_of_pending(connection, label)
    return Side(label, found.schema), [kept.parked for kept in parking.everything(connection)]


def show(args: argparse.Namespace, plan: Plan, old: str, new: str) -> int:
    """Print a plan; the exit code of its class. old, new: what the sides are called."""
    if (args.sql or args.down) and args.format != "text":
        raise UsageError("--sql and --down go with no --format")
    if args.sql or args.down:
        from atl.migrate.script import down_script, up_script

        write_document(up_script(plan) if args.sql else down_script(plan))
    elif args.format == "json":
        from atl.migrate.document import render

        write_document(render(plan))
    elif args.format == "markdown":
        from atl.migrate import markdown

        write_document(markdown.render(plan, old, new))
    else:
        from atl.cli.plan_text import plan_text

        write(plan_text(plan, old, new, paint_for(args.color)))
    remark(plan)
    limit = Class(args.fail_at) if args.fail_at else Class.ADDITIVE
    return plan.cls.exit_code if plan.cls.rank >= limit.rank else 0


def remark(plan: Plan) -> None:
    """What is to be said of hints, on standard error."""
    for stale in plan.diff.stale:
        note(f"atl: {_stale(stale)}")
    for swap in plan.diff.renames.swaps:
        note(f"atl: {_swap(swap)}")


def _stale(stale: Stale) -> str:
    place = f"{stale.where[0]}:{stale.where[1]}: " if stale.where[0] else ""
    name = f"{stale.id}.{stale.member}".rstrip(".")
    return f"{place}the hint that `{name}` was called `{stale.old_name}` names nothing on the old side (ATL016)"


def _swap(swap: Swap) -> str:
    place = f"{swap.where[0]}:{swap.where[1]}: " if swap.where[0] else ""
    names = " and ".join([", ".join(f"`{name}`" for name in swap.names[:-1]), f"`{swap.names[-1]}`"])
    return (
        f"{place}{names} of `{swap.id}` took each other's names by hints that are gone now; what is there stays."
        " To swap back what is there, apply this first, then give the same hints again"
    )
