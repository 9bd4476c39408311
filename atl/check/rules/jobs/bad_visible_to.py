"""The caller that a job is visible to is empty.

## Why

`visible_to` names the one caller that may submit the job and claim it. An empty name is nobody's.

## Example

```atl
job Sort in mailroom {
  visible_to ""
}
```

## Fix

Name a caller, or leave the clause out: then any caller may.

```atl
job Sort in mailroom {
  visible_to "back-office"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.VisibleTo, ctx: Context) -> Iterator[Finding]:
    if not clause.value.value:
        yield ctx.finding(
            "ATL410",
            clause,
            "`visible_to` names no caller",
            help='name a caller, or leave the clause out for `"*"`: any caller',
        )
