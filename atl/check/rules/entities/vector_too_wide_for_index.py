"""An hnsw index stands on a vector of more than 2000 dimensions.

## Why

pgvector stores up to 16000 dimensions in a column, but an entry of an hnsw index has to fit on one page, which ends at
2000.

## Example

```atl
entity Photo in album {
  id   bigint primary
  wide vector(3072)
  index hnsw on wide ops cosine
}
```

## Fix

Use a model that gives fewer dimensions, or drop the index.

```atl
entity Photo in album {
  id   bigint primary
  wide vector(1536)
  index hnsw on wide ops cosine
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, known_field
from atl.findings import Finding
from atl.syntax import nodes as n

# pgvector's HNSW_MAX_DIM for the type `vector`.
_MOST = 2000


def check(index: n.HnswIndex, ctx: Context) -> Iterator[Finding]:
    symbol = known_field(ctx, index.field)
    if symbol is None or symbol.type.base != "vector" or not symbol.type.params or symbol.type.params[0] <= _MOST:
        return
    field = field_nodes(ctx)[symbol.name]
    yield ctx.finding(
        "ATL318",
        index.field,
        f"`{symbol.name}` has {symbol.type.params[0]} dimensions, and an hnsw index holds at most {_MOST}",
        labels=[(field.type or field.name, f"{symbol.type.params[0]} dimensions")],
        help=f"store at most {_MOST} dimensions, or remove the index",
    )
