"""The time field of a hypertable is no `timestamptz`.

## Why

TimescaleDB cuts the table into chunks of time by this field. Only a moment puts each row into one chunk whatever the
session's time zone is.

## Example

```atl
hypertable Gas in mine on day {
  day  date primary
  ppm  int not null
}
```

## Fix

Use a `timestamptz`.

```atl
hypertable Gas in mine on at {
  at   timestamptz primary
  ppm  int not null
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.moments import not_a_moment
from atl.findings import Finding
from atl.syntax import nodes as n


def check(entity: n.EntityDecl, ctx: Context) -> Iterator[Finding]:
    if entity.on is not None:
        yield from not_a_moment("ATL319", entity.on, "a hypertable is cut by a `timestamptz`", ctx)
