"""A value is of a wider type than the argument or column that it is for.

## Why

The types go together, but not every value of the wider one is a value of the narrower one: a longer text, a greater
number. The call or the write then fails, when such a value comes.

## Example

```atl
entity Parcel in post { id bigint primary }
job Ship in post {
  args {
    code varchar(20)
  }
}
procedure Send for Parcel {
  input { code: varchar(64) }
  steps {
    enqueue Ship(code: $code)
  }
}
```

## Fix

Make both types equally wide.

```atl
entity Parcel in post { id bigint primary }
job Ship in post {
  args {
    code varchar(64)
  }
}
procedure Send for Parcel {
  input { code: varchar(64) }
  steps {
    enqueue Ship(code: $code)
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
from atl.schema.conversions import assignable, may_not_fit
from atl.schema.types import spelled
from atl.syntax import nodes as n


def check(node: n.Node, ctx: Context) -> Iterator[Finding]:
    for each, source in assigned(node, ctx):
        target = each.target
        if source is None or not assignable(source.type, target.type) or not may_not_fit(source.type, target.type):
            continue
        wide, narrow = spelled(source.type), spelled(target.type)
        to = f"the {each.what} `{target.name}`, which takes `{narrow}`"
        yield ctx.finding(
            "ATL207",
            each.value,
            f"{shown(ctx, each.value)} is `{wide}` and may not fit {to}",
            labels=[(each.declared, f"takes `{narrow}`"), (source.declared, f"is `{wide}`")],
            help=f"declare both as `{wide}` or both as `{narrow}`",
        )
