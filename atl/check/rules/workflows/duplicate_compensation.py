"""A step of a workflow has two compensations.

## Why

When the workflow fails, the compensation of each completed step runs. Which of two would run is not defined.

## Example

```atl
job Load in port { }
job Unload in port { }
workflow Ship in port {
  step load { job Load }
  step sail { job Load }
  compensate load { job Unload }
  compensate load { job Load }
}
```

## Fix

Keep one compensation for each step; what has to be done in two parts is one job.

```atl
job Load in port { }
job Unload in port { }
workflow Ship in port {
  step load { job Load }
  step sail { job Load }
  compensate load { job Unload }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(workflow: n.WorkflowDecl, ctx: Context) -> Iterator[Finding]:
    steps = {part.name.text for part in workflow.parts if type(part) is n.Step}
    first: dict[str, n.Name] = {}
    for part in workflow.parts:
        # A name that is no step's is ATL504 each time, and nothing more.
        if type(part) is not n.Compensate or part.step.text not in steps:
            continue
        earlier = first.setdefault(part.step.text, part.step)
        if earlier is not part.step:
            yield ctx.finding(
                "ATL505",
                part.step,
                f"the step `{part.step.text}` has a compensation already",
                labels=[(earlier, "its first compensation")],
                help="keep one of them",
            )
