"""An hnsw index stands on a field that is no vector.

## Why

`index hnsw` finds the nearest vectors. pgvector has its operator classes for `vector` alone.

## Example

```atl
entity Photo in album {
  id     bigint primary
  scores []real
  index hnsw on scores ops l2
}
```

## Fix

Give the field a `vector` type.

```atl
entity Photo in album {
  id     bigint primary
  scores vector(16)
  index hnsw on scores ops l2
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, known_field
from atl.findings import Finding
from atl.schema.types import spelled
from atl.syntax import nodes as n


def check(index: n.HnswIndex, ctx: Context) -> Iterator[Finding]:
    symbol = known_field(ctx, index.field)
    if symbol is None or symbol.type.base == "vector":
        return
    field = field_nodes(ctx)[symbol.name]
    written = spelled(symbol.type)
    yield ctx.finding(
        "ATL316",
        index.field,
        f"an hnsw index needs a `vector(n)`, and `{symbol.name}` is `{written}`",
        labels=[(field.type or field.name, f"`{written}`")],
        help=f"make `{symbol.name}` a `vector(n)`, or use another kind of index",
    )
