"""A `backfill` stands on a field that can be null.

## Why

`backfill` fills the rows that exist when a column becomes `not null`. A field that can be null is added without
touching any row, so the expression is never used, and the rows stay null.

## Example

```atl
entity Course in school {
  id   bigint primary
  note text backfill "'none'"
}
```

## Fix

Make the field `not null`, or remove the `backfill`.

```atl
entity Course in school {
  id   bigint primary
  note text not null backfill "'none'"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_of, field_symbols
from atl.check.mending import remove_modifier
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.Backfill, ctx: Context) -> Iterator[Finding]:
    if type(ctx.decl) is not n.EntityDecl or ctx.decl.lost:
        return
    field = field_of(clause, ctx)
    name = field.name.text
    if next(m for m in field.modifiers if type(m) is n.Backfill) is not clause:
        return
    if field_symbols(ctx)[name].not_null or name in ctx.entity.key:
        # A nullable field of the key is ATL305's.
        return
    yield ctx.finding(
        "ATL329",
        clause,
        f"`{name}` can be null, so its `backfill` fills nothing",
        labels=[(field.name, "can be null")],
        help=f"make `{name}` `not null`, or remove the `backfill`",
        fixes=[ctx.fix("remove the `backfill`", remove_modifier(ctx, clause))],
    )
