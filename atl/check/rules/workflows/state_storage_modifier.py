"""A modifier for stored rows stands on a state field of a workflow.

## Why

A workflow's state is carried from step to step and has no table: a key, a reference, a unique constraint or a sequence
has nothing to act on there. `not null`, `default` and `check` are what state fields take.

## Example

```atl
job Load in port {
  args {
    crate bigint
  }
}
workflow Ship in port {
  state {
    crate bigint primary
  }
  step load {
    job Load
    args { crate: $crate }
  }
}
```

## Fix

Leave the modifier out.

```atl
job Load in port {
  args {
    crate bigint
  }
}
workflow Ship in port {
  state {
    crate bigint
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
from atl.check.modifiers import storage_modifiers, without
from atl.findings import Finding
from atl.syntax import nodes as n


def check(state: n.State, ctx: Context) -> Iterator[Finding]:
    for field in state.fields:
        for word, modifiers in storage_modifiers(field, keyed=False).items():
            yield ctx.finding(
                "ATL510",
                modifiers[0],
                f"`{word}` is for stored rows and means nothing on a state field",
                labels=[(field.name, "not stored in a table")],
                help=f"leave `{word}` out",
                fixes=[without(ctx, word, modifiers)],
            )
