"""A step or compensation of a workflow has no job, or more than one.

## Why

Each step runs one job to its completion. What runs two jobs is two steps.

## Example

```atl
workflow Ship in store {
  step pick { }
}
```

## Fix

Name the job.

```atl
job Pick in store { }
workflow Ship in store {
  step pick { job Pick }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: n.Step | n.Compensate, ctx: Context) -> Iterator[Finding]:
    jobs = [part for part in node.parts if type(part) is n.JobUse]
    if not jobs:
        if not ctx.decl.lost:
            name = node.name if type(node) is n.Step else node.step if type(node) is n.Compensate else None
            assert name is not None
            what = "step" if type(node) is n.Step else "compensation of"
            yield ctx.finding(
                "ATL503", name, f"the {what} `{name.text}` has no job", help="name the job that it runs: `job Name`"
            )
        return
    what = "step" if type(node) is n.Step else "compensation"
    for extra in jobs[1:]:
        yield ctx.finding(
            "ATL503",
            extra,
            f"a {what} runs one job, and this is another one",
            labels=[(jobs[0], "the first job")],
            help="write a step of its own for it" if type(node) is n.Step else "leave one of them out",
        )
