"""SQL expressions: checks, predicates, index expressions, backfills, raw defaults."""

from __future__ import annotations

from typing import NamedTuple

from atl.postgres.statement import SqlProblem

__all__ = ["ColumnUse", "Expression", "canonical_expression", "canonical_statement", "expression"]


class ColumnUse(NamedTuple):
    """A column that an expression names; qualifier: `t` of `t.c`, else None. Name as PostgreSQL folds it."""

    name: str
    qualifier: str | None
    start: int
    end: int


class Expression(NamedTuple):
    """Spans are those of the first such thing.

    error: not one expression (a syntax error, nothing, two of them, an alias). Then the rest is empty.
    subquery, aggregate, window, volatile: (start, end) or None. volatile: the first call of a function known to be
    volatile or stable-but-time-dependent; `volatile_name` says which.
    functions: (name, start, end) of every function called. set_returning: a call of a known set-returning function.
    boolean: True or False when the tree alone tells that it is or is not of type boolean, None when it does not
    (a bare column, a function that is not known).
    """

    error: SqlProblem | None
    columns: tuple[ColumnUse, ...] = ()
    subquery: tuple[int, int] | None = None
    aggregate: tuple[int, int] | None = None
    window: tuple[int, int] | None = None
    volatile: tuple[int, int] | None = None
    volatile_name: str = ""
    functions: tuple[tuple[str, int, int], ...] = ()
    set_returning: tuple[int, int] | None = None
    parameter: tuple[int, int] | None = None
    boolean: bool | None = None


def expression(sql: str) -> Expression:
    """Read one scalar expression. Never raises."""
    raise NotImplementedError


def canonical_expression(sql: str, rename: dict[str, str] | None = None) -> str:
    """A text that is equal for two expressions with equal parse trees (positions apart); columns renamed first.
    The text itself when it does not parse."""
    raise NotImplementedError


def canonical_statement(sql: str) -> str:
    """As `canonical_expression`, for a block; parameters count by name."""
    raise NotImplementedError
