"""SQL expressions: checks, predicates, index expressions, backfills, raw defaults."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from atl.postgres.canonical import canonical_expression, canonical_statement
from atl.postgres.fragment import expression_tree
from atl.postgres.inference import Finder, Found
from atl.postgres.library import TooLarge, Tree
from atl.postgres.problems import SqlProblem
from atl.postgres.text import Text
from atl.records import NamedTuple

__all__ = [
    "ColumnUse",
    "Expression",
    "canonical_expression",
    "canonical_statement",
    "expression",
]


class ColumnUse(NamedTuple):
    """A column that an expression names; qualifier: `t` of `t.c` (`s.t` of `s.t.c`), else None. Name as PostgreSQL
    folds it. The span is that of the column's own name. A whole row, `t.*`, has the name `*` and the span of it all."""

    name: str
    qualifier: str | None
    start: int
    end: int


class Expression(NamedTuple):
    """Spans are those of the first such thing.

    error: not one expression (a syntax error, nothing, two of them, an alias). Then the rest is empty.
    subquery, aggregate, window, volatile: (start, end) or None. volatile: the first thing that is certainly not
    IMMUTABLE: a function, or a cast or operator that depends on settings; `volatile_name` says which (`now`, or `the
    cast from ...`, ready to stand in a sentence). outside: the first call that is volatile or reads more than its
    arguments (clock, session, catalog, sequences).
    functions: (name, start, end) of every function called. set_returning: a call of a known set-returning function.
    boolean: True or False when it certainly is or is not of type boolean, None when that is not known. operand: what
    stands beside AND, OR, NOT and is certainly not boolean.
    rows: each `t.*`. type: as `inference` spells it. compared: (left type, right type, start, end) of each comparison
    with `=`, `<`, ... whose sides' types are known; the span is the operator's.
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
    outside: tuple[int, int] | None = None
    outside_name: str = ""
    operand: tuple[int, int] | None = None
    rows: tuple[ColumnUse, ...] = ()
    type: str = ""
    compared: tuple[tuple[str, str, int, int], ...] = ()


def expression(sql: str, types: Mapping[str, str] | None = None) -> Expression:
    """Read one scalar expression. Never raises.

    types: the columns' types by PostgreSQL's short names (`int4`, `timestamptz`, `text[]`; any enum is `enum`), as far
    as they are known.
    """
    types = types or {}
    lowered = sql.lower()
    if "u&" in lowered:  # names in escapes
        return _read(sql, tuple(types.items()))
    return _read(sql, tuple([(name, type_) for name, type_ in types.items() if name in lowered or name in sql]))


# Entities have the same few fragments over and over: `deleted_at is null`, `gen_random_uuid()`.
@lru_cache(maxsize=1024)
def _read(sql: str, types: tuple[tuple[str, str], ...]) -> Expression:
    """types: of the columns that the text may name."""
    text = Text(sql)
    try:
        tree = expression_tree(text)
        if isinstance(tree, SqlProblem):
            return Expression(tree)
        finder = Finder(dict(types))
        type_ = finder.type_of(tree)
    except (TooLarge, RecursionError):
        return Expression(None)
    found = sorted(finder.found, key=lambda item: item.location)
    by_kind: dict[str, tuple[Found, tuple[int, int]]] = {}
    columns: list[ColumnUse] = []
    rows: list[ColumnUse] = []
    functions: list[tuple[str, int, int]] = []
    for item in found:
        span = _span(text, item)
        if item.kind in ("column", "rows"):
            qualifier = ".".join(item.fields[:-1]) or None
            (columns if item.kind == "column" else rows).append(ColumnUse(item.name, qualifier, *span))
        elif item.kind == "function":
            functions.append((item.name, *span))
        else:
            by_kind.setdefault(item.kind, (item, span))
    default = by_kind.get("default")
    if default is not None:
        return Expression(SqlProblem("DEFAULT is not allowed in this context", *default[1]))

    def first(kind: str) -> tuple[int, int] | None:
        return by_kind[kind][1] if kind in by_kind else None

    def name(kind: str) -> str:
        return by_kind[kind][0].name if kind in by_kind else ""

    return Expression(
        None,
        tuple(columns),
        first("subquery"),
        first("aggregate"),
        first("window"),
        first("mutable"),
        name("mutable"),
        tuple(functions),
        first("set_returning"),
        first("parameter"),
        _boolean(tree, type_),
        first("outside"),
        name("outside"),
        first("operand"),
        tuple(rows),
        type_,
        tuple((left, right, *text.token(text.at(location))) for left, right, location in finder.compared),
    )


def _span(text: Text, item: Found) -> tuple[int, int]:
    at = text.at(item.location)
    if item.kind == "column":
        return text.names(at, len(item.fields))[-1]
    if item.kind == "rows":
        spans = text.names(at, len(item.fields))
        return spans[0][0], spans[-1][1]
    if item.end >= 0:
        return text.token(at)[0], text.names(text.at(item.end), 2)[-1][1]
    spans = text.names(at, 2)
    if spans and text.sql[spans[0][0]].isidentifier():
        return spans[0][0], spans[-1][1]
    return text.token(at)


def _boolean(tree: Tree, type_: str) -> bool | None:
    if type_ == "unknown":
        # A literal: boolean if it is text that PostgreSQL reads as one. NULL is.
        constant = tree.get("A_Const")
        if constant is None or "sval" not in constant:
            return True
        return _reads_as_boolean(constant["sval"].get("sval", ""))
    return None if type_ == "" else type_ == "bool"


def _reads_as_boolean(literal: str) -> bool:
    word = literal.strip(" \t\n\r\f\v").lower()
    if word in ("1", "0", "on", "off", "of"):
        return True
    return word != "" and any(whole.startswith(word) for whole in ("true", "false", "yes", "no"))
