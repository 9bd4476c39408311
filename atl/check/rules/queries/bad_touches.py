"""`touches` names no entity, or one of them twice.

## Why

`touches` is how the server knows what a block reads and writes: whose rows to filter, which caches to empty. An empty
list says nothing, and a name given twice says nothing new and hides a misspelling.

## Example

```atl
entity Court in tennis {
  id bigint primary
}

query CourtCount for Court {
  input { }
  output { n: bigint }
  sql touches(Court, tennis.Court) { SELECT count(*) AS n FROM tennis.court }
}
```

## Fix

```atl
entity Court in tennis {
  id bigint primary
}

query CourtCount for Court {
  input { }
  output { n: bigint }
  sql touches(Court) { SELECT count(*) AS n FROM tennis.court }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import remove_item
from atl.check.sql import add_touches, block, identity, spelling, touched
from atl.findings import Finding
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n


def check(sql: n.Sql, ctx: Context) -> Iterator[Finding]:
    if not sql.touches:
        yield _empty(sql, ctx)
    first: dict[str, n.Ref] = {}
    for at, (ref, entity) in enumerate(touched(sql, ctx)):
        if entity is None or (earlier := first.setdefault(identity(entity), ref)) is ref:
            continue
        yield ctx.finding(
            "ATL604",
            ref,
            f"`{identity(entity)}` is named twice in `touches`",
            labels=[(earlier, "named here already")],
            help="name it once",
            fixes=[ctx.fix("remove the second one", *remove_item(ctx, sql.touches, at))],
        )


def _empty(sql: n.Sql, ctx: Context) -> Finding:
    wanted = _wanted(sql, ctx)
    change = add_touches(sql, ctx, wanted) if wanted else None
    return ctx.finding(
        "ATL604",
        sql.word,
        "`touches` names no entity",
        help="name the entities whose tables the SQL reads or writes",
        fixes=[] if change is None else [ctx.fix("name the entities that the SQL uses", change)],
    )


def _wanted(sql: n.Sql, ctx: Context) -> list[str]:
    """The entities whose tables the SQL names, and a query's owner."""
    owner = ctx.decl.owner if isinstance(ctx.decl, n.QueryDecl) else None
    found = {}
    if owner is not None:
        namespace = None if owner.namespace is None else owner.namespace.text
        entity = ctx.scope.entity(namespace, owner.name.text)
        if entity is not None:
            found[identity(entity)] = entity
    for named in block(sql, ctx).tables:
        symbol = named.entities[0].symbol if len(named.entities) == 1 else None
        if isinstance(symbol, EntitySymbol):
            found[identity(symbol)] = symbol
    return [spelling(entity, ctx) for entity in found.values()]
