"""A field and the field that it references have different types.

## Why

A foreign key compares the two. Where PostgreSQL cannot compare them by the target's index (`text` with `uuid`, or a
`numeric` field with an `int` target) it refuses the key. Where the types merely differ it accepts it, but values that
fit on one side may not fit on the other.

## Example

```atl
entity Owner in kennel {
  id uuid primary
}

entity Dog in kennel {
  id    bigint primary
  owner text references kennel.Owner.id
}
```

## Fix

Give the field the type of its target.

```atl
entity Owner in kennel {
  id uuid primary
}

entity Dog in kennel {
  id    bigint primary
  owner uuid references kennel.Owner.id
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import pointer, settled
from atl.findings import Finding
from atl.schema.conversions import can_reference
from atl.schema.types import spelled
from atl.source import Place
from atl.syntax import nodes as n


def check(clause: n.References, ctx: Context) -> Iterator[Finding]:
    reference = pointer(clause, ctx)
    if reference is None or not reference.unique:
        # A target that is not unique is most likely not the one that was meant.
        return
    at, found, own = reference.at, reference.target, reference.symbol.type
    if at is None or found is None or own == at.type or not settled(ctx, own) or not settled(ctx, at.type):
        return
    name, accepted = reference.field.name.text, can_reference(own, at.type)
    path = ".".join(part.text for part in clause.path)
    mine, theirs = spelled(own), spelled(at.type)
    yield ctx.finding(
        "ATL308",
        clause,
        f"`{name}` is `{mine}`, but `{path}` is `{theirs}`"
        if accepted
        else f"`{name}` is `{mine}`, which cannot reference the `{theirs}` of `{path}`",
        labels=[
            (reference.field.type or reference.field.name, f"`{mine}`"),
            (Place(found.anchor, *at.span), f"`{theirs}`"),
        ],
        help=f"make `{name}` `{theirs}`",
        weaker=accepted,
    )
