"""A compensation names a step that the workflow does not have.

## Why

A compensation undoes a step that has completed. For a step that does not exist it can never run.

## Example

```atl
job Load in port { }
job Unload in port { }
workflow Ship in port {
  compensate laod { job Unload }
  step load { job Load }
  step sail { job Load }
}
```

## Fix

Name one of the workflow's steps.

```atl
job Load in port { }
job Unload in port { }
workflow Ship in port {
  compensate load { job Unload }
  step load { job Load }
  step sail { job Load }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.syntax import nodes as n


def check(node: n.Compensate, ctx: Context) -> Iterator[Finding]:
    assert type(ctx.decl) is n.WorkflowDecl
    steps = [part.name for part in ctx.decl.parts if type(part) is n.Step]
    name = node.step
    if ctx.decl.lost or any(step.text == name.text for step in steps):
        return
    compensated = {part.step.text for part in ctx.decl.parts if type(part) is n.Compensate}
    names = [step.text for step in steps]
    # Another compensation of the same step would be wrong again, so that is no fix.
    free = closest(name.text, [step for step in names if step not in compensated])
    near = free or closest(name.text, names)
    yield ctx.finding(
        "ATL504",
        name,
        f"this workflow has no step `{name.text}`",
        labels=[(step, "this step is near in name") for step in steps if step.text == near][:1],
        help=f"did you mean `{near}`?" if near else "name one of the steps" if steps else "",
        fixes=[ctx.fix(f"change to `{free}`", (name, free), safe=False)] if free else (),
    )
