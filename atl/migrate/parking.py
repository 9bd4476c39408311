"""What a database has parked: where it is now, until when it is kept, and how it is let go."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from atl.migrate.checkpoint import META
from atl.migrate.database import one, rows, run
from atl.migrate.model import Parked, Statement
from atl.migrate.sqltext import qualified, quote

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["DAYS", "Kept", "everything", "reap_statement", "reaped", "record"]

DAYS = 30
"""How long a parked object is certain to be kept. Past that it can be reaped; until then it still comes back."""


class Kept(NamedTuple):
    """A parked object. at, until: ISO 8601 in UTC. due: its time is past."""

    id: int
    parked: Parked
    plan: str
    at: str
    until: str
    due: bool


def everything(connection: Connection[Any]) -> list[Kept]:
    """All that is parked and still there, oldest first."""
    if one(connection, "SELECT to_regclass(%s) IS NULL", f"{META}.parked"):
        return []
    stamp = '\'YYYY-MM-DD"T"HH24:MI:SS"Z"\''
    found = rows(
        connection,
        f"SELECT id, object, plan, to_char(parked_at AT TIME ZONE 'UTC', {stamp}),"
        f" to_char((parked_at + interval '{DAYS} days') AT TIME ZONE 'UTC', {stamp}),"
        f" parked_at + interval '{DAYS} days' <= now() FROM {META}.parked WHERE gone_at IS NULL ORDER BY id",
    )
    kept = []
    for id, text, *rest in found:
        parked = _located(connection, Parked.load(json.loads(text)))
        if parked is not None:
            kept.append(Kept(id, parked, *rest))
    return kept


def _located(connection: Connection[Any], parked: Parked) -> Parked | None:
    """Where it is now: a table with a parked column in it may have been renamed, or parked itself. None: nowhere."""
    if parked.kind == "column":
        found = rows(
            connection,
            "SELECT n.nspname, c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
            " JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE a.attname = %s AND NOT a.attisdropped AND c.relkind IN ('r', 'p')",
            parked.name,
        )
    elif parked.kind == "table":
        found = rows(
            connection,
            "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
            " WHERE n.nspname = %s AND c.relname = %s AND c.relkind IN ('r', 'p')",
            *parked.at,
        )
    else:
        found = rows(
            connection,
            "SELECT n.nspname, t.typname FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace"
            " WHERE n.nspname = %s AND t.typname = %s AND t.typtype = 'e'",
            *parked.at,
        )
    if not found:
        return None
    schema, name = found[0]
    return replace(parked, at=(schema, name))


def record(connection: Connection[Any], plan: str, statement: Statement) -> None:
    """Record, within a stage's transaction, what a statement of it parks or brings back."""
    if statement.parks is not None:
        connection.execute(
            f"INSERT INTO {META}.parked (plan, object) VALUES (%s, %s)".encode(),
            (plan, json.dumps(statement.parks.dump(), sort_keys=True)),
        )
    if statement.unparks is not None:
        for kept in everything_named(connection, statement.unparks):
            _gone(connection, kept, "brought back")


def everything_named(connection: Connection[Any], parked: Parked) -> list[int]:
    """The entries for an object, wherever it is now."""
    found = rows(connection, f"SELECT id, object FROM {META}.parked WHERE gone_at IS NULL ORDER BY id")
    same = []
    for id, text in found:
        other = Parked.load(json.loads(text))
        alike = other.name == parked.name if parked.kind == "column" else other.at == parked.at
        if other.kind == parked.kind and alike:
            same.append(id)
    return same


def reaped(connection: Connection[Any], kept: Kept) -> None:
    """Record, within the transaction that dropped it, that a parked object is gone."""
    _gone(connection, kept.id, "reaped")


def _gone(connection: Connection[Any], id: int, how: str) -> None:
    connection.execute(f"UPDATE {META}.parked SET gone_at = now(), gone = %s WHERE id = %s".encode(), (how, id))


def reap_statement(parked: Parked) -> str:
    """What drops it; refused by PostgreSQL while something else still needs it."""
    if parked.kind == "column":
        return f"ALTER TABLE {qualified(*parked.at)} DROP COLUMN {quote(parked.name)}"
    return f"DROP {'TABLE' if parked.kind == 'table' else 'TYPE'} {qualified(*parked.at)}"


def reap(connection: Connection[Any], kept: Kept) -> None:
    """Drop one parked object and record it, in one transaction."""
    with connection.transaction():
        run(connection, "SET LOCAL lock_timeout = '3s'")
        run(connection, reap_statement(kept.parked))
        reaped(connection, kept)
