"""SQL names a table that no entity has.

## Why

A block may use the tables of entities, its own `WITH` queries and functions, and nothing else: anything else is not
part of the schema that the server checks, plans and protects.

## Example

```atl
entity Song in tunes {
  id bigint primary
}

query AllSongs for Song {
  input { }
  output { id: bigint }
  sql touches(Song) { SELECT id FROM tunes.songs }
}
```

## Fix

The table of `Song in tunes` is written `tunes.song`, `tunes_song` or `atlantis.tunes_song`, or as its `table` clause
says.

```atl
entity Song in tunes {
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
from atl.check.sql import block, place_in
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.schema.naming import snake_case
from atl.syntax import nodes as n


def check(sql: n.Sql, ctx: Context) -> Iterator[Finding]:
    for table, entities in block(sql, ctx).tables:
        if entities or _may_be_broken(table.name, ctx):
            continue
        written = table.name if table.schema is None else f"{table.schema}.{table.name}"
        where = place_in(sql, ctx, table.start, table.end)
        near = _suggestion(table.schema, table.name, ctx)
        yield ctx.finding(
            "ATL614",
            where,
            f"no entity has the table `{written}`",
            primary="unknown table",
            help=f"did you mean `{near}`?" if near is not None else "name the table of an entity",
            fixes=[] if near is None else [ctx.fix(f"change to `{near}`", (where, near), safe=False)],
        )


def _may_be_broken(table: str, ctx: Context) -> bool:
    """Whether an entity that could not be read may have the table. Only its name is known, so the table's name is
    taken for one that was made of it, with its namespace or without."""
    words = [word.capitalize() for word in table.split("_")]
    return any(ctx.scope.may_be_broken("".join(words[at:])) for at in range(len(words)))


def _suggestion(schema: str | None, name: str, ctx: Context) -> str | None:
    tables = [(namespace.lower(), snake_case(entity)) for namespace, entity in ctx.scope.names("entity")]
    own = ctx.scope.namespace.lower()
    if schema is None or schema == "public":
        exact = [f"{namespace}.{table}" for namespace, table in tables if table == name]
        if exact:
            return f"{own}.{name}" if f"{own}.{name}" in exact else exact[0]
        near = closest(name, (table for _, table in tables))
        homes = [namespace for namespace, table in tables if table == near]
        if near is not None:
            return f"{own if own in homes else homes[0]}.{near}"
        joined = {f"{namespace}_{table}": f"{namespace}.{table}" for namespace, table in tables}
        found = closest(name, joined)
        return None if found is None else joined[found]
    if schema == "atlantis":
        found = closest(name, (f"{namespace}_{table}" for namespace, table in tables))
        return None if found is None else f"atlantis.{found}"
    here = closest(name, (table for namespace, table in tables if namespace == schema))
    if here is not None:
        return f"{schema}.{here}"
    elsewhere = [namespace for namespace, table in tables if table == name]
    if elsewhere:
        return f"{closest(schema, elsewhere) or elsewhere[0]}.{name}"
    return closest(f"{schema}.{name}", (f"{namespace}.{table}" for namespace, table in tables))
