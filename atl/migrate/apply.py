"""Runs a plan on a database, so that the process may end at any moment and the next one goes on.

One applier at a time; each stage is recorded in the transaction that does it (or right behind a statement that cannot
run in one), so what is recorded is what was done.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

from atl.migrate import checkpoint, failures, parking
from atl.migrate.checkpoint import Pending, Recorded
from atl.migrate.database import one, rows, run
from atl.migrate.errors import MigrateError
from atl.migrate.faults import point
from atl.migrate.model import Backfill, Plan, Stage, Statement

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["Reporter", "applier", "check_extensions", "check_guards", "run_plan"]

# The key of the advisory lock: "atl" and a number, of the session, so that the server lets it go when the session ends.
_LOCK = (0x61746C << 8) + 1
_LOCK_TIMEOUT = "3s"
# Pauses in seconds between attempts at a stage that could not lock a table; together about two minutes.
_PAUSES = (0.25, 0.5, 1, 2, 4, 8, 15, 15, 15, 15, 15, 15)
# A batch is to take about this long (seconds): short enough not to hold up others, long enough to be worth a commit.
_BATCH_TIME = 0.5
_FIRST_BATCH, _LARGEST_BATCH = 1000, 50_000


class Reporter(Protocol):
    """Who is told how it goes."""

    def say(self, text: str) -> None:
        """A line."""

    def progress(self, done: int, total: int, seconds: float) -> None:
        """Rows filled so far, of about so many."""


@contextmanager
def applier(connection: Connection[Any], wait: float, reporter: Reporter) -> Iterator[None]:
    """The right to apply. wait: seconds to wait for another one. Raises MigrateError when that is not enough."""
    until = time.monotonic() + wait
    told = False
    while not one(connection, "SELECT pg_try_advisory_lock(%s)", _LOCK):
        if time.monotonic() >= until:
            raise MigrateError(
                f"another apply is running on this database{_holder(connection)}",
                "nothing was done: wait for it, or give it longer with --wait SECONDS",
            )
        if not told:
            reporter.say(f"waiting for another apply{_holder(connection)}")
            told = True
        time.sleep(0.2)
    try:
        yield
    finally:
        if not connection.closed and not connection.broken:
            run(connection, f"SELECT pg_advisory_unlock({_LOCK})")


def _holder(connection: Connection[Any]) -> str:
    found = rows(
        connection,
        "SELECT a.pid, a.usename, a.client_addr::text FROM pg_locks l JOIN pg_stat_activity a USING (pid)"
        " WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1"
        " AND (l.classid::bigint << 32) + l.objid::bigint = %s AND l.database = a.datid",
        _LOCK,
    )
    if not found:
        return ""
    pid, user, address = found[0]
    return f" (process {pid} of `{user}`{f' at {address}' if address else ''})"


def check_extensions(connection: Connection[Any], plan: Plan, create: bool) -> None:
    """Have the extensions that a plan needs. Raises MigrateError before anything else has run."""
    from psycopg import Error

    there = {name for (name,) in rows(connection, "SELECT extname FROM pg_extension")}
    at_hand = {name for (name,) in rows(connection, "SELECT name FROM pg_available_extensions")}
    missing = [name for name in plan.extensions if name not in there]
    for name in missing:
        if name not in at_hand:
            raise MigrateError(f"the extension `{name}` is not installed on the server", "nothing was done")
    if missing and not create:
        names = ", ".join(f"`{name}`" for name in missing)
        raise MigrateError(
            f"the database has no extension {names}, which the schema needs",
            "nothing was done; `atl apply --create-extensions` creates what is missing",
        )
    for name in missing:
        try:
            run(connection, f'CREATE EXTENSION IF NOT EXISTS "{name}"')
        except Error as problem:
            raise MigrateError(
                f"the extension `{name}` cannot be created: {problem.diag.message_primary}",
                "nothing else was done; let a superuser create it",
            ) from None


def check_guards(connection: Connection[Any], plan: Plan) -> None:
    """Count what the plan cannot take along. Raises MigrateError with everything that there is of it."""
    from psycopg import Error

    found: list[str] = []
    for guard in plan.guards:
        if connection.info.server_version < guard.since:
            continue
        try:
            count = one(connection, guard.sql)
        except Error as problem:
            raise failures.uncounted(problem, guard) from None
        if count:
            name = f"{guard.change.id}.{guard.change.member}".rstrip(".")
            found.append(f"{name}: {guard.message.replace('{rows}', str(count))}")
            if guard.some:
                some = [text for (text,) in rows(connection, guard.some)]
                found.append(f"  {'; '.join(some)}{'; ...' * (count > len(some))}")
            found.append(f"  {guard.help}")
    if found:
        raise MigrateError("rows that are there stand against the plan; nothing was done", *found)


def run_plan(connection: Connection[Any], plan: Plan, state: Recorded, pending: Pending, reporter: Reporter) -> None:
    """Run the stages that are still to be done, and record each. Raises MigrateError; what was done stays recorded."""
    if not plan.stages:
        with connection.transaction():
            checkpoint.advance(connection, state, pending, 0)
        point("recorded")
        return
    for number, stage in enumerate(plan.stages, 1):
        if number <= pending.stage:
            continue
        where = f"stage {number} of {len(plan.stages)}"
        reporter.say(f"{where}: {_about(stage)}")
        if stage.transactional:
            _transaction(connection, stage, plan, where, reporter, partial(_done, connection, state, pending, number))
        else:
            _alone(connection, stage, plan, where, reporter)
            point(f"{where} done, not recorded")
            with connection.transaction():
                for statement in stage.statements:
                    parking.record(connection, plan.id, statement)
                _done(connection, state, pending, number)
        point(f"{where} recorded")


def _done(connection: Connection[Any], state: Recorded, pending: Pending, number: int) -> None:
    checkpoint.advance(connection, state, pending, number)


def _about(stage: Stage) -> str:
    first, *more = [statement.comment for statement in stage.statements] or ["nothing to do"]
    return f"{first}, and {len(more)} more" if more else first


def _transaction(
    connection: Connection[Any],
    stage: Stage,
    plan: Plan,
    where: str,
    reporter: Reporter,
    done: Callable[[], None],
) -> None:
    current: list[Statement | None] = [None]

    def attempt() -> None:
        with connection.transaction():
            run(connection, f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
            for statement in stage.statements:
                point(f"{where}: before {statement.comment}")
                current[0] = statement
                run(connection, statement.sql)
                parking.record(connection, plan.id, statement)
            current[0] = None
            point(f"{where}: before it is recorded")
            done()
            point(f"{where}: before its commit")

    _patiently(connection, attempt, lambda: current[0], where, reporter)


def _patiently(
    connection: Connection[Any],
    attempt: Callable[[], None],
    current: Callable[[], Statement | None],
    where: str,
    reporter: Reporter,
) -> None:
    """Try a transaction again while others hold what it needs."""
    from psycopg import Error, errors

    for pause in (*_PAUSES, None):
        try:
            return attempt()
        except (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure) as problem:
            if pause is None:
                raise failures.told(connection, problem, current(), where) from None
            statement = current()
            about = f" ({statement.comment})" if statement is not None else ""
            reporter.say(f"{where}: a table is in use{about}; next attempt in {pause} s")
            time.sleep(pause)
        except Error as problem:
            raise _failed(connection, problem, current(), where) from None


def _failed(connection: Connection[Any], problem: Any, statement: Statement | None, where: str) -> MigrateError:
    if connection.closed or connection.broken:
        said = " ".join(str(problem).split())
        return MigrateError(
            f"the connection was lost in {where}: {said}",
            "a transaction that was not committed is undone; `atl apply` goes on with what is left",
        )
    return failures.told(connection, problem, statement, where)


def _alone(connection: Connection[Any], stage: Stage, plan: Plan, where: str, reporter: Reporter) -> None:
    """A statement outside of any transaction, or a backfill. It may have been carried out already, or left half."""
    from psycopg import Error

    for statement in stage.statements:
        try:
            if statement.unless and one(connection, statement.unless):
                continue
            if statement.leftover and one(connection, statement.leftover):
                reporter.say(f"{where}: what an earlier attempt left is cleared away")
                point(f"{where}: before clearing")
                run(connection, statement.clear)
            point(f"{where}: before {statement.comment}")
            if statement.backfill is None:
                run(connection, statement.sql)
        except Error as problem:
            raise _failed(connection, problem, statement, where) from None
        if statement.backfill is not None:
            _fill(connection, statement, statement.backfill, where, reporter)


def _fill(
    connection: Connection[Any], statement: Statement, backfill: Backfill, where: str, reporter: Reporter
) -> None:
    from psycopg import Error

    try:
        total = one(connection, backfill.count)
    except Error as problem:
        raise _failed(connection, problem, statement, where) from None
    done, size, after = 0, _first_batch(), None
    begun = time.monotonic()
    while True:
        started = time.monotonic()
        found: list[tuple[Any, ...]] = []

        def batch(after: list[str] | None = after, size: int = size, found: list[tuple[Any, ...]] = found) -> None:
            found.clear()
            with connection.transaction():
                run(connection, f"SET LOCAL lock_timeout = '{_LOCK_TIMEOUT}'")
                for setting in backfill.settings:
                    run(connection, setting)
                found.extend(rows(connection, backfill.batch(after, size)))
                point(f"{where}: before a batch is committed")

        _patiently(connection, batch, lambda: statement, where, reporter)
        point(f"{where}: behind a batch")
        if not found:
            break
        done += found[0][0]
        after = list(found[0][1:])
        reporter.progress(done, total, time.monotonic() - begun)
        took = time.monotonic() - started
        size = max(1, min(_LARGEST_BATCH, int(size * min(2.0, _BATCH_TIME / max(took, 0.001)))))
    if total:
        reporter.say(f"{where}: {done} rows filled")


def _first_batch() -> int:
    import os

    # Tests want several batches of few rows.
    return int(os.environ.get("ATL_BATCH", "") or _FIRST_BATCH)
