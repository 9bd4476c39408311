"""What a change of type refuses, as a condition on the values that are there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from atl.migrate.casts import TEXT, cut_check
from atl.migrate.sqltext import quote, quote_literal
from atl.schema.types import Type, integer_range

__all__ = ["Refusal", "refusals"]

_FRACTIONS = frozenset({"real", "double"})
_NUMBERS = frozenset({"smallint", "int", "bigint", "numeric", "real", "double"})

# Their input does not say what is wrong without failing, or is an extension's.
_NO_QUESTIONS = frozenset({"xml", "vector", "citext", "name"})
_HAS_PG_INPUT_IS_VALID = 160000

# From here a double becomes infinite as a real, and up to here zero: half a step beyond what a real holds.
_REAL = "3.4028235677973366e38", "7.006492321624085e-46"


class Refusal(NamedTuple):
    """condition: SQL that is true of a value that is refused. what: such a value, after `a value that`. since: the
    server's version number from which the condition can be asked."""

    condition: str
    what: str
    since: int = 0


def refusals(
    column: str, old: Type, new: Type, sql_type: str, lost: Iterable[str], labels: Iterable[str]
) -> Iterator[Refusal]:
    """Of a column that becomes `sql_type`, as far as it can be said. A value is in at most one of them.

    lost: labels of the old enum that the new one has not. labels: of the new enum.
    """
    name = quote(column)
    large = f"is too large for {sql_type}"
    if cut := cut_check(column, old, new):
        yield Refusal(cut, "has digits that are rounded away" if new.base == "numeric" else large)
    elif new.base in ("varchar", "char") and new.params and not new.dims:
        before = old.params[0] if old.base in ("varchar", "char") and old.params else None
        if before is None or before > new.params[0]:
            yield Refusal(f"length(rtrim({name}::text, ' ')) > {new.params[0]}", large)
    elif not new.base and not new.dims:
        if known := ", ".join(map(quote_literal, labels if old.base else lost)):
            condition = f"{'NOT ' * bool(old.base)}{name}::text = ANY (ARRAY[{known}])"
            yield Refusal(condition, f"is no label of {sql_type}")
    elif old.base in _NUMBERS and not old.dims and (condition := _out_of_range(name, old, new)):
        yield Refusal(condition, large)
    if old.base in TEXT and new.base and new.base not in TEXT | _NO_QUESTIONS:
        valid = f"pg_input_is_valid({name}::text, {quote_literal(sql_type)})"
        also = f" AND NOT {cut}" if cut else ""
        yield Refusal(f"NOT {valid}{also}", f"cannot be read as {sql_type}", _HAS_PG_INPUT_IS_VALID)


def _out_of_range(name: str, old: Type, new: Type) -> str:
    """A condition on numbers that an assignment refuses. PostgreSQL's NaN is larger than any number."""
    span = integer_range(new)
    if span is not None:
        if old.base in _FRACTIONS:  # rounded to even
            return f"NOT ({name} >= {span[0]}.5 AND {name} < {span[1]}.5)"
        value = f"round({name})" if old.base == "numeric" else name
        return f"{value} NOT BETWEEN {span[0]} AND {span[1]}"
    if new.base == "numeric":
        precision, scale = new.params
        beyond = f"abs(round({name}::numeric, {scale})) >= 1e{precision - scale}"
        return beyond if integer_range(old) else f"{name} <> 'NaN' AND {beyond}"
    if (old.base, new.base) == ("double", "real"):
        most, least = _REAL
        return f"abs({name}) < 'Infinity' AND {name} <> 0 AND (abs({name}) >= {most} OR abs({name}) <= {least})"
    return ""
