"""What a database was brought to, what is under way, and what was done: three tables in a schema of our own.

`atlantis_meta.checkpoint` has at most one row: the schema that the database has, and, while a plan is under way, that
plan, its target and the last stage that is done. `atlantis_meta.history` is only ever added to. `atlantis_meta.parked`
belongs to `parking`.

Every write of the checkpoint is a compare-and-swap: it names the state that it was made from, and nothing is written
when that is not the state any more.
"""

from __future__ import annotations

import json
import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from atl.migrate.database import one, rows, run
from atl.migrate.errors import MigrateError
from atl.schema import model as m
from atl.schema.canonical import SchemaError, digest, dump, load

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = [
    "META",
    "Event",
    "Pending",
    "Recorded",
    "adopt",
    "advance",
    "begin",
    "history",
    "prepare",
    "read",
    "settle",
    "text_of",
]

META = "atlantis_meta"
"""The PostgreSQL schema of the bookkeeping."""

_TABLES = (
    f"CREATE SCHEMA IF NOT EXISTS {META}",
    f"""CREATE TABLE IF NOT EXISTS {META}.checkpoint (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  schema text NOT NULL,
  digest text NOT NULL,
  plan text NOT NULL,
  at timestamptz NOT NULL DEFAULT now(),
  by text NOT NULL DEFAULT session_user,
  pending text,
  stage int NOT NULL DEFAULT 0
)""",
    f"""CREATE TABLE IF NOT EXISTS {META}.history (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at timestamptz NOT NULL DEFAULT clock_timestamp(),
  by text NOT NULL DEFAULT session_user,
  atl text NOT NULL,
  event text NOT NULL,
  plan text NOT NULL,
  stage int,
  stages int,
  from_digest text NOT NULL,
  to_digest text NOT NULL,
  note text NOT NULL
)""",
    f"""CREATE TABLE IF NOT EXISTS {META}.parked (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  plan text NOT NULL,
  object text NOT NULL,
  parked_at timestamptz NOT NULL DEFAULT now(),
  gone_at timestamptz,
  gone text
)""",
    f"""CREATE OR REPLACE FUNCTION {META}.refuse_change() RETURNS trigger LANGUAGE plpgsql AS
$$BEGIN RAISE EXCEPTION 'the history is only added to'; END$$""",
    f"""CREATE OR REPLACE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON {META}.history
FOR EACH STATEMENT EXECUTE FUNCTION {META}.refuse_change()""",
)


def text_of(schema: m.Schema) -> str:
    """A schema as it is stored: canonical JSON in ASCII, since a database may have any encoding."""
    return re.sub("[^\x00-\x7f]", lambda found: json.dumps(found[0])[1:-1], dump(schema))


@lru_cache(maxsize=1)
def _digest_of(target: str) -> str:
    """The digest of a schema as it is stored; each stage of a plan asks for the same one."""
    return digest(load(target))


class Pending(NamedTuple):
    """A plan under way. target: the schema that it leads to, as JSON. script: a digest of its SQL. stage: the last one
    that is done, from 1; 0 before the first. parked: what was parked when it was made, as JSON values."""

    plan: str
    target: str
    script: str
    parked: list[dict[str, Any]]
    stages: int
    stage: int = 0


class Recorded(NamedTuple):
    """digest: of the schema, as `canonical.digest` says. there: false before anything was applied."""

    schema: m.Schema
    digest: str
    pending: Pending | None
    there: bool


class Event(NamedTuple):
    """A line of the history. at: as ISO 8601 in UTC. by: the role, and who used it where."""

    at: str
    by: str
    event: str
    plan: str
    stage: int | None
    stages: int | None
    from_digest: str
    to_digest: str
    note: str


def read(connection: Connection[Any]) -> Recorded:
    """The checkpoint; the empty schema where nothing was applied. Raises MigrateError when it was tampered with."""
    if one(connection, "SELECT to_regclass(%s) IS NULL", f"{META}.checkpoint"):
        return Recorded(m.Schema(), digest(m.Schema()), None, False)
    found = rows(connection, f"SELECT schema, digest, pending, stage FROM {META}.checkpoint")
    if not found:
        return Recorded(m.Schema(), digest(m.Schema()), None, False)
    text, recorded, pending, stage = found[0]
    try:
        schema = load(text)
        under_way = None
        if pending is not None:
            data = json.loads(pending)
            load(data["target"])
            under_way = Pending(**data, stage=stage)
    except (SchemaError, ValueError, TypeError, KeyError) as problem:
        raise _tampered(f"it cannot be read: {problem}") from None
    if digest(schema) != recorded:
        raise _tampered("its schema does not have the digest that is recorded beside it")
    return Recorded(schema, recorded, under_way, True)


def _tampered(why: str) -> MigrateError:
    return MigrateError(
        f"the checkpoint in {META}.checkpoint was changed by someone else: {why}",
        "nothing was done; put it back from a backup, or compare with `atl inspect` and record the state that is there"
        " with `atl apply --adopt`",
    )


def prepare(connection: Connection[Any]) -> None:
    """Create the tables where they are missing; the caller holds the applier's lock. Raises MigrateError, also when
    nothing can be written at all."""
    from psycopg import errors

    if one(connection, "SHOW transaction_read_only") == "on":
        if one(connection, "SELECT pg_is_in_recovery()"):
            raise MigrateError("this server is a standby, which only reads", "nothing was done; apply to the primary")
        raise MigrateError(
            "sessions of this role or database only read (default_transaction_read_only)",
            "nothing was done; to write all the same: PGOPTIONS='-c default_transaction_read_only=off' atl apply ...",
        )
    if one(connection, "SELECT to_regclass(%s) IS NOT NULL", f"{META}.parked"):
        return
    try:
        with connection.transaction():
            for statement in _TABLES:
                run(connection, statement)
    except errors.InsufficientPrivilege as problem:
        role, quoted, name = rows(
            connection, "SELECT current_user, quote_ident(current_user), quote_ident(current_database())"
        )[0]
        raise MigrateError(
            f"the role `{role}` may not create the schema {META}, where applies are recorded:"
            f" {problem.diag.message_primary}",
            f"apply with the owner of the database, or let the role: GRANT CREATE ON DATABASE {name} TO {quoted}",
        ) from None


def begin(connection: Connection[Any], state: Recorded, pending: Pending) -> None:
    """Record that a plan is under way; in a transaction of its own. Raises MigrateError when the state is another."""
    with connection.transaction():
        if not state.there:
            connection.execute(
                f"INSERT INTO {META}.checkpoint (schema, digest, plan) VALUES (%s, %s, '')"
                " ON CONFLICT DO NOTHING".encode(),
                (text_of(state.schema), state.digest),
            )
        changed = connection.execute(
            f"UPDATE {META}.checkpoint SET pending = %s, stage = 0 WHERE digest = %s AND pending IS NULL".encode(),
            (json.dumps({k: v for k, v in pending._asdict().items() if k != "stage"}), state.digest),
        ).rowcount
        if changed != 1:
            raise stale(pending.plan)
        _note(connection, "begun", pending.plan, 0, pending.stages, state.digest, _digest_of(pending.target))


def advance(connection: Connection[Any], state: Recorded, pending: Pending, stage: int) -> None:
    """Record, within the transaction of a stage or right behind it, that the stage is done; the last one settles the
    plan. Raises MigrateError when another applier has been here."""
    target = _digest_of(pending.target)
    if stage < pending.stages:
        changed = connection.execute(
            f"UPDATE {META}.checkpoint SET stage = %s WHERE digest = %s AND stage = %s"
            " AND pending::json ->> 'plan' = %s".encode(),
            (stage, state.digest, stage - 1, pending.plan),
        ).rowcount
    else:
        changed = connection.execute(
            f"UPDATE {META}.checkpoint SET schema = %s, digest = %s, plan = %s, pending = NULL, stage = 0, at = now(),"
            " by = session_user WHERE digest = %s AND stage = %s AND pending::json ->> 'plan' = %s".encode(),
            (pending.target, target, pending.plan, state.digest, max(stage - 1, 0), pending.plan),
        ).rowcount
    if changed != 1:
        raise stale(pending.plan)
    if pending.stages:
        _note(connection, "stage", pending.plan, stage, pending.stages, state.digest, target)
    if stage == pending.stages:
        _note(connection, "applied", pending.plan, stage, pending.stages, state.digest, target)


def settle(connection: Connection[Any], state: Recorded, pending: Pending, note: str) -> None:
    """Record, within the caller's transaction, that a plan under way was taken back."""
    changed = connection.execute(
        f"UPDATE {META}.checkpoint SET pending = NULL, stage = 0 WHERE digest = %s"
        " AND pending::json ->> 'plan' = %s".encode(),
        (state.digest, pending.plan),
    ).rowcount
    if changed != 1:
        raise stale(pending.plan)
    _note(connection, "taken back", pending.plan, pending.stage, pending.stages, state.digest, state.digest, note)


def adopt(connection: Connection[Any], before: str, schema: m.Schema) -> None:
    """Record a state that was reached by hand; before: the digest recorded so far. In a transaction of its own."""
    with connection.transaction():
        connection.execute(
            f"INSERT INTO {META}.checkpoint (schema, digest, plan) VALUES (%s, %s, '') ON CONFLICT (one) DO UPDATE"
            " SET schema = excluded.schema, digest = excluded.digest, plan = '', pending = NULL, stage = 0, at = now(),"
            " by = session_user".encode(),
            (text_of(schema), digest(schema)),
        )
        _note(connection, "adopted", "", None, None, before, digest(schema))


def note_reaped(connection: Connection[Any], state: str, what: str) -> None:
    _note(connection, "reaped", "", None, None, state, state, what)


def stale(plan: str, why: str = "what is not recorded was undone") -> MigrateError:
    return MigrateError(
        f"plan {plan} is stale: the database or what is declared has changed since it was made", f"{why}; plan again"
    )


def _note(
    connection: Connection[Any],
    event: str,
    plan: str,
    stage: int | None,
    stages: int | None,
    before: str,
    after: str,
    note: str = "",
) -> None:
    from atl import __version__

    connection.execute(
        f"INSERT INTO {META}.history (by, atl, event, plan, stage, stages, from_digest, to_digest, note)"
        " VALUES (session_user || %s, %s, %s, %s, %s, %s, %s, %s, %s)".encode(),
        (_person(), __version__, event, plan, stage, stages, before, after, note),
    )


def _person() -> str:
    """Who runs this, beside the role, which many may share: ` (user@host)`; "" where the system does not tell."""
    import getpass
    import socket

    try:
        return f" ({getpass.getuser()}@{socket.gethostname()})".encode("ascii", "replace").decode("ascii")
    except (OSError, KeyError, ImportError):
        return ""


def history(connection: Connection[Any]) -> list[Event]:
    """Everything that was done, oldest first."""
    if one(connection, "SELECT to_regclass(%s) IS NULL", f"{META}.history"):
        return []
    found = rows(
        connection,
        "SELECT to_char(at AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'), by, event, plan, stage, stages,"
        f" from_digest, to_digest, note FROM {META}.history ORDER BY id",
    )
    return [Event(*row) for row in found]
