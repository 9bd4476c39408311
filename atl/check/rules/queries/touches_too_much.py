"""`touches` names an entity that the SQL does not use.

## Why

Whatever is in `touches` empties caches and locks plans for its entity. A name that has become unnecessary makes the
block look as if it depended on more than it does.

## Example

```atl
entity Song in tunes {
  id bigint primary
}

entity Album in tunes {
  id bigint primary
}

query AllSongs for Song {
  input { }
  output { id: bigint }
  sql touches(Song, Album) { SELECT id FROM tunes.song }
}
```

## Fix

```atl
entity Song in tunes {
  id bigint primary
}

entity Album in tunes {
  id bigint primary
}

query AllSongs for Song {
  input { }
  output { id: bigint }
  sql touches(Song) { SELECT id FROM tunes.song }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import remove_item
from atl.check.sql import block, identity, touched
from atl.findings import Finding
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n


def check(sql: n.Sql, ctx: Context) -> Iterator[Finding]:
    read = block(sql, ctx)
    named = touched(sql, ctx)
    if len(named) < 2 or not read.clear or not read.tables or any(entity is None for _, entity in named):
        return
    used = {identity(e.symbol) for table in read.tables for e in table.entities if isinstance(e.symbol, EntitySymbol)}
    used.add(_owner(ctx))
    for at, (ref, entity) in enumerate(named):
        if entity is None or identity(entity) in used:
            continue
        used.add(identity(entity))  # a second mention is reported as that
        yield ctx.finding(
            "ATL616",
            ref,
            f"the SQL does not use the table of `{identity(entity)}`",
            help="remove it from `touches`",
            fixes=[ctx.fix("remove it from `touches`", *remove_item(ctx, sql.touches, at))],
        )


def _owner(ctx: Context) -> str:
    """A query's owner belongs into `touches` in any case."""
    owner = ctx.decl.owner if isinstance(ctx.decl, n.QueryDecl) else None
    if owner is None:
        return ""
    entity = ctx.scope.entity(None if owner.namespace is None else owner.namespace.text, owner.name.text)
    return "" if entity is None else identity(entity)
