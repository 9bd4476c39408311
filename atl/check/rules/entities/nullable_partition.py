"""The field that rows are partitioned by can be null.

## Why

`partition by` shows each tenant its own rows: a policy of the database compares the field with the tenant. A row whose
field is null belongs to no one, and nobody could read or delete it.

## Example

```atl
entity Order in bistro {
  id     bigint primary
  tenant uuid
  partition by tenant
}
```

## Fix

Make the field `not null`.

```atl
entity Order in bistro {
  id     bigint primary
  tenant uuid not null
  partition by tenant
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


def check(clause: n.FieldClause, ctx: Context) -> Iterator[Finding]:
    if clause.word != "partition" or ctx.decl.lost:
        return
    symbol, field = field_symbols(ctx).get(clause.field.text), field_nodes(ctx).get(clause.field.text)
    if symbol is None or field is None or field.type is None or symbol.not_null or symbol.name in ctx.entity.key:
        # A nullable field of the key is ATL305's.
        return
    yield ctx.finding(
        "ATL312",
        clause.field,
        f"rows are partitioned by `{symbol.name}`, but it can be null",
        labels=[(field.name, "can be null")],
        help=f"make `{symbol.name}` `not null`",
        fixes=[ctx.fix(f"make `{symbol.name}` `not null`", add_modifier(ctx, field, "not null"))],
    )
