"""The heartbeat of a job is no duration.

## Why

`heartbeat` is how long a claim lives without a sign of life. A number alone has no unit, and a duration is not written
as a string.

## Example

```atl
job Scan in uplink {
  heartbeat "5m"
}
```

## Fix

Write the number with its unit: `ns`, `us`, `ms`, `s`, `m`, `h` or `d`.

```atl
job Scan in uplink {
  heartbeat 5m
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.Heartbeat, ctx: Context) -> Iterator[Finding]:
    value = clause.value
    if type(value) is n.Duration or type(value) is n.Word:
        return
    yield ctx.finding(
        "ATL404",
        clause,
        f"the heartbeat {shown(ctx, value)} is no duration",
        help="write a number with its unit, such as `heartbeat 5m`",
    )
