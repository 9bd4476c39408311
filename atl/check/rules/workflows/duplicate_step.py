"""Two steps of a workflow have the same name.

## Why

A compensation and the workflow's progress name a step, so each name can stand for one step only.

## Example

```atl
job Pick in store { }
workflow Ship in store {
  step pick { job Pick }
  step pick { job Pick }
}
```

## Fix

Give each step its own name.

```atl
job Pick in store { }
workflow Ship in store {
  step pick { job Pick }
  step pick_again { job Pick }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(workflow: n.WorkflowDecl, ctx: Context) -> Iterator[Finding]:
    first: dict[str, n.Name] = {}
    for part in workflow.parts:
        if type(part) is not n.Step:
            continue
        name = part.name
        earlier = first.setdefault(name.text, name)
        if earlier is not name:
            yield ctx.finding(
                "ATL502",
                name,
                f"there is a step `{name.text}` already",
                labels=[(earlier, "the first step of this name")],
                help="give the step another name",
            )
