"""What `atl apply` does with a database: finish what was begun, then plan from what it has to what is declared."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, Any, NamedTuple

from atl.diff import Class, Diff, diff
from atl.migrate import apply, checkpoint, parking
from atl.migrate.apply import Reporter
from atl.migrate.checkpoint import Pending, Recorded
from atl.migrate.encoding import check_encoding
from atl.migrate.errors import MigrateError
from atl.migrate.faults import point
from atl.migrate.model import Parked, Plan
from atl.migrate.plan import make_plan
from atl.migrate.wording import flags_for, name_of
from atl.schema import model as m
from atl.schema.canonical import digest, dump, load

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["Refused", "Wishes", "adopt", "back_out", "carry_out", "finish", "reap", "refuse", "unallowed"]

Differ = Callable[[m.Schema, m.Schema], Diff]
"""How two schemas are compared: with what is known of callers."""


_CONCURRENTLY = re.compile(r"^(CREATE INDEX|CREATE UNIQUE INDEX|DROP INDEX) CONCURRENTLY\b")


class Wishes(NamedTuple):
    """What the user has agreed to. allow: classes beside `backfill_required`, which is `backfill`."""

    backfill: bool = False
    allow: frozenset[Class] = frozenset()
    create_extensions: bool = False


class Refused(MigrateError):
    """The plan was not run, for want of an agreement or because it is to be done by hand. cls: what it is about."""

    def __init__(self, cls: Class, message: str, *notes: str) -> None:
        super().__init__(message, *notes)
        self.cls = cls


def unallowed(classes: Iterable[Class], wishes: Wishes) -> list[Class]:
    """The classes of a plan that the user has not agreed to, weakest first."""
    agreed = {Class.ADDITIVE, *wishes.allow} | ({Class.BACKFILL_REQUIRED} if wishes.backfill else set())
    return sorted({*classes} - agreed, key=lambda cls: cls.rank)


def refuse(plan: Plan, wishes: Wishes) -> None:
    """Raise Refused when a plan must not be run."""
    if plan.by_hand:
        cls = max((change.cls for change in plan.by_hand), key=lambda c: c.rank)
        notes = [f"{name_of(c)}: {c.message}{f': {c.reason}' * bool(c.reason)}" for c in plan.by_hand]
        raise Refused(
            cls,
            "no SQL does this safely; nothing was done",
            *notes,
            "do it by hand, see with `atl inspect` that nothing is missing, and record it with `atl apply --adopt`",
        )
    missing = unallowed((change.cls for change in plan.diff.changes), wishes)
    if missing:
        raise Refused(
            missing[-1],
            f"the plan is {plan.cls.value}; nothing was done",
            f"if that is what you want, add: {' '.join(flags_for(missing))}",
        )


def finish(connection: Connection[Any], state: Recorded, reporter: Reporter, like: m.Schema) -> Recorded:
    """Finish the plan that is under way, if there is one; the state after it. like: what is declared now, which has
    the order of fields when it is the target. Raises MigrateError."""
    pending = state.pending
    if pending is None:
        return state
    plan = _pending_plan(state, pending, like)
    reporter.say(
        f"plan {pending.plan} was stopped behind stage {pending.stage} of {pending.stages}; it is finished first"
    )
    apply.run_plan(connection, plan, state, pending, reporter)
    return checkpoint.read(connection)


def _pending_plan(state: Recorded, pending: Pending, like: m.Schema | None = None) -> Plan:
    """The plan under way, made again. Raises MigrateError when this atl makes another one of it."""
    target = load(pending.target)
    parked = [Parked.load(data) for data in pending.parked]
    again = make_plan(diff(state.schema, target), parked)
    if again.id != pending.plan or _script(again) != pending.script or len(again.stages) != pending.stages:
        raise MigrateError(
            f"plan {pending.plan} was stopped behind stage {pending.stage} of {pending.stages}, and this version of atl"
            " would go on with other SQL",
            "finish it with the version that began it (`atl history` names it)",
        )
    if like is not None and digest(like) == digest(target):
        ordered = make_plan(diff(state.schema, like), parked)
        if len(ordered.stages) == len(again.stages):
            return ordered
    return again


def _script(plan: Plan) -> str:
    text = "\0".join(f"{stage.transactional}{statement.sql}" for stage in plan.stages for statement in stage.statements)
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def carry_out(
    connection: Connection[Any],
    state: Recorded,
    schema: m.Schema,
    plan: Plan,
    parked: Sequence[Parked],
    wishes: Wishes,
    reporter: Reporter,
) -> None:
    """Run a new plan from a state without one under way. Raises MigrateError; Refused when nothing was tried."""
    refuse(plan, wishes)
    if plan.from_digest != state.digest:
        raise checkpoint.stale(plan.id)
    check_encoding(connection, plan)
    apply.check_extensions(connection, plan, wishes.create_extensions)
    _check_drift(connection, state, plan)
    apply.check_guards(connection, plan)
    # What is made again from the checkpoint alone is what a later apply can compare with.
    again = make_plan(diff(state.schema, load(dump(schema))), parked)
    pending = Pending(plan.id, checkpoint.text_of(schema), _script(again), [p.dump() for p in parked], len(plan.stages))
    checkpoint.begin(connection, state, pending)
    point("begun")
    apply.run_plan(connection, plan, state, pending, reporter)


def _check_drift(connection: Connection[Any], state: Recorded, plan: Plan) -> None:
    from atl.migrate.inspect import drift

    found = drift(connection, state.schema, plan.tables)
    if found:
        raise MigrateError(
            "the database does not look as the checkpoint says (drift); nothing was done",
            *(difference.text for difference in found),
            "undo what was changed by hand, or declare it and record it with `atl apply --adopt`",
        )


def back_out(connection: Connection[Any], state: Recorded, reporter: Reporter) -> None:
    """Take back the stages of a plan under way that are done, by their statements' reverses. Raises MigrateError."""
    from psycopg import Error

    from atl.migrate.database import one, run
    from atl.migrate.inspect import inspect

    pending = state.pending
    if pending is None:
        raise MigrateError("no plan is under way: there is nothing to take back")
    plan = _pending_plan(state, pending)
    # The stage after the last one that is done may have left something too, if it cannot run in a transaction.
    tried = plan.stages[: pending.stage + 1]
    halfway = () if len(tried) == pending.stage or tried[-1].transactional else tried[-1].statements
    done = [statement for stage in tried[: pending.stage] for statement in stage.statements]
    try:
        for statement in halfway:
            if statement.leftover and one(connection, statement.leftover):
                run(connection, statement.clear)
            elif statement.unless and one(connection, statement.unless):
                done.append(statement)
        with connection.transaction():
            run(connection, "SET LOCAL lock_timeout = '30s'")
            for statement in reversed(done):
                if statement.reverse is not None:
                    run(connection, _CONCURRENTLY.sub(r"\1", statement.reverse))
            left = inspect(connection, state.schema, plan.tables)
            if left:
                # Some statements have no reverse: whether that matters is for the outcome to say.
                raise MigrateError(
                    f"plan {pending.plan} cannot be taken back; nothing was done", *(d.text for d in left)
                )
            checkpoint.settle(connection, state, pending, f"{pending.stage} stages")
    except Error as problem:
        raise MigrateError(
            f"taking plan {pending.plan} back failed: {problem.diag.message_primary or problem}"
        ) from None
    reporter.say(f"plan {pending.plan} was taken back")


def adopt(connection: Connection[Any], state: Recorded, schema: m.Schema) -> None:
    """Record what is declared as what the database has. Raises MigrateError when it has something else."""
    from atl.migrate.inspect import inspect

    found = inspect(connection, schema)
    if found:
        raise MigrateError(
            "the database is not yet what is declared; nothing was recorded",
            *(d.text for d in found),
            "bring these about by hand, or declare what is there; then adopt again",
        )
    checkpoint.adopt(connection, state.digest, schema)


def reap(connection: Connection[Any], state: Recorded, reporter: Reporter) -> int:
    """Drop what is parked and past its time; how many. What something else still needs is said and kept."""
    from psycopg import Error

    count = 0
    order = {"column": 0, "table": 1, "enum": 2}
    due = sorted((k for k in parking.everything(connection) if k.due), key=lambda k: (order[k.parked.kind], k.id))
    for kept in due:
        name = f"{kept.parked.id}.{kept.parked.member}".rstrip(".")
        try:
            with connection.transaction():
                parking.reap(connection, kept)
                checkpoint.note_reaped(connection, state.digest, f"{kept.parked.kind} {name}")
        except Error as problem:
            reporter.say(f"{name} ({kept.parked.kind}) is kept: {problem.diag.message_primary or problem}")
            continue
        reporter.say(f"{name} ({kept.parked.kind}, parked {kept.at[:10]}) is gone")
        count += 1
    return count
