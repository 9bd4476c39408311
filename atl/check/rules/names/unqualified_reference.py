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
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n

# So many candidates are named.
_SHOWN = 4


def check(clause: n.References, ctx: Context) -> Iterator[Finding]:
    if len(clause.path) != 2 or type(ctx.decl) is not n.EntityDecl:
        return
    first, last = clause.path
    written = f"{first.text}.{last.text}"
    whole = ctx.at(first.start, last.end)
    entity = ctx.scope.entity(first.text, last.text)
    if entity is not None:
        # The namespace is there, and it is the field that lacks.
        key = entity.key[0] if len(entity.key) == 1 else None
        fix = [ctx.fix(f"reference `{key}`", (ctx.insertion(last.end), f".{key}"))] if key is not None else []
        message, help = f"the reference `{written}` lacks its field", f"write `{written}.{key or 'field'}`"
        yield ctx.finding("ATL112", whole, message, help=help, fixes=fix)
        return
    candidates = ctx.scope.entity_candidates(None, first.text)[:_SHOWN]
    paths = [f"`{found.symbol.namespace}.{written}`" for found in candidates]
    fixes: list[Fix] = []
    if len(candidates) == 1:
        target = candidates[0].symbol
        if type(target) is EntitySymbol and target.field(last.text) is not None:
            title = f"write the namespace `{target.namespace}`"
            fixes.append(ctx.fix(title, (ctx.insertion(first.start), f"{target.namespace}.")))
    yield ctx.finding(
        "ATL112",
        whole,
        f"the reference `{written}` lacks its namespace",
        labels=[(found.place, f"in namespace `{found.symbol.namespace}`") for found in candidates],
        help="write " + (" or ".join(paths) if paths else f"`namespace.{written}`"),
        fixes=fixes,
    )
