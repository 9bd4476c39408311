"""`references` names its target without the namespace.

## Why

A reference is always `namespace.Entity.field`, also inside its own namespace: a foreign key must not change its
meaning when an entity of the same name is declared somewhere else.

## Example

```atl
entity Album in music {
  id     bigint primary
  artist bigint not null references Artist.id
}

entity Artist in music {
  id bigint primary
}
```

## Fix

Write the namespace.

```atl
entity Album in music {
  id     bigint primary
  artist bigint not null references music.Artist.id
}

entity Artist in music {
  id bigint primary
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding, Fix
from atl.syntax import nodes as n


def check(clause: n.References, ctx: Context) -> Iterator[Finding]:
    if len(clause.path) != 2 or type(ctx.decl) is not n.EntityDecl:
        return
    entity, field = clause.path
    written = f"{entity.text}.{field.text}"
    candidates = ctx.scope.entity_candidates(None, entity.text)
    fixes: list[Fix] = []
    help = f"write `namespace.{written}`"
    if len(candidates) == 1:
        namespace = candidates[0].symbol.namespace
        help = f"write `{namespace}.{written}`"
        fixes.append(ctx.fix(f"write the namespace `{namespace}`", (ctx.insertion(entity.start), f"{namespace}.")))
    elif candidates:
        help = "write " + " or ".join(f"`{found.symbol.namespace}.{written}`" for found in candidates)
    yield ctx.finding(
        "ATL112",
        ctx.at(entity.start, field.end),
        f"the reference `{written}` lacks its namespace",
        labels=[(found.place, f"in namespace `{found.symbol.namespace}`") for found in candidates],
        help=help,
        fixes=fixes,
    )
