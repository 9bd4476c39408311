"""A value in a call of a job is none that the argument's type takes.

## Why

A literal has to be a value of the argument's type: in its range, not longer than it, one of the enum's labels. A
`$name` has to be of a type that PostgreSQL assigns to it without being asked, and only text becomes text silently.

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
    enqueue Ring(times: 40000)
  }
}
```

## Fix

Give a value that fits, or widen the argument's type.

```atl
entity Line in phone { id bigint primary }
job Ring in phone {
  args {
    times int
  }
}
procedure CallLine for Line {
  steps {
    enqueue Ring(times: 40000)
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.calls import CallNode
from atl.check.context import Context
from atl.check.values import assigned, misfit
from atl.findings import Finding


def check(node: CallNode, ctx: Context) -> Iterator[Finding]:
    for each, source in assigned(node, ctx):
        found = misfit("ATL455", each, source, ctx)
        if found is not None:
            yield found
