"""`soft_delete` names a field that is not a nullable `timestamptz`.

## Why

A row counts as deleted from the moment that stands in the field, and as alive while the field is null. So the field
holds a moment, and can be null.

## Example

```atl
entity Plant in nursery {
  id      bigint primary
  gone_at timestamptz not null
  soft_delete by gone_at
}
```

## Fix

Use a `timestamptz` without `not null`.

```atl
entity Plant in nursery {
  id      bigint primary
  gone_at timestamptz
  soft_delete by gone_at
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, field_symbols, known_field
from atl.check.mending import Change, indentation, newline, remove_modifier, starts_line
from atl.findings import Finding
from atl.schema.types import Type, spelled
from atl.syntax import nodes as n

_MOMENT = Type("timestamptz")


def check(clause: n.FieldClause, ctx: Context) -> Iterator[Finding]:
    if clause.word != "soft_delete" or (symbol := known_field(ctx, clause.field)) is None:
        return
    field = field_nodes(ctx)[symbol.name]
    name = symbol.name
    if symbol.type == _MOMENT and not symbol.not_null:
        return
    if symbol.type == _MOMENT and not symbol.primary:
        flags = [m for m in field.modifiers if type(m) is n.Flag and m.word == "not null"]
        yield ctx.finding(
            "ATL310",
            clause.field,
            f"`{name}` is `not null`, so every row would count as deleted",
            labels=[(flag, "cannot be null") for flag in flags],
            help=f"remove `not null` from `{name}`",
            fixes=[ctx.fix(f"let `{name}` be null", *(remove_modifier(ctx, flag) for flag in flags))],
        )
        return
    what = "the key" if symbol.type == _MOMENT else f"`{spelled(symbol.type)}`"
    fresh = _fresh_name(ctx)
    yield ctx.finding(
        "ATL310",
        clause.field,
        f"`{name}` is {what}, and `soft_delete` needs a `timestamptz` that can be null",
        labels=[(field.type or field.name, what)],
        help=f"add a field `{fresh} timestamptz`, or change the type of `{name}`",
        fixes=[ctx.fix(f"use a field `{fresh}`", _with_field(ctx, clause, fresh))],
    )


def _fresh_name(ctx: Context) -> str:
    """A field that suits already, or a name for a new one. The named field itself stays: it may hold data."""
    symbols = field_symbols(ctx)
    for at in range(len(symbols) + 1):
        name = f"deleted_at_{at + 1}" if at else "deleted_at"
        there = symbols.get(name)
        if there is None or (there.type == _MOMENT and not there.not_null):
            return name
    raise AssertionError("one of n + 1 names is free")


def _with_field(ctx: Context, clause: n.FieldClause, name: str) -> Change:
    written = f"soft_delete by {name}"
    if name not in field_symbols(ctx):
        text = ctx.unit.chunk.text
        separator = "  "
        if starts_line(text, clause.start):
            separator = newline(ctx) + indentation(text, clause.start)
        written = f"{name} timestamptz{separator}{written}"
    return ctx.place(clause), written
