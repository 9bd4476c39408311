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

from collections.abc import Iterator

from atl.check.calls import CallNode, call
from atl.check.context import Context
from atl.check.mending import remove_item
from atl.findings import Finding


def check(node: CallNode, ctx: Context) -> Iterator[Finding]:
    made = call(node, ctx)
    if made is None:
        return
    for arg, first in made.extra:
        yield ctx.finding(
            "ATL453",
            arg.name,
            f"the argument `{arg.name.text}` is given already",
            labels=[(first, "given here")],
            help="keep one of them",
            fixes=[ctx.fix(f"remove the second `{arg.name.text}`", *remove_item(ctx, made.args, made.args.index(arg)))],
        )
