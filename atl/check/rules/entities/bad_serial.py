"""`serial` or `identity` stands on a type that has no such numbers, or beside something else that fills the field.

## Why

`serial` fills a `bigint` or `int` from a sequence, `identity` any whole number by a rule of the column. PostgreSQL
takes neither on another type, and neither together with a `default` or with each other.

## Example

```atl
entity Ticket in kiosk {
  id   bigint primary
  code text serial not null
}
```

## Fix

Use a whole-number type, and one way to fill the field.

```atl
entity Ticket in kiosk {
  id   bigint primary
  code bigint serial not null
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_symbols, settled
from atl.check.mending import remove_modifier
from atl.findings import Finding
from atl.schema.types import Type, spelled
from atl.syntax import nodes as n

_FITTING = {"serial": ("int", "bigint"), "identity": ("smallint", "int", "bigint")}


def check(entity: n.EntityDecl, ctx: Context) -> Iterator[Finding]:
    for field in entity.members:
        if type(field) is n.Field and field.modifiers and (flag := _generated(field)) is not None:
            symbol = field_symbols(ctx).get(field.name.text)
            fits = symbol is None or not settled(ctx, symbol.type) or _fits(flag.word, symbol.type)
            if symbol is not None and not fits:
                yield _misplaced(field, flag, symbol.type, ctx)
            else:
                yield from _clash(field, flag, ctx)


def _generated(field: n.Field) -> n.Flag | None:
    return field.flag("serial") or field.flag("identity")


def _fits(word: str, type_: Type) -> bool:
    return type_.dims == 0 and type_.base in _FITTING[word]


def _misplaced(field: n.Field, flag: n.Flag, type_: Type, ctx: Context) -> Finding:
    takes = " or ".join(f"`{name}`" for name in _FITTING[flag.word])
    better = "int" if type_.base == "smallint" and not type_.dims else "bigint"
    assert field.type is not None
    fillers = [m for m in field.modifiers if type(m) is n.Default or (type(m) is n.Flag and m.word in _FITTING)]
    others = [remove_modifier(ctx, m) for m in fillers if m is not flag]
    return ctx.finding(
        "ATL306",
        flag,
        f"`{flag.word}` is for {takes}, and `{field.name.text}` is `{spelled(type_)}`",
        labels=[(field.type, "this type")],
        help=f"make the field `{better}`, or remove `{flag.word}`",
        fixes=[ctx.fix(f"make `{field.name.text}` `{better}`", (field.type, better), *others, safe=False)],
    )


def _clash(field: n.Field, flag: n.Flag, ctx: Context) -> Iterator[Finding]:
    other: n.Flag | n.Default | None = field.flag("identity") if flag.word == "serial" else None
    other = other or field.default
    if other is None:
        return
    word = other.word if type(other) is n.Flag else "default"
    later, earlier = (other, flag) if other.start > flag.start else (flag, other)
    first = word if earlier is other else flag.word
    yield ctx.finding(
        "ATL306",
        later,
        f"`{flag.word}` and `{word}` cannot both fill `{field.name.text}`",
        labels=[(earlier, f"`{first}` here")],
        help="remove one of the two",
        fixes=[ctx.fix(f"remove the `{word}`", remove_modifier(ctx, other), safe=False)],
    )
