"""An entity has both a `primary` field and a `primary by`.

## Why

A table has one primary key. PostgreSQL refuses a second one, and which of the two was meant decides how rows are found
by every client.

## Example

```atl
entity Page in post {
  id bigint primary
  nr int not null
  primary by id, nr
}
```

## Fix

Keep one of the two.

```atl
entity Page in post {
  id bigint not null
  nr int not null
  primary by id, nr
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.PrimaryBy, ctx: Context) -> Iterator[Finding]:
    if type(ctx.decl) is not n.EntityDecl or clause is not _first(ctx.decl):
        return
    for field in ctx.decl.members:
        if type(field) is n.Field and field.modifiers and (flag := field.flag("primary")) is not None:
            later, earlier = sorted((clause, flag), key=lambda node: node.start, reverse=True)
            yield ctx.finding(
                "ATL303",
                later,
                f"there is a `primary by` and a `primary` field, `{field.name.text}`",
                primary="a second key",
                labels=[(earlier, "the first key")],
                help="keep one of the two",
            )
            return


def _first(entity: n.EntityDecl) -> n.PrimaryBy | None:
    return next((member for member in entity.members if type(member) is n.PrimaryBy), None)
