"""A reference has no index that begins with its field.

## Why

When a referenced row is deleted or its key changes, PostgreSQL looks for the rows that point at it. Without an index
that begins with the referencing field it reads the whole table each time, and so does every join along the reference.

## Example

```atl
entity Room in hotel {
  id bigint primary
}

entity Booking in hotel {
  id   bigint primary
  room bigint not null references hotel.Room.id
}
```

## Fix

Add an index.

```atl
entity Room in hotel {
  id bigint primary
}

entity Booking in hotel {
  id   bigint primary
  room bigint not null references hotel.Room.id
  index by room
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import pointer
from atl.check.mending import add_member
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.References, ctx: Context) -> Iterator[Finding]:
    reference = pointer(clause, ctx)
    if reference is None or reference.at is None or ctx.decl.lost:
        return
    name = reference.field.name.text
    if name in _leading(ctx):
        return
    change = add_member(ctx, f"index by {name}")
    yield ctx.finding(
        "ATL327",
        clause,
        f"no index begins with `{name}`, so a delete in `{clause.path[1].text}` reads the whole table",
        help=f"add `index by {name}`",
        fixes=[ctx.fix(f"add `index by {name}`", change, safe=False)] if change is not None else [],
    )


def _leading(ctx: Context) -> set[str]:
    """The fields that an index of the entity begins with."""
    found: set[str] | None = ctx.memo.get(_leading)
    if found is None:
        found = ctx.memo[_leading] = {names[0] for names in ctx.entity.uniques if names}
        assert type(ctx.decl) is n.EntityDecl
        for member in ctx.decl.members:
            if type(member) is n.Index and member.predicate is None and member.columns:
                first = member.columns[0].field
                if first is not None:
                    found.add(first.text)
    return found
