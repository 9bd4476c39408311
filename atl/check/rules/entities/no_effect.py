"""A word is accepted, but changes nothing.

## Why

`deferrable`, `has_many` and `has_one`, `write(self)` and `consistency` are read and then ignored by the server: an
entity's own writes always invalidate its cache, and the others were never built. Who reads the file may think
otherwise.

## Example

```atl
entity Order in shop {
  id bigint primary
  nr bigint not null
  unique by id, nr deferrable
}
```

## Fix

Remove it.

```atl
entity Order in shop {
  id bigint primary
  nr bigint not null
  unique by id, nr
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.edits import removal
from atl.check.mending import remove_item, remove_member
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: n.UniqueBy | n.Relation | n.InvalidateOn | n.Consistency, ctx: Context) -> Iterator[Finding]:
    match node:
        case n.UniqueBy():
            if (word := node.deferrable) is not None:
                yield ctx.finding(
                    "ATL324",
                    word,
                    "`deferrable` has no effect",
                    help="remove it",
                    fixes=[ctx.fix("remove `deferrable`", (removal(ctx, word.start, word.end), ""))],
                )
        case n.Relation():
            yield ctx.finding(
                "ATL324",
                node,
                f"`{node.kind}` has no effect",
                help="remove it: a reference is declared by `references` on the other side",
                fixes=[ctx.fix(f"remove `{node.kind}`", *remove_member(ctx, node))],
            )
        case n.InvalidateOn():
            for at, write in enumerate(node.writes):
                if write.entity is None:
                    alone = len(node.writes) == 1
                    change = [(removal(ctx, node.start, node.end), "")] if alone else remove_item(ctx, node.writes, at)
                    yield ctx.finding(
                        "ATL324",
                        write,
                        "`write(self)` has no effect: own writes always invalidate the cache",
                        help="remove it",
                        fixes=[ctx.fix("remove `write(self)`", *change)],
                    )
        case n.Consistency():
            yield ctx.finding(
                "ATL324",
                node,
                "`consistency` has no effect",
                help="remove it",
                fixes=[ctx.fix("remove `consistency`", (removal(ctx, node.start, node.end), ""))],
            )
