"""Two entities, or an entity and an enum, land on one name in PostgreSQL.

## Why

Tables and types of one PostgreSQL schema share their names. Two declarations of one physical name would read and write
each other's rows, or the second could not be created. Names that differ only in case count as one, since SQL that does
not quote them cannot tell them apart.

## Example

```atl
entity Tint in textile {
  id bigint primary
  table "goods"
}

entity Tone in textile {
  id bigint primary
  table "public.goods"
}
```

## Fix

Give one of them another table.

```atl
entity Tint in textile {
  id bigint primary
  table "goods"
}

entity Tone in textile {
  id bigint primary
  table "public.tones"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.precedence import earlier
from atl.findings import Finding
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n


def check(decl: n.EntityDecl | n.EnumDecl, ctx: Context) -> Iterator[Finding]:
    if decl.name is None or decl.namespace is None:
        return
    schema, name = ctx.entity.table if type(decl) is n.EntityDecl else ctx.enum.type_name
    if not name:
        return
    same = ctx.scope.same_physical_name(schema, name)
    if len(same) < 2:
        return
    id = (decl.namespace.text, decl.name.text)
    other = next(earlier(same, ctx), None)
    if other is None or (other.symbol.namespace, other.symbol.name) == id:
        # Two of one id are ATL101's.
        return
    clause = None
    if type(decl) is n.EntityDecl:
        clause = next((member for member in decl.members if type(member) is n.TableClause), None)
    first = other.symbol
    owner = f"{first.namespace}.{first.name}"
    what = "table" if type(first) is EntitySymbol else "type"
    mine = "table" if type(decl) is n.EntityDecl else "type"
    yield ctx.finding(
        "ATL315",
        decl.name if clause is None else clause,
        f"the {mine} `{schema}.{name}` is already the {what} of `{owner}`",
        labels=[(other.place, f"`{owner}`")],
        help='choose another one with `table "..."`' if type(decl) is n.EntityDecl else "rename one of the two",
    )
