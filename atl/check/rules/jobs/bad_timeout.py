"""The timeout of a job is no duration.

## Why

`timeout` is the deadline of one attempt. A number alone has no unit, and a duration is not written as a string.

## Example

```atl
job Scan in uplink {
  timeout 30
}
```

## Fix

Write the number with its unit (`ns`, `us`, `ms`, `s`, `m`, `h` or `d`), or `none` for no deadline.

```atl
job Scan in uplink {
  timeout 30m
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.Timeout, ctx: Context) -> Iterator[Finding]:
    value = clause.value
    if value is None or type(value) is n.Duration or type(value) is n.Word:
        return
    yield ctx.finding(
        "ATL403",
        clause,
        f"the timeout {shown(ctx, value)} is no duration",
        help="write a number with its unit, such as `timeout 30m`, or `timeout none` for no deadline",
    )
