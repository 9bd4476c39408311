"""A schedule is no five-field cron, or it never fires.

## Why

The five fields are minute (0-59), hour (0-23), day (1-31), month (1-12 or JAN to DEC) and weekday (0-7 or SUN to SAT,
both 0 and 7 are Sunday). Each is `*`, a value, a range `a-b`, one of them with a step `/n`, or a list of these. The
server refuses anything else: other counts of fields, names like `@daily`, the letters `L`, `W`, `#` and `?` of other
crons, ranges that run backwards, and dates that never come.

## Example

```atl
job Report in sales {
  schedule "@daily"
}
```

## Fix

Write the five fields.

```atl
job Report in sales {
  schedule "0 0 * * *"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.schema.cron import Cron, read
from atl.syntax import nodes as n
from atl.syntax.strings import offset_in


def check(clause: n.Schedule, ctx: Context) -> Iterator[Finding]:
    schedule = read(clause.value.value)
    if isinstance(schedule, Cron):
        return
    text, string = ctx.unit.chunk.text, clause.value
    for problem in schedule:
        start, end = (offset_in(text, string.start, at) for at in (problem.start, problem.end))
        where = ctx.at(start, end) if end > start else ctx.place(string)
        fixes = []
        if problem.replacement is not None:
            fixes = [ctx.fix(f"write `{problem.replacement}`", (where, problem.replacement), safe=False)]
        yield ctx.finding("ATL407", where, problem.message, help=problem.help, fixes=fixes)
