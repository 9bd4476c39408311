"""The last step of a workflow has a compensation, which can never run.

## Why

Compensations run for the completed steps when a later step fails. After the last step there is no later one: when it
fails it has not completed, and when it completes the workflow has.

## Example

```atl
job Load in port { }
job Unload in port { }
workflow Ship in port {
  step load { job Load }
  compensate load { job Unload }
}
```

## Fix

Leave the compensation out, or put the step before the one that may still fail.

```atl
job Load in port { }
workflow Ship in port {
  step load { job Load }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(workflow: n.WorkflowDecl, ctx: Context) -> Iterator[Finding]:
    steps = [part.name for part in workflow.parts if type(part) is n.Step]
    if workflow.lost or not steps:
        return
    last = steps[-1]
    if [step.text for step in steps].count(last.text) > 1:
        return
    for part in workflow.parts:
        if type(part) is n.Compensate and part.step.text == last.text:
            yield ctx.finding(
                "ATL512",
                part.step,
                f"`{last.text}` is the last step, so its compensation never runs",
                labels=[(last, "no step comes after this one")],
                help="leave it out, or put the step before one that may still fail",
            )
            return
