"""A state field of a workflow is used by no step and no compensation.

## Why

Whoever starts the workflow has to give a value that then goes nowhere; often a step's argument was forgotten.

## Example

```atl
job Load in port {
  args {
    crate bigint
  }
}
workflow Ship in port {
  state {
    crate bigint not null
    ship  text
  }
  step load {
    job Load
    args { crate: $crate }
  }
}
```

## Fix

Hand the field to a job, or leave it out.

```atl
job Load in port {
  args {
    crate bigint
  }
}
workflow Ship in port {
  state {
    crate bigint not null
  }
  step load {
    job Load
    args { crate: $crate }
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(state: n.State, ctx: Context) -> Iterator[Finding]:
    workflow = ctx.decl
    assert type(workflow) is n.WorkflowDecl
    steps = [part for part in workflow.parts if not isinstance(part, n.State)]
    if workflow.lost or not steps:
        return
    used = {name for step in steps for part in step.parts if type(part) is n.StepArgs for name in _parameters(part)}
    for field in state.fields:
        if field.name.text not in used:
            yield ctx.finding(
                "ATL509",
                field.name,
                f"no step and no compensation uses `${field.name.text}`",
                help="hand it to a job, or leave it out",
            )


def _parameters(block: n.StepArgs) -> Iterator[str]:
    for arg in block.args:
        values: list[n.Value | None] = []
        if type(arg.value) is n.Expr:
            for term in arg.value.terms:
                values += (term.left, term.right)
        else:
            assert not isinstance(arg.value, n.Expr)
            values.append(arg.value)
        for value in values:
            if type(value) is n.Parameter:
                yield value.name
