"""A value that may be null goes where null is not allowed.

## Why

A state field is null when whoever starts the workflow gives no value, unless it is `not null` or has a default; a
column may hold null unless it is `not null`. An argument or column that is `not null` then refuses it.

## Example

```atl
job Ship in post {
  args {
    pieces int not null
  }
}
workflow Deliver in post {
  state {
    pieces int
  }
  step ship {
    job Ship
    args { pieces: $pieces }
  }
}
```

## Fix

Declare the source `not null` too, or give it a default.

```atl
job Ship in post {
  args {
    pieces int not null
  }
}
workflow Deliver in post {
  state {
    pieces int not null
  }
  step ship {
    job Ship
    args { pieces: $pieces }
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.values import assigned
from atl.check.wording import shown
from atl.findings import Finding
from atl.schema.conversions import assignable
from atl.syntax import nodes as n


def check(node: n.Node, ctx: Context) -> Iterator[Finding]:
    for each, source in assigned(node, ctx):
        target = each.target
        if source is None or not source.nullable or not target.not_null:
            continue
        if not assignable(source.type, target.type):
            continue
        yield ctx.finding(
            "ATL208",
            each.value,
            f"{shown(ctx, each.value)} may be null, but the {each.what} `{target.name}` is `not null`",
            labels=[(each.declared, "`not null`"), (source.declared, "nullable")],
            help=f"declare {shown(ctx, each.value)} `not null`"
            + (" or give it a default" if type(each.value) is n.Parameter else ""),
        )
