"""A query's SQL does not touch the entity that the query is for.

## Why

A query belongs to its owner: its cache is emptied, and its rows are filtered, by what happens to the tables in
`touches`. When the owner is not among them, the query is most likely declared for the wrong entity.

## Example

```atl
entity Court in tennis {
  id   bigint primary
  name text not null
}

entity Game in tennis {
  id    bigint primary
  court bigint not null
}

query GameCount for Court {
  input { }
  output { n: bigint }
  sql touches(Game) { SELECT count(*) AS n FROM tennis.game }
}
```

## Fix

Declare the query for the entity that it reads, or add the owner to `touches`.

```atl
entity Court in tennis {
  id   bigint primary
  name text not null
}

entity Game in tennis {
  id    bigint primary
  court bigint not null
}

query GameCount for Court {
  input { }
  output { n: bigint }
  sql touches(Game, Court) { SELECT count(*) AS n FROM tennis.game }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.sql import add_touches, identity, spelling, touched
from atl.findings import Finding
from atl.syntax import nodes as n


def check(query: n.QueryDecl, ctx: Context) -> Iterator[Finding]:
    sql = next((part for part in query.parts if isinstance(part, n.Sql)), None)
    if sql is None or query.owner is None or not sql.touches:
        return
    namespace = None if query.owner.namespace is None else query.owner.namespace.text
    owner = ctx.scope.entity(namespace, query.owner.name.text)
    named = [entity for _, entity in touched(sql, ctx)]
    # An unknown name in `touches` may well be meant to be the owner's.
    if owner is None or any(entity is None or identity(entity) == identity(owner) for entity in named):
        return
    change = add_touches(sql, ctx, [spelling(owner, ctx)])
    yield ctx.finding(
        "ATL603",
        sql.word,
        f"the query is for `{owner.namespace}.{owner.name}`, which is not among what its SQL touches",
        labels=[(query.owner, "the query's owner")],
        help=f"add `{spelling(owner, ctx)}`, or declare the query for an entity that it reads",
        fixes=[] if change is None else [ctx.fix(f"add `{spelling(owner, ctx)}` to `touches`", change)],
    )
