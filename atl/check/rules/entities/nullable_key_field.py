"""A field of `primary by` can be null.

## Why

Every column of a primary key is `not null` in PostgreSQL. Saying so at the field keeps the declaration, the generated
types and the table alike.

## Example

```atl
entity Quote in feed {
  symbol text not null
  at     timestamptz
  primary by symbol, at
}
```

## Fix

Make the field `not null`.

```atl
entity Quote in feed {
  symbol text not null
  at     timestamptz not null
  primary by symbol, at
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, field_symbols
from atl.check.mending import add_modifier
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.PrimaryBy, ctx: Context) -> Iterator[Finding]:
    if ctx.decl.lost:
        return
    for name in clause.fields:
        symbol, field = field_symbols(ctx).get(name.text), field_nodes(ctx).get(name.text)
        if symbol is None or field is None or symbol.not_null or field.type is None:
            continue
        yield ctx.finding(
            "ATL305",
            name,
            f"`{name.text}` is part of the key, but can be null",
            primary="part of the key",
            labels=[(field.name, "can be null")],
            help=f"make `{name.text}` `not null`",
            fixes=[ctx.fix(f"make `{name.text}` `not null`", add_modifier(ctx, field, "not null"))],
        )
