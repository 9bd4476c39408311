"""The queue of a job is empty, or has white space at an end.

## Why

Workers ask for a queue by its exact name. An empty name is refused, and a blank at an end makes a queue that looks like
another one and that no worker serves.

## Example

```atl
job Weigh in mailroom {
  queue "mail "
}
```

## Fix

Write the name alone, or leave the clause out for the queue `"default"`.

```atl
job Weigh in mailroom {
  queue "mail"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.Queue, ctx: Context) -> Iterator[Finding]:
    name = clause.value.value
    stripped = name.strip()
    if name and name == stripped:
        return
    if stripped:
        message = f"the queue {shown(ctx, clause.value)} has white space at an end"
        advice = "leave the white space out"
    else:
        message = "the queue has no name"
        advice = 'name a queue, or leave the clause out for `"default"`'
    yield ctx.finding("ATL406", clause, message, help=advice)
