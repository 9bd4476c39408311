"""Whether a literal is a value of a type: in defaults, in calls and in typed steps.

`misfit` and `default_misfit` give the reason, or "" when it fits; what only PostgreSQL can judge fits. An enum's
labels are None where the enum is not known.
"""

from __future__ import annotations

from collections.abc import Collection

from atl.closed import assert_never
from atl.schema.types import Family, Type, family, integer_range, spelled
from atl.syntax import nodes

__all__ = ["default_misfit", "literal_fits", "misfit"]


def literal_fits(type_: Type, labels: Collection[str] | None, literal: nodes.Literal) -> bool:
    """Whether PostgreSQL's assignment takes the literal, or its text is a value of the type (ATL205, ATL455)."""
    return not misfit(type_, labels, literal)


def misfit(type_: Type, labels: Collection[str] | None, literal: nodes.Literal) -> str:
    """Why `literal_fits` is False, in words that follow "it": `is not between -32768 and 32767`."""
    if not type_.known:
        return ""
    match literal:
        case nodes.Str():
            return _text(type_, labels, literal.value)
        case nodes.Int():
            return _integer(type_, literal.value)
        case nodes.Bool():
            return _boolean(type_, literal.value)
        case nodes.Now():
            return "" if takes_now(type_) else f"is a moment, and `{spelled(type_)}` is none"
        case nodes.Decimal():
            return "has a point, which only SQL can hold"
        case nodes.Duration():
            return "is a duration, which is no value of a column or argument"
        case _:
            assert_never(literal)


def default_misfit(type_: Type, labels: Collection[str] | None, value: nodes.DefaultValue) -> str:
    """Why a default is no value of the type (ATL203), or "". Stricter than an assignment: a default is written as what
    it is, a number as a number, and some types take `raw` alone."""
    match value:
        case nodes.Raw():
            return ""
        case nodes.Call():
            return "is a function call: only `now()` is taken, others are written `raw`"
        case nodes.Word():
            return "is a bare word"
        case nodes.Str() | nodes.Int() | nodes.Bool() | nodes.Now() | nodes.Decimal() | nodes.Duration():
            if not type_.known:
                return ""
            if type(value) is nodes.Decimal:
                return "has a point: such a number is written `raw`"
            if not _kind_fits(type_, value):
                return f"is no value of `{spelled(type_)}`" + _expected(type_)
            return misfit(type_, labels, value)
        case _:
            assert_never(value)


def takes_now(type_: Type) -> bool:
    """Whether `now()` can be assigned to it: to every date and time type, but `interval`."""
    return not type_.known or (type_.dims == 0 and family(type_) is Family.DATETIME and type_.base != "interval")


_STRINGS = frozenset({Family.TEXT, Family.UUID, Family.DATETIME, Family.NETWORK, Family.JSON, Family.ENUM})


def _kind_fits(type_: Type, value: nodes.Literal) -> bool:
    if type_.dims:
        return False
    kind = family(type_)
    match value:
        case nodes.Str():
            return kind in _STRINGS
        case nodes.Int() | nodes.Decimal():
            return kind is Family.NUMBER
        case nodes.Bool():
            return kind is Family.BOOLEAN
        case nodes.Now():
            return takes_now(type_)
        case nodes.Duration():
            return False
        case _:
            assert_never(value)


def _expected(type_: Type) -> str:
    if type_.dims:
        return ", which takes `raw` defaults only"
    match family(type_):
        case Family.TEXT | Family.UUID | Family.NETWORK | Family.JSON:
            return ", which takes a string"
        case Family.DATETIME:
            return ", which takes a string" + ("" if type_.base == "interval" else " or `now()`")
        case Family.NUMBER:
            return ", which takes a whole number"
        case Family.BOOLEAN:
            return ", which takes `true` or `false`"
        case Family.ENUM:
            return ", which takes one of its labels"
        case _:
            return ", which takes `raw` defaults only"


def _text(type_: Type, labels: Collection[str] | None, text: str) -> str:
    if "\0" in text:
        return "holds a NUL character"
    if not type_.base and not type_.dims:
        return "" if labels is None or text in labels else f"is no label of `{spelled(type_)}`"
    if type_.base in ("text", "varchar") and not type_.dims and (not type_.params or len(text) <= type_.params[0]):
        return ""
    from atl.schema.text_forms import may_be

    if may_be(type_, text):
        return ""
    if type_.base in ("varchar", "char") and not type_.dims:
        return f"has {len(text)} characters, which is more than {type_.params[0]}"
    return f"is no text of a `{spelled(type_)}`"


def _integer(type_: Type, value: int) -> str:
    if type_.dims:
        return f"is no value of `{spelled(type_)}`"
    span = integer_range(type_)
    if span is not None:
        return "" if span[0] <= value <= span[1] else f"is not between {span[0]} and {span[1]}"
    kind = family(type_)
    if kind is Family.TEXT:
        return _spelled_out(type_, str(value) if -(10**30) < value < 10**30 else "9" * 31)
    if type_.base == "numeric":
        whole = type_.params[0] - type_.params[1]
        return "" if abs(value) < 10 ** max(whole, 0) else f"has more than {max(whole, 0)} digits before the point"
    if type_.base in _FLOAT_LIMITS:
        return "" if abs(value) < _FLOAT_LIMITS[type_.base] else f"is out of the range of `{type_.base}`"
    if kind is Family.MONEY:
        return "" if abs(value) <= 92_233_720_368_547_758 else "is out of the range of `money`"
    return f"is no value of `{spelled(type_)}`"


# The least whole numbers that round to infinity: half a unit above FLT_MAX and DBL_MAX.
_FLOAT_LIMITS = {"real": (1 << 128) - (1 << 103), "double": (1 << 1024) - (1 << 970)}


def _boolean(type_: Type, value: bool) -> str:
    if type_.dims == 0:
        kind = family(type_)
        if kind is Family.BOOLEAN:
            return ""
        if kind is Family.TEXT:
            return _spelled_out(type_, "true" if value else "false")
    return f"is no value of `{spelled(type_)}`"


def _spelled_out(type_: Type, text: str) -> str:
    """A number or boolean that goes into text is written out first, and must have room."""
    room = type_.params[0] if type_.params else len(text)
    return "" if len(text) <= room else f"has {len(text)} characters, which is more than {room}"
