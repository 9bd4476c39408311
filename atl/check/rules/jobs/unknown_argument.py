"""A call of a job gives an argument that the job does not declare.

## Why

A handler receives what its job declares in `args`, and nothing else.

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
    enqueue Ring(tiems: 3)
  }
}
```

## Fix

Name an argument of the job, or declare the new one there.

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
from atl.check.wording import listed
from atl.findings import Finding
from atl.findings.suggest import closest


def check(node: CallNode, ctx: Context) -> Iterator[Finding]:
    made = call(node, ctx)
    if made is None or made.job.lost:
        return
    given = {arg.name.text for arg in made.args}
    free = [arg.name for arg in made.job.args if arg.name not in given]
    for arg in made.unknown:
        near = closest(arg.name.text, free)
        if near is not None:
            advice = f"did you mean `{near}`?"
            fix = ctx.fix(f"change to `{near}`", (arg.name, near), safe=False)
        else:
            advice = f"it declares {listed([each.name for each in made.job.args])}" if made.job.args else ""
            change = remove_item(ctx, made.args, made.args.index(arg))
            fix = ctx.fix(f"remove `{arg.name.text}`", *change, safe=False)
        yield ctx.finding(
            "ATL451",
            arg.name,
            f"the job `{made.job.namespace}.{made.job.name}` has no argument `{arg.name.text}`",
            labels=[(made.found.place, "the job" if made.job.args else "the job, which takes no arguments")],
            help=advice,
            fixes=[fix],
        )
