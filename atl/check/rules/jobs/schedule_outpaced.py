"""A job is scheduled more often than one attempt may last.

## Why

A firing is skipped while an earlier run is still pending. With a deadline longer than the shortest time between two
firings, one slow run costs the next ones, and nothing says so. The timeout counts with its default of 30m.

## Example

```atl
job Poll in feeds {
  schedule "*/5 * * * *"
}
```

## Fix

Give one attempt less time than lies between two firings, or fire less often.

```atl
job Poll in feeds {
  timeout   4m
  heartbeat 1m
  schedule  "*/5 * * * *"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check import jobs
from atl.check.context import Context
from atl.findings import Finding
from atl.schema.cron import Cron, read, shortest_gap
from atl.syntax import nodes as n

MINUTE = 60_000


def check(clause: n.Schedule, ctx: Context) -> Iterator[Finding]:
    assert type(ctx.decl) is n.JobDecl
    timeout = jobs.timeout(ctx.decl)
    # `none` sets no limit that a schedule could be measured by.
    if timeout is None or timeout.ms is None:
        return
    schedule = read(clause.value.value)
    if not isinstance(schedule, Cron):
        return
    gap = shortest_gap(schedule)
    if gap is None or gap * MINUTE >= timeout.ms:
        return
    fewest = _spelled(gap)
    default = "" if timeout.clause else " by default"
    yield ctx.finding(
        "ATL409",
        clause,
        f"this schedule can fire {fewest} after the last time, but one attempt may last {timeout.text}{default}",
        primary="skipped while an earlier run is pending",
        labels=[(timeout.clause, "may last this long")] if timeout.clause else (),
        help=f"write a timeout of at most {fewest}, or fire less often",
    )


def _spelled(minutes: int) -> str:
    """Minutes as a duration of the language, in the largest unit that is exact."""
    for unit, size in (("d", 1440), ("h", 60)):
        if minutes % size == 0:
            return f"{minutes // size}{unit}"
    return f"{minutes}m"
