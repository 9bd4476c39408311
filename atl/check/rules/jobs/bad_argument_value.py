"""An argument of a job is given a column or a comparison.

## Why

A call reads no row: a value is a literal, `now()`, or a `$name`, which is an input of the procedure or a state field
of the workflow.

## Example

```atl
entity Line in phone {
  id     bigint primary
  number varchar(16)
}
job Ring in phone {
  args {
    number varchar(16)
  }
}
procedure CallLine for Line {
  steps {
    enqueue Ring(number: number)
  }
}
```

## Fix

Hand the value in.

```atl
entity Line in phone {
  id     bigint primary
  number varchar(16)
}
job Ring in phone {
  args {
    number varchar(16)
  }
}
procedure CallLine for Line {
  input { number: varchar(16) }
  steps {
    enqueue Ring(number: $number)
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.calls import CallNode, call
from atl.check.context import Context
from atl.check.values import parameters
from atl.check.wording import shown
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: CallNode, ctx: Context) -> Iterator[Finding]:
    made = call(node, ctx)
    if made is None:
        return
    source = "a state field" if type(ctx.decl) is n.WorkflowDecl else "an input"
    for arg, declared in made.given:
        value = arg.value
        if type(value) is n.Column:
            if ctx.source(value.end, value.end + 1) == "(":
                continue  # A function's name, which the parser has stumbled over.
            name = value.name.text
            message = f"`{name}` is a column, and a call reads no row"
            known = name in parameters(ctx)
            advice = f"write `${name}`" if known else f"hand it in as {source} and write `${name}`"
        elif type(value) is n.Expr:
            message, advice = f"{shown(ctx, value)} is a comparison, and an argument takes a value", ""
            if declared.type.base == "boolean":
                advice = f"work it out before, and hand it in as {source}"
        else:
            continue
        yield ctx.finding(
            "ATL454",
            value,
            message,
            labels=[(made.declared(declared), "the argument")],
            help=advice or f"write a literal, `now()`, or {source} as `$name`",
        )
