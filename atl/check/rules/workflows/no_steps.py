"""A workflow has no steps.

## Why

A workflow is the order in which jobs run. Without a step there is nothing to run, and the server refuses it.

## Example

```atl
workflow Ship in store {
  state {
    code text
  }
}
```

## Fix

Write the first step.

```atl
job Pick in store {
  args {
    code text
  }
}
workflow Ship in store {
  state {
    code text
  }
  step pick {
    job Pick
    args { code: $code }
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(workflow: n.WorkflowDecl, ctx: Context) -> Iterator[Finding]:
    if workflow.lost or workflow.name is None or any(type(part) is n.Step for part in workflow.parts):
        return
    yield ctx.finding(
        "ATL501",
        workflow.name,
        f"the workflow `{workflow.name.text}` has no steps",
        help="add a step: `step name { job Name }`",
    )
