"""An entity has no key and does not say that it is `keyless`.

## Why

Reads, updates and deletes by key, caching and batched backfills all need one. An entity has exactly one `primary`
field, or a `primary by` over several, or says `keyless` and does without those.

## Example

```atl
entity Stamp in post {
  code text not null
}
```

## Fix

Mark the field that tells rows apart, or write `keyless`.

```atl
entity Stamp in post {
  code text primary
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_symbols, settled
from atl.check.mending import add_member, add_modifier
from atl.findings import Finding, Fix
from atl.schema.types import has_equality
from atl.syntax import nodes as n

_ID = "id bigint primary identity"


def check(entity: n.EntityDecl, ctx: Context) -> Iterator[Finding]:
    if entity.name is None or entity.lost:
        return
    cached = False
    for member in entity.members:
        match member:
            case n.Field():
                if member.modifiers and member.flag("primary") is not None:
                    return
            case n.PrimaryBy() | n.Keyless():
                return
            case n.Cache():
                cached = True
            case _:
                pass
    fixes = list(_fixes(entity, cached, ctx))
    yield ctx.finding(
        "ATL301",
        entity.name,
        f"`{entity.name.text}` has no key",
        help="mark a field `primary`, write `primary by` over several fields, or write `keyless`",
        fixes=fixes,
    )


def _fixes(entity: n.EntityDecl, cached: bool, ctx: Context) -> Iterator[Fix]:
    if (field := _key_like(entity, ctx)) is not None:
        title = f"make `{field.name.text}` the key"
        if (flag := field.flag("not null")) is not None:
            yield ctx.fix(title, (flag, "primary"), safe=False)
        else:
            yield ctx.fix(title, add_modifier(ctx, field, "primary"), safe=False)
    elif not entity.hyper and "id" not in field_symbols(ctx) and (change := add_member(ctx, _ID)) is not None:
        yield ctx.fix(f"add `{_ID}`", change, safe=False)
    if not cached and (change := add_member(ctx, "keyless")) is not None:
        yield ctx.fix("make it `keyless`", change, safe=False)


def _key_like(entity: n.EntityDecl, ctx: Context) -> n.Field | None:
    """The field most likely meant: one called `id`, else the first that is unique and not null, else one that is not
    null. In a hypertable that is the time field, without which there is no key."""
    fields = [member for member in entity.members if type(member) is n.Field and member.type is not None]
    if entity.hyper:
        return next((field for field in fields if entity.on is not None and field.name.text == entity.on.text), None)
    symbols = field_symbols(ctx)
    keys = [
        (field, symbol)
        for field in fields
        if settled(ctx, (symbol := symbols[field.name.text]).type) and has_equality(symbol.type)
    ]
    ranked = (
        [field for field, _ in keys if field.name.text == "id"]
        + [field for field, symbol in keys if symbol.unique and symbol.not_null]
        + [field for field, symbol in keys if symbol.not_null]
    )
    return ranked[0] if ranked else None
