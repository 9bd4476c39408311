"""What an `sql` block does, as PostgreSQL's grammar reads it."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import NamedTuple, TypeAlias

__all__ = [
    "ColumnProblem",
    "Columns",
    "Parsed",
    "Selected",
    "SqlProblem",
    "Table",
    "parse",
    "selected",
    "unknown_columns",
]


class SqlProblem(NamedTuple):
    """A syntax error: PostgreSQL's words and the offending token's span (empty at the end of the text)."""

    message: str
    start: int
    end: int


class Table(NamedTuple):
    """A table that a statement names: not a WITH name in its scope, a function, an alias of `FOR UPDATE OF`, or the
    target of SELECT INTO. Names are as PostgreSQL folds them. The span is that of the (qualified) name as written.

    written: the statement inserts into, updates, deletes from, merges into, truncates or locks it.
    """

    schema: str | None
    name: str
    start: int
    end: int
    written: bool


class Forbidden(NamedTuple):
    """A call or statement that no block, or no query, may hold. kind: `set_config`, `write`, `ddl`, `other` (SET, DO,
    COPY, transaction control, ...)."""

    kind: str
    word: str
    start: int
    end: int


class Parsed(NamedTuple):
    """A block. error: then the rest is empty. statements: how many; extra: where the second begins, or None.

    tree: PostgreSQL's JSON parse tree, for this package alone.
    """

    error: SqlProblem | None
    statements: int = 0
    extra: tuple[int, int] | None = None
    tables: tuple[Table, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    tree: object = None


Columns: TypeAlias = Callable[[str | None, str], "Collection[str] | None"]
"""The columns of the table that SQL calls `[schema.]name`; None when nothing is known of it."""


class ColumnProblem(NamedTuple):
    """A column that certainly does not exist. table: the tables in scope that were searched, as named in the SQL."""

    name: str
    start: int
    end: int
    tables: tuple[tuple[str | None, str], ...]


class Selected(NamedTuple):
    """A selected column. name: None when PostgreSQL chooses one that is not worth relying on (`?column?`)."""

    name: str | None
    start: int
    end: int


def parse(sql: str) -> Parsed:
    """Parse a block. Never raises, whatever the text (also NUL, lone surrogates, deep nesting)."""
    raise NotImplementedError


def unknown_columns(parsed: Parsed, columns: Columns) -> list[ColumnProblem]:
    """Columns named that no table, alias, WITH query, subquery or function in scope can have. Where anything in scope
    is not known for certain, nothing is reported of it. System columns and whole-row references are known."""
    raise NotImplementedError


def selected(parsed: Parsed, columns: Columns) -> list[Selected] | None:
    """What the (only) statement returns, stars expanded, RETURNING included; None when it is not certain."""
    raise NotImplementedError
