"""`keyless` stands beside a key or a cache.

## Why

`keyless` says that rows cannot be told apart. A primary key says that they can, and a cache finds its entries by the
key, so with either of them one of the two statements is wrong.

## Example

```atl
entity Tick in feed {
  keyless
  id bigint primary
}
```

## Fix

Remove one of the two.

```atl
entity Tick in feed {
  id bigint primary
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.Keyless, ctx: Context) -> Iterator[Finding]:
    entity = ctx.decl
    if type(entity) is not n.EntityDecl or clause is not next(m for m in entity.members if type(m) is n.Keyless):
        return
    conflicts = list(_conflicts(entity))
    earlier = [(node, what) for node, what in conflicts if node.start < clause.start]
    if earlier:
        yield ctx.finding(
            "ATL304",
            clause,
            f"a `keyless` entity has no {earlier[0][1]}",
            labels=[(node, f"the {what}") for node, what in earlier],
            help=f"remove `keyless`, or the {earlier[0][1]}",
        )
    for node, what in conflicts:
        if node.start > clause.start:
            yield ctx.finding(
                "ATL304",
                node,
                f"a `keyless` entity has no {what}",
                labels=[(clause, "`keyless` here")],
                help=f"remove `keyless`, or the {what}",
            )


def _conflicts(entity: n.EntityDecl) -> Iterator[tuple[n.Node, str]]:
    """Each kind of thing once: a second one is reported for itself."""
    found: dict[str, n.Node] = {}
    for member in entity.members:
        match member:
            case n.Field():
                if (flag := member.flag("primary")) is not None:
                    found.setdefault("key", flag)
            case n.PrimaryBy():
                found.setdefault("key", member)
            case n.Cache():
                found.setdefault("cache", member)
            case _:
                pass
    for what, node in found.items():
        yield node, what
