"""What a plan is, as data: stages of statements, backfills, guards, and what is parked.

`make_plan` (in `plan`) is a pure function of a diff; whoever runs a plan holds to what is said here.

Running a plan: on one connection, with every setting of `SESSION` set first. Guards first, unless a
stage of the plan has been carried out before: each is one query that gives one number, and more than zero refuses the
plan before anything has changed. Then the stages in order:

- a transactional stage is one transaction: all its statements, then whatever records that it is done;
- any other stage is exactly one statement that cannot run in a transaction, or a batched backfill. It is repeatable:
  ask `unless` first and skip the statement when that says true; when `leftover` says true, run `clear` before it.

Texts of SQL never end in a semicolon, and never hold parameters.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from atl.diff import Change, Diff
from atl.diff.model import Class

__all__ = ["PARKING", "SESSION", "Backfill", "Guard", "Lock", "Parked", "Plan", "Stage", "Statement"]

PARKING = "atlantis_parked"
"""The PostgreSQL schema that parked tables and enums are moved to."""

SESSION = {
    "client_encoding": "UTF8",
    "search_path": "public",
    "row_security": "off",
    "TimeZone": "UTC",
    "DateStyle": "ISO, YMD",
    "IntervalStyle": "postgres",
    "bytea_output": "hex",
    "extra_float_digits": "1",
    "standard_conforming_strings": "on",
    "array_nulls": "on",
    "transform_null_equals": "off",
    "quote_all_identifiers": "off",
    "default_transaction_isolation": "read committed",
    "client_min_messages": "warning",
}
"""Settings of the session that runs a plan, whatever its role or database has. Row-level security would hide rows from
checks and backfills: with it off a query that it would filter is an error. The others settle what names, literals and
casts mean, and that a value comes back from its text as it was."""


class Lock(Enum):
    """The strongest lock that a statement takes on a table which others use, weakest first."""

    NONE = ""
    ACCESS_SHARE = "ACCESS SHARE"
    ROW_EXCLUSIVE = "ROW EXCLUSIVE"
    SHARE_UPDATE_EXCLUSIVE = "SHARE UPDATE EXCLUSIVE"
    SHARE = "SHARE"
    SHARE_ROW_EXCLUSIVE = "SHARE ROW EXCLUSIVE"
    ACCESS_EXCLUSIVE = "ACCESS EXCLUSIVE"


@dataclass(frozen=True, slots=True)
class Backfill:
    """Fills a column in batches, in the order of the table's key, so that a stop costs one batch.

    id, member: the entity's id and the field. table: in SQL. key: (column, type) of each, in SQL. assign: `"c" = expr`.
    pending: a condition that is true of a row which is still to be filled. Only a table with a key has one; a keyless
    table is filled by one plain statement.
    """

    id: str
    member: str
    table: str
    key: tuple[tuple[str, str], ...]
    assign: str
    pending: str

    settings = ("SET LOCAL atlantis.backfill = 'on'",)
    """Statements that begin each batch's transaction: the touch trigger does not fire."""

    @property
    def count(self) -> str:
        """A query for the number of rows still to be filled."""
        return f"SELECT count(*) FROM {self.table} WHERE {self.pending}"

    def batch(self, after: Sequence[str] | None, size: int) -> str:
        """The statement that fills the next `size` rows behind the key `after` (its values as text; None at the start).

        It gives one row: the number of rows filled, then the key of the last one as text, to go on from; no row when
        there is nothing left. The caller commits each batch.
        """
        from atl.migrate.sqltext import quote_literal

        behind = ""
        if after is not None:
            values = (f"{quote_literal(v)}::{kind}" for v, (_, kind) in zip(after, self.key, strict=True))
            behind = f"({self._order}) > ({', '.join(values)}) AND "
        last = ", ".join(f"{name}::text" for name, _ in self.key)
        return f'{self._fill(behind, size)} SELECT (SELECT count(*) FROM "filled"), {last} FROM "last"'

    def block(self, size: int) -> str:
        """All batches as one `DO`, for a script; it cannot run inside a transaction."""
        variables = [f"atl_key_{at}" for at in range(len(self.key))]
        declared = " ".join(f"{v} {kind};" for v, (_, kind) in zip(variables, self.key, strict=True))
        behind = f"(NOT atl_started OR ({self._order}) > ({', '.join(variables)})) AND "
        body = (
            f"#variable_conflict use_column\nDECLARE atl_started boolean := false; {declared} BEGIN LOOP"
            " PERFORM pg_catalog.set_config('atlantis.backfill', 'on', true);"
            f' {self._fill(behind, size)} SELECT {self._order} INTO {", ".join(variables)} FROM "last";'
            " EXIT WHEN NOT FOUND; atl_started := true; COMMIT; END LOOP; END"
        )
        tag = "$do$"
        while tag in body:
            tag = f"{tag[:-1]}o$"
        return f"DO {tag} {body} {tag}"

    @property
    def _order(self) -> str:
        return ", ".join(name for name, _ in self.key)

    def _fill(self, behind: str, size: int) -> str:
        # A range of the key, so that the rows are found by its index; and the expression is read with the table's own
        # columns and name in scope, and nothing else.
        down = ", ".join(f"{name} DESC" for name, _ in self.key)
        return (
            f'WITH "batch" AS (SELECT {self._order} FROM {self.table} WHERE {behind}({self.pending})'
            f" ORDER BY {self._order} LIMIT {size}),"
            f' "last" AS (SELECT {self._order} FROM "batch" ORDER BY {down} LIMIT 1),'
            f' "filled" AS (UPDATE {self.table} SET {self.assign} WHERE {behind}({self._order})'
            f' <= (SELECT {self._order} FROM "last") AND ({self.pending}) RETURNING 1)'
        )


@dataclass(frozen=True, slots=True)
class Parked:
    """A column, table or enum that was taken out of the schema and kept.

    kind: `column`, `table` or `enum`. id, member: of the declaration and the field ("" but for a column), when parked.
    was: (schema, name) of the table or type before; of a column that of its table. at: (schema, name) now, of a column
    that of its table. name: what a parked column is called now, unique in the database; else "".
    columns: (name, type in SQL, not null) before it was parked: of a column that one, of a table all, of an enum none.
    labels: of an enum, in order. dropped: the statements that would put back what hung on it.

    Who keeps these over time looks `at` up in the catalog by `name`, since a table with a parked column in it may have
    been renamed or parked since.
    """

    kind: str
    id: str
    member: str
    was: tuple[str, str]
    at: tuple[str, str]
    name: str = ""
    columns: tuple[tuple[str, str, bool], ...] = ()
    labels: tuple[str, ...] = ()
    dropped: tuple[str, ...] = ()

    def dump(self) -> dict[str, Any]:
        """As plain JSON values."""
        return asdict(self)

    @classmethod
    def load(cls, data: dict[str, Any]) -> Parked:
        """The inverse of `dump`."""
        pairs = {key: tuple(data[key]) for key in ("was", "at", "labels", "dropped")}
        return cls(**{**data, **pairs, "columns": tuple((c[0], c[1], c[2]) for c in data["columns"])})


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of SQL.

    comment: what it does, one lower-case line. lock: see `Lock`. reverse: the statement that undoes it, or None; then
    no_reverse says why. change: what it is part of; None when it serves the whole plan (a schema, a shared function).
    unless: a query for one boolean, true when the statement has been carried out; "" in a transactional stage.
    leftover, clear: a query for one boolean, true when an earlier attempt left something in the way, and the statement
    that takes it away (itself outside a transaction); both "" when nothing can be left.
    backfill: run this in place of `sql`, which does the same in one `DO` that commits its batches.
    parks, unparks: what it parks or brings back, to be recorded in the same transaction.
    """

    sql: str
    comment: str
    lock: Lock = Lock.NONE
    reverse: str | None = None
    no_reverse: str = ""
    change: Change | None = None
    unless: str = ""
    leftover: str = ""
    clear: str = ""
    backfill: Backfill | None = None
    parks: Parked | None = None
    unparks: Parked | None = None


@dataclass(frozen=True, slots=True)
class Stage:
    """One transaction, or one statement outside of any (see the module)."""

    transactional: bool
    statements: tuple[Statement, ...]


@dataclass(frozen=True, slots=True)
class Guard:
    """A count of rows that the plan cannot take along, asked before anything runs.

    sql: a query for one number, on the tables as they are before the plan. message: what more than zero of them means,
    with `{rows}` in place of the number. help: what can be done about it. some: a query for a few of the rows, each as
    one text (its key, or the values that repeat); "" when there is nothing to say of them.
    """

    sql: str
    message: str
    help: str
    change: Change
    some: str = ""
    since: int = 0


@dataclass(frozen=True, slots=True)
class Plan:
    """A diff and how it is carried out.

    id: hex digits, a function of the two digests and of what is unparked. from_digest, to_digest: SHA-256 of the two
    schemas' canonical JSON. extensions: those that the new schema needs, sorted; none is created by the stages.
    tables: (schema, name) of existing tables that the stages touch, as they are called before, sorted.
    parks: what the statements park. unparks: which of the parked objects they bring back.
    by_hand: the changes for which there are no statements, because no SQL does them safely.
    """

    id: str
    diff: Diff
    stages: tuple[Stage, ...]
    from_digest: str
    to_digest: str
    guards: tuple[Guard, ...] = ()
    extensions: tuple[str, ...] = ()
    tables: tuple[tuple[str, str], ...] = ()

    @property
    def cls(self) -> Class:
        return self.diff.cls

    @property
    def by_hand(self) -> tuple[Change, ...]:
        return tuple(change for change in self.diff.changes if change.manual)

    @property
    def statements(self) -> tuple[Statement, ...]:
        return tuple(statement for stage in self.stages for statement in stage.statements)

    @property
    def parks(self) -> tuple[Parked, ...]:
        return tuple(s.parks for s in self.statements if s.parks is not None)

    @property
    def unparks(self) -> tuple[Parked, ...]:
        return tuple(s.unparks for s in self.statements if s.unparks is not None)
