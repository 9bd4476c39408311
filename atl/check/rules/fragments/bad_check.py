"""A check is not one boolean expression over the row.

## Why

A check is tried on each row by itself, when it is written. PostgreSQL refuses one that does not parse, is not of type
boolean, names a column that is not there, or looks at more than the row: with a subquery, an aggregate or a window
function.

## Example

```atl
entity Boat in marina {
  id     bigint primary
  length int not null check "lenght > 0"
}
```

## Fix

A field's check may name other columns of the entity too.

```atl
entity Boat in marina {
  id     bigint primary
  length int not null check "length > 0"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fragments import in_string, problems
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: n.FieldCheck | n.EntityCheck, ctx: Context) -> Iterator[Finding]:
    yield from problems(in_string("ATL701", "check", node.sql, ctx)._replace(boolean=True), ctx)
