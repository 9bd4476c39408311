"""What a change of type is: wider, narrower, another one, another shape; and whether it loses values silently.

Casts are those of `pg_cast` in PostgreSQL 14 to 18, by the names of `.atl`; text goes to and from every type by its
input and output functions.
"""

from __future__ import annotations

from typing import NamedTuple

from atl.diff.model import Class, Hazard
from atl.schema.symbols import Type

__all__ = ["TypeChange", "type_change"]

_TEXT = {"text", "varchar", "char", "citext", "name"}
_INTEGERS = ("smallint", "int", "bigint")

# Digits that a binary fraction keeps exactly: FLT_DIG and DBL_DIG of IEEE 754.
_EXACT_DIGITS = {"real": 6, "double": 15}
_INTEGER_DIGITS = {"smallint": 5, "int": 10, "bigint": 19}

# source -> targets, between types of the same family or across, by assignment or explicit cast.
_CASTS: dict[str, set[str]] = {
    "smallint": {"int", "bigint", "numeric", "real", "double"},
    "int": {"smallint", "bigint", "numeric", "real", "double", "boolean", "money"},
    "bigint": {"smallint", "int", "numeric", "real", "double", "money"},
    "real": {"smallint", "int", "bigint", "numeric", "double"},
    "double": {"smallint", "int", "bigint", "numeric", "real"},
    "numeric": {"smallint", "int", "bigint", "real", "double", "money"},
    "money": {"numeric"},
    "boolean": {"int"},
    "date": {"timestamp", "timestamptz"},
    "timestamp": {"date", "time", "timestamptz"},
    "timestamptz": {"date", "time", "timetz", "timestamp"},
    "time": {"timetz", "interval"},
    "timetz": {"time"},
    "interval": {"time"},
    "inet": {"cidr"},
    "cidr": {"inet"},
    "macaddr": {"macaddr8"},
    "macaddr8": {"macaddr"},
    "json": {"jsonb"},
    "jsonb": {"json", "boolean", "smallint", "int", "bigint", "numeric", "real", "double"},
    "box": {"circle", "lseg", "point", "polygon"},
    "circle": {"box", "point", "polygon"},
    "lseg": {"point"},
    "path": {"polygon"},
    "point": {"box"},
    "polygon": {"box", "circle", "path", "point"},
    "bit": {"varbit"},
    "varbit": {"bit"},
}

# Casts that turn different values into one, or drop a part of them, without an error.
_LOSSY: set[tuple[str, str]] = {
    *((source, target) for source in ("numeric", "double", "real") for target in _INTEGERS),
    ("double", "real"),
    ("numeric", "money"),
    ("int", "boolean"),
    ("timestamp", "date"),
    ("timestamptz", "date"),
    ("timestamp", "time"),
    ("timestamptz", "time"),
    ("timestamptz", "timetz"),
    ("timetz", "time"),
    ("interval", "time"),
    ("inet", "cidr"),
    ("jsonb", "smallint"),
    ("jsonb", "int"),
    ("jsonb", "bigint"),
    ("jsonb", "real"),
    *((source, "name") for source in ("text", "varchar", "citext")),
    *((source, "point") for source in ("box", "circle", "lseg", "polygon")),
    ("box", "circle"),
    ("box", "lseg"),
    ("circle", "box"),
    ("circle", "polygon"),
    ("polygon", "box"),
    ("polygon", "circle"),
}


class TypeChange(NamedTuple):
    """kind: `widened`, `narrowed`, `scale_reduced`, `changed` or `shape_changed`. manual: no SQL does it safely.
    reason: why, in a few words."""

    kind: str
    cls: Class
    hazards: tuple[Hazard, ...] = ()
    manual: bool = False
    reason: str = ""


_REWRITE = Hazard.REWRITES_TABLE
_CLIENTS = Hazard.CLIENTS_CHANGE
_FAIL = Hazard.MAY_FAIL_ON_DATA
_LOSS = Hazard.LOSES_DATA
_SCAN = Hazard.SCANS_TABLE
_BITS = "a bit string has one length, and PostgreSQL pads or cuts the others"


def type_change(old: Type, new: Type) -> TypeChange:
    """What becomes of a column whose type goes from `old` to `new`, which differ."""
    if old.dims != new.dims:
        return TypeChange(
            "shape_changed", Class.CROSS_CALLER_BREAKING, (_CLIENTS,), True, "an array is no single value"
        )
    if old.base == new.base == "vector":
        return TypeChange("shape_changed", Class.CROSS_CALLER_BREAKING, (_CLIENTS,), True, "vectors of another size")
    change = _scalar(old, new)
    if old.dims and _REWRITE not in change.hazards and not change.manual:
        # The element's type is stored inside each array, so PostgreSQL builds every value anew.
        return change._replace(hazards=(_REWRITE, *change.hazards))
    return change


def _scalar(old: Type, new: Type) -> TypeChange:
    a, b = old.base, new.base
    if not a and not b:
        return _changed("each label must exist in the other enum", _REWRITE, _FAIL, _CLIENTS)
    if a == b:
        return _same_base(a, old.params, new.params)
    if a in _INTEGERS and b in _INTEGERS:
        if _INTEGERS.index(a) < _INTEGERS.index(b):
            return _widened(_REWRITE, _CLIENTS)
        return _narrowed("a number that is too large for it is refused", _REWRITE, _CLIENTS)
    if a in ("varchar", "char", "text") and b in ("varchar", "char", "text"):
        return _text_to_text(old, new)
    if a == "citext" and b == "text":
        return _widened()
    if a == "text" and b == "citext":
        return _changed("values that differ only in case become equal", _FAIL)
    if not a and b in _TEXT:
        return _widened(_REWRITE, _CLIENTS) if b == "text" else _changed("labels become plain text", _REWRITE, _CLIENTS)
    if a == "varbit" and b == "bit":
        return TypeChange("changed", Class.BACKFILL_REQUIRED, (), True, _BITS)
    return _other_type(old, new)


def _same_base(base: str, old: tuple[int, ...], new: tuple[int, ...]) -> TypeChange:
    match base:
        case "numeric":
            digits_old, digits_new = old[0] - old[1], new[0] - new[1]
            if new[1] < old[1]:
                return TypeChange(
                    "scale_reduced",
                    Class.DESTRUCTIVE,
                    (_LOSS, _REWRITE, *((_FAIL,) if digits_new <= digits_old else ())),  # 9.95 is rounded up to 10.0
                    reason="digits behind the point are rounded away without an error",
                )
            if digits_new < digits_old:
                return _narrowed("a number with more digits is refused", _REWRITE)
            return _widened(_REWRITE) if new[1] > old[1] else _widened()
        case "varchar":
            if not new or (old and new[0] > old[0]):
                return _widened()
            return _narrowed("a longer value is refused, not cut", _REWRITE, _SCAN)
        case "char":
            if new[0] > old[0]:
                return _widened(_REWRITE)
            return _narrowed("a longer value is refused, not cut", _REWRITE)
        case "varbit":
            if not new or (old and new[0] > old[0]):
                return _widened()
            return _narrowed("a longer value is refused", _REWRITE)
        case "bit":
            return TypeChange("changed", Class.BACKFILL_REQUIRED, (), True, _BITS)
        case _:
            return _changed("another type", _REWRITE, _CLIENTS)


def _text_to_text(old: Type, new: Type) -> TypeChange:
    """Between varchar, char and text. Only `char` is stored in another way (padded); a lower limit is applied to every
    value, and so to every row anew."""
    limit_old = old.params[0] if old.params else None
    limit_new = new.params[0] if new.params else None
    rewrite = (_REWRITE,) if "char" in (old.base, new.base) else ()
    if limit_new is None or (limit_old is not None and limit_new >= limit_old):
        return _widened(*rewrite)
    return _narrowed("a longer value is refused, not cut", _REWRITE, _SCAN)


def _other_type(old: Type, new: Type) -> TypeChange:
    a, b = old.base, new.base
    if not (a in _TEXT or b in _TEXT or b in _CASTS.get(a, ())):
        return TypeChange(
            "changed", Class.BACKFILL_REQUIRED, (_CLIENTS,), True, "PostgreSQL has no cast between the two types"
        )
    if (a, b) in _LOSSY or _digits_lost(old, new):
        refuses = b in (*_INTEGERS, "numeric") or (a, b) == ("double", "real") or a == "jsonb"
        hazards = (_REWRITE, _LOSS, *((_FAIL,) if refuses else ()), _CLIENTS)
        return TypeChange("changed", Class.DESTRUCTIVE, hazards, reason="the cast drops part of a value silently")
    return _changed("every value is converted", _REWRITE, _FAIL, _CLIENTS)


def _digits_lost(old: Type, new: Type) -> bool:
    """Whether a number may not come back from the binary fraction that it is cast to, or is rounded to the scale."""
    if new.base == "numeric":
        # A sum of money has two digits behind the point in most settings of `lc_monetary`.
        return old.base in ("real", "double", "jsonb") or (old.base == "money" and new.params[1] < 2)
    exact = _EXACT_DIGITS.get(new.base)
    if exact is None:
        return False
    digits = old.params[0] if old.base == "numeric" and old.params else _INTEGER_DIGITS.get(old.base, 0)
    return digits > exact or (old.base == "jsonb")


def _widened(*hazards: Hazard) -> TypeChange:
    return TypeChange("widened", Class.ADDITIVE, hazards, reason="every value stays as it is")


def _narrowed(reason: str, *hazards: Hazard) -> TypeChange:
    return TypeChange("narrowed", Class.BACKFILL_REQUIRED, (*hazards, _FAIL), reason=reason)


def _changed(reason: str, *hazards: Hazard) -> TypeChange:
    return TypeChange("changed", Class.BACKFILL_REQUIRED, hazards, reason=reason)
