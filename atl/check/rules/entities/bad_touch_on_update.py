"""`touch_on_update` names a field that is no `timestamptz`.

## Why

A trigger writes the moment of each update into the field. A `timestamp` would hold it without its zone, and other types
cannot hold it at all.

## Example

```atl
entity Soil in nursery {
  id      bigint primary
  version int not null
  touch_on_update by version
}
```

## Fix

Use a `timestamptz`.

```atl
entity Soil in nursery {
  id         bigint primary
  version    int not null
  updated_at timestamptz not null default now()
  touch_on_update by updated_at
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.moments import not_a_moment
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.FieldClause, ctx: Context) -> Iterator[Finding]:
    if clause.word == "touch_on_update":
        yield from not_a_moment("ATL311", clause.field, "`touch_on_update` writes a `timestamptz`", ctx)
