"""The number of retries is not a whole number from 0 to 2147483647.

## Why

`retries` counts the attempts before a job goes to the dead-letter queue. The server keeps it as a whole number of 32
bits that is not negative.

## Example

```atl
job Fetch in mailroom {
  retries -1
}
```

## Fix

Write how often an attempt may be repeated; `0`, which is also the default, means never.

```atl
job Fetch in mailroom {
  retries 0
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.syntax import nodes as n

# The greatest signed number of 32 bits.
MOST = 2_147_483_647


def check(clause: n.Retries, ctx: Context) -> Iterator[Finding]:
    value = clause.value
    if type(value) is n.Duration and value.ms is None:
        return  # ATL008 has said so.
    if type(value) is n.Word:
        # A word in the place of any value is one that cannot stand there.
        yield ctx.finding("ATL001", value, f"expected a whole number, found {shown(ctx, value)}")
        return
    if type(value) is n.Int and 0 <= value.value <= MOST:
        return
    if type(value) is n.Int and value.value > MOST:
        message = f"{shown(ctx, value)} retries are more than {MOST}, the most there can be"
    else:
        message = f"{shown(ctx, value)} is no whole number of retries"
    yield ctx.finding("ATL402", clause, message, help="write a whole number from 0, such as `retries 3`")
