"""A call of a job gives an argument twice.

## Why

An argument has one value. Which of two would be taken is not defined.

## Example

```atl
entity Line in phone { id bigint primary }
job Ring in phone {
  args {
    times smallint
  }
}
procedure CallLine for Line {
  steps {
    enqueue Ring(times: 3, times: 4)
  }
}
```

## Fix

Keep one of them.

```atl
entity Line in phone { id bigint primary }
job Ring in phone {
  args {
    times smallint
  }
}
procedure CallLine for Line {
  steps {
    enqueue Ring(times: 3)
  }
}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from atl.check.calls import CallNode, call
from atl.check.context import Context
from atl.check.mending import remove_item
from atl.check.parameters import parameter_uses
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: CallNode, ctx: Context) -> Iterator[Finding]:
    made = call(node, ctx)
    if made is None:
        return
    for arg, first in made.extra:
        name = arg.name.text
        fixes = []
        removable = next((each for each in (arg, first) if _can_go(each, ctx)), None)
        if removable is not None:
            title = f"remove the {'second' if removable is arg else 'first'} `{name}`"
            fixes = [ctx.fix(title, *remove_item(ctx, made.args, made.args.index(removable)))]
        yield ctx.finding(
            "ATL453",
            arg.name,
            f"the argument `{name}` is given already",
            labels=[(first, "given here")],
            help="keep one of them",
            fixes=fixes,
        )


def _can_go(arg: n.Arg, ctx: Context) -> bool:
    """Whether no input is unused without the argument: that would be one more finding, with a fix that changes what
    callers of the procedure see."""
    if type(arg.value) is not n.Parameter or type(ctx.decl) is n.WorkflowDecl:
        return True
    return Counter(use.name for use in parameter_uses(ctx))[arg.value.name] > 1
