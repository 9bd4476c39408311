"""The heartbeat of a job is as long as its timeout, or longer.

## Why

A claim without a sign of life is given to another worker after `heartbeat`. When the attempt's deadline comes first, a
dead worker is never noticed in time. What is left out counts with its default: a heartbeat of 5m, a timeout of 30m.

## Example

```atl
job Dial in callcenter {
  timeout 2m
}
```

## Fix

Shorten the heartbeat, or give the attempt more time.

```atl
job Dial in callcenter {
  timeout   2m
  heartbeat 30s
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check import jobs
from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(job: n.JobDecl, ctx: Context) -> Iterator[Finding]:
    heartbeat, timeout = jobs.heartbeat(job), jobs.timeout(job)
    if heartbeat is None or timeout is None or heartbeat.ms is None or timeout.ms is None:
        return
    where = heartbeat.clause or timeout.clause
    if where is None or heartbeat.ms < timeout.ms:
        return
    both = heartbeat.clause is not None and timeout.clause is not None
    of_heartbeat = "the heartbeat" if heartbeat.clause else "the default heartbeat"
    of_timeout = "the timeout" if timeout.clause else "the default timeout"
    yield ctx.finding(
        "ATL405",
        where,
        f"{of_heartbeat} of {heartbeat.text} is not below {of_timeout} of {timeout.text}",
        labels=[(timeout.clause, "the attempt ends here at the latest")] if both and timeout.clause else (),
        help=f"write a heartbeat below {timeout.text}, so that a dead worker is noticed before the deadline",
    )
