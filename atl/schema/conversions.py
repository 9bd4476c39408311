"""Pairs of types: what PostgreSQL compares, assigns and lets reference each other.

The tables are those of `pg_cast`, `pg_operator` and `pg_opfamily`, the same in PostgreSQL 14 to 18; a test compares
them with a server. Where a type is not known every answer is the one that leads to no finding. An enum's type is taken
to exist: who asks has looked it up.
"""

from __future__ import annotations

from atl.schema.types import Family, Type, family, has_equality, integer_range

__all__ = ["assignable", "can_reference", "comparable", "may_not_fit"]

_NUMBERS = frozenset({"smallint", "int", "bigint", "real", "double", "numeric"})
_INTEGERS = frozenset({"smallint", "int", "bigint"})
_DAYS = frozenset({"date", "timestamp", "timestamptz"})
_TEXTS = frozenset({"varchar", "char", "text", "citext", "name"})

# Groups of types that have `=` with each other, by implicit casts.
_COMPARED: tuple[frozenset[str], ...] = (
    _NUMBERS,
    _TEXTS,
    _DAYS,
    frozenset({"time", "timetz"}),
    frozenset({"time", "interval"}),
    frozenset({"inet", "cidr"}),
    frozenset({"bit", "varbit"}),
)

# column -> what it may reference besides its own type: the target's operator family must take the column's type, or
# an implicit cast must lead there.
_REFERENCES: dict[str, frozenset[str]] = {
    "smallint": _NUMBERS,
    "int": _NUMBERS,
    "bigint": _NUMBERS,
    "real": frozenset({"real", "double"}),
    "double": frozenset({"real", "double"}),
    "numeric": frozenset({"real", "double", "numeric"}),
    "varchar": _TEXTS - {"citext"},
    "char": _TEXTS - {"citext"},
    "text": _TEXTS - {"citext"},
    "citext": frozenset({"varchar", "text", "citext"}),
    "name": frozenset({"varchar", "text", "name"}),
    "date": _DAYS,
    "timestamp": _DAYS,
    "timestamptz": _DAYS,
    "time": frozenset({"time", "timetz", "interval"}),
    "inet": frozenset({"inet", "cidr"}),
    "cidr": frozenset({"inet", "cidr"}),
    "macaddr": frozenset({"macaddr", "macaddr8"}),
    "macaddr8": frozenset({"macaddr", "macaddr8"}),
    "bit": frozenset({"bit", "varbit"}),
    "varbit": frozenset({"bit", "varbit"}),
}

# source -> what it may be assigned to besides its own type. Into text PostgreSQL assigns everything; here only text.
_ASSIGNED: dict[str, frozenset[str]] = {
    "smallint": _NUMBERS,
    "int": _NUMBERS | {"money"},
    "bigint": _NUMBERS | {"money"},
    "real": _NUMBERS,
    "double": _NUMBERS,
    "numeric": _NUMBERS | {"money"},
    "money": frozenset({"numeric"}),
    **dict.fromkeys(_TEXTS, _TEXTS),
    "json": frozenset({"jsonb"}),
    "jsonb": frozenset({"json"}),
    "timestamptz": frozenset({"timestamp", "date", "time", "timetz"}),
    "timestamp": frozenset({"timestamptz", "date", "time"}),
    "date": frozenset({"timestamptz", "timestamp"}),
    "time": frozenset({"timetz", "interval"}),
    "timetz": frozenset({"time"}),
    "interval": frozenset({"time"}),
    "inet": frozenset({"cidr"}),
    "cidr": frozenset({"inet"}),
    "macaddr": frozenset({"macaddr8"}),
    "macaddr8": frozenset({"macaddr"}),
    "bit": frozenset({"varbit"}),
    "varbit": frozenset({"bit"}),
    "point": frozenset({"box"}),
    "box": frozenset({"polygon"}),
    "path": frozenset({"polygon"}),
    "polygon": frozenset({"path"}),
}

# Decimal digits of a whole number's greatest value.
_DIGITS = {"smallint": 5, "int": 10, "bigint": 19}
# Exponents of the greatest values of IEEE 754 single and double precision.
_EXPONENTS = {"real": 38, "double": 308}
# money is 64 bits with two digits behind the point: at most 92233720368547758.07.
_MONEY_DIGITS, _MONEY_SCALE = 17, 2
_NAME_BYTES = 63


def comparable(a: Type, b: Type) -> bool:
    """Whether PostgreSQL has an equality operator for the two, by implicit casts at most (ATL206)."""
    if not a.known or not b.known:
        return True
    if a.dims != b.dims or not has_equality(a) or not has_equality(b):
        return False
    if not a.base or not b.base:
        return a.base == b.base and a.enum == b.enum
    if a.base == b.base:
        return True
    # `text[] = varchar[]` is no operator: both sides of `anyarray` are of one type.
    return a.dims == 0 and any(a.base in group and b.base in group for group in _COMPARED)


def can_reference(column: Type, target: Type) -> bool:
    """Whether PostgreSQL takes a foreign key from `column` to `target`. Narrower than `comparable`, and not symmetric:
    `numeric` may not reference `int`, whose index does not know it."""
    if not column.known or not target.known:
        return True
    if column.dims != target.dims or not has_equality(column) or not has_equality(target):
        return False
    if not column.base or not target.base:
        return column.base == target.base and column.enum == target.enum
    if column.base == target.base:
        return True
    return column.dims == 0 and target.base in _REFERENCES.get(column.base, ())


def assignable(source: Type, target: Type) -> bool:
    """Whether a parameter or column of type `source` may be put into `target` (ATL205, ATL455): PostgreSQL's
    assignment casts, but into text only from text. False also where every value is refused: `bit(4)` into `bit(8)`."""
    if not source.known or not target.known:
        return True
    if source.dims != target.dims:
        # pgvector assigns arrays of numbers to vectors and back to []real.
        if source.dims == 1:
            return target.base == "vector" and source.base in {"int", "real", "double", "numeric"}
        return source.base == "vector" and target.base == "real"
    if not source.base or not target.base:
        return source.base == target.base and source.enum == target.enum
    if source.base == target.base == "vector":
        return source.params == target.params
    if source.base == "bit" and target.base in {"bit", "varbit"}:
        room = target.params[0] if target.params else source.params[0]
        return source.params[0] == room or (target.base == "varbit" and source.params[0] < room)
    return source.base == target.base or target.base in _ASSIGNED.get(source.base, ())


def may_not_fit(source: Type, target: Type) -> bool:
    """Of two types that are `assignable`: whether some value of `source` is too wide for `target` (ATL207): too long,
    out of range, or with digits behind the point that are dropped."""
    if not source.known or not target.known or not source.base or not target.base:
        return False
    kind = family(target)
    if kind is Family.TEXT:
        return _longest(source) > _longest(target)
    if kind is Family.BIT:
        if target.base == "bit":
            return source.base == "varbit"
        return bool(target.params) and (not source.params or source.params[0] > target.params[0])
    if kind is not Family.NUMBER and kind is not Family.MONEY:
        return False
    if source.base in {"real", "double"}:
        return target.base not in {"real", "double"} or (source.base == "double" and target.base == "real")
    whole, fraction = _digits(source)
    if target.base in _EXPONENTS:
        return whole > _EXPONENTS[target.base]
    if source.base in _INTEGERS and target.base in _INTEGERS:
        return whole > _DIGITS[target.base]
    room, scale = _digits(target)
    if source.base in _INTEGERS or target.base in _INTEGERS or kind is Family.MONEY:
        return _greatest(source) > _greatest(target) or fraction > scale
    return whole > room or fraction > scale


def _longest(type_: Type) -> int:
    """Characters (of `name`: bytes) of the longest text."""
    if type_.base == "name":
        return _NAME_BYTES
    return type_.params[0] if type_.params else 1 << 30


def _digits(type_: Type) -> tuple[int, int]:
    """Digits before and behind the point."""
    if type_.base == "numeric":
        precision, scale = type_.params
        return max(precision - scale, 0), scale
    if type_.base == "money":
        return _MONEY_DIGITS, _MONEY_SCALE
    return _DIGITS[type_.base], 0


def _greatest(type_: Type) -> int:
    """The greatest whole number of the type."""
    span = integer_range(type_._replace(dims=0))
    if span is not None:
        return span[1]
    if type_.base == "money":
        return 92_233_720_368_547_758
    whole: int = 10 ** _digits(type_)[0]
    return whole - 1
