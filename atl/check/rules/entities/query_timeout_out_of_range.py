"""`query_timeout` is below 50ms or above 30s.

## Why

Below 50ms ordinary queries would be cut off by a pause of the network; above 30s the callers have given up, while the
query still holds its connection.

## Example

```atl
entity Film in cinema {
  id bigint primary
  query_timeout = 1m
}
```

## Fix

Choose a time from 50ms to 30s.

```atl
entity Film in cinema {
  id bigint primary
  query_timeout = 30s
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n

_LEAST, _MOST = 50, 30_000


def check(clause: n.QueryTimeout, ctx: Context) -> Iterator[Finding]:
    ms = clause.duration.ms
    if ms is None or _LEAST <= ms <= _MOST:
        return
    yield ctx.finding(
        "ATL323",
        clause.duration,
        f"`query_timeout` is from 50ms to 30s, and `{clause.duration.text}` is {'less' if ms < _LEAST else 'more'}",
        help=f"write `query_timeout = {'50ms' if ms < _LEAST else '30s'}`",
    )
