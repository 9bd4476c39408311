"""A field has two checks.

## Why

A field takes one `check`. A second condition belongs to the entity, where it can name several fields, or into the same
expression with `and`.

## Example

```atl
entity Battery in store {
  id    bigint primary
  volts int not null check "volts > 0" check "volts < 1000"
}
```

## Fix

Move the second one to a line of its own, level with the field's name.

```atl
entity Battery in store {
  id    bigint primary
  volts int not null check "volts > 0"
  check "volts < 1000"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_of
from atl.check.mending import add_member_after, remove_modifier
from atl.findings import Finding, Fix
from atl.syntax import nodes as n
from atl.syntax.strings import requote


def check(second: n.FieldCheck, ctx: Context) -> Iterator[Finding]:
    field = field_of(second, ctx)
    first = next(modifier for modifier in field.modifiers if type(modifier) is n.FieldCheck)
    if first is second:
        return
    stored = type(ctx.decl) is n.EntityDecl
    yield ctx.finding(
        "ATL321",
        second,
        f"`{field.name.text}` has a check already",
        primary="a second check",
        labels=[(first, "the first check")],
        help="move it to the entity, on a line of its own" if stored else "join the two with `and`",
        fixes=[_move(field, second, ctx) if stored else _join(first, second, ctx)],
    )


def _move(field: n.Field, second: n.FieldCheck, ctx: Context) -> Fix:
    words = ctx.source(second.start, second.end)
    place, text = add_member_after(ctx, field, words)
    cut, blank = remove_modifier(ctx, second)
    if place.start <= cut.end and cut.start <= place.start:
        # The two meet at the field's end: one edit.
        start = min(cut.start, place.start)
        return ctx.fix("move the check to the entity", (ctx.at(start, max(cut.end, place.end)), blank + text))
    return ctx.fix("move the check to the entity", (cut, blank), (place, text))


def _join(first: n.FieldCheck, second: n.FieldCheck, ctx: Context) -> Fix:
    sources = [ctx.source(each.sql.start, each.sql.end) for each in (first, second)]
    one, other = ((token if token[0] == '"' else requote(token))[1:-1] for token in sources)
    joined = f'"({one}) and ({other})"'
    return ctx.fix("join the two checks with `and`", (first.sql, joined), remove_modifier(ctx, second))
