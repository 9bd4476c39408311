"""Values for arguments that a fix gives."""

from __future__ import annotations

from atl.check.context import Context
from atl.check.enums import labels_of
from atl.check.fields import settled
from atl.check.values import parameters
from atl.check.wording import string
from atl.schema.conversions import assignable, may_not_fit
from atl.schema.symbols import FieldSymbol

__all__ = ["filler"]

# A literal of each type that is a value of it. Types with parameters are made below.
_FILLERS = {
    **dict.fromkeys(("smallint", "int", "bigint", "real", "double", "numeric", "money"), "0"),
    **dict.fromkeys(("varchar", "char", "text", "citext", "name", "bytea", "varbit", "tsvector", "tsquery"), '""'),
    **dict.fromkeys(("timestamptz", "timestamp", "date", "time", "timetz"), "now()"),
    **dict.fromkeys(("int4range", "int8range", "numrange", "tsrange", "tstzrange", "daterange"), '"empty"'),
    "boolean": "false",
    "uuid": '"00000000-0000-0000-0000-000000000000"',
    "interval": '"0 seconds"',
    "json": '"{}"',
    "jsonb": '"{}"',
    "xml": '"<x/>"',
    "inet": '"0.0.0.0"',
    "cidr": '"0.0.0.0/0"',
    "macaddr": '"00:00:00:00:00:00"',
    "macaddr8": '"00:00:00:00:00:00:00:00"',
    "point": '"(0,0)"',
    "line": '"{1,0,0}"',
    "lseg": '"((0,0),(1,1))"',
    "box": '"((0,0),(1,1))"',
    "path": '"((0,0),(1,1))"',
    "polygon": '"((0,0),(1,1))"',
    "circle": '"<(0,0),1>"',
}
# Longer ones would be no help to read.
_LONGEST_FILLER = 64


def filler(arg: FieldSymbol, ctx: Context) -> str | None:
    """What a fix gives an argument: the parameter of its name where that fits without a finding, else a literal of its
    type; None where there is no such literal."""
    known = parameters(ctx).get(arg.name)
    if not settled(ctx, arg.type):
        return f"${arg.name}" if known is not None else None
    if known is not None and not known[1] and settled(ctx, known[0].type):
        declared = known[0].type
        if assignable(declared, arg.type) and not may_not_fit(declared, arg.type):
            return f"${arg.name}"
    if arg.type.dims:
        return '"{}"'
    if not arg.type.base:
        labels = labels_of(arg.type, ctx)
        return string(labels[0]) if labels else None
    size = arg.type.params[0] if arg.type.params else 0
    if arg.type.base == "bit":
        return f'"{"0" * size}"' if size <= _LONGEST_FILLER else None
    if arg.type.base == "vector":
        return f'"[{",".join("0" * size)}]"' if size <= _LONGEST_FILLER else None
    return _FILLERS[arg.type.base]
