"""A typed step gives a column a value that its type does not take.

## Why

A literal has to be a value of the column's type: in its range, not longer than it, one of the enum's labels. A `$name`
has to be of a type that PostgreSQL assigns to it without being asked, and only text becomes text silently.

## Example

```atl
entity Cab in taxi {
  id    bigint primary
  seats smallint not null
}
procedure Refit for Cab {
  input { id: bigint }
  steps {
    update Cab set seats = "four" where id = $id
  }
}
```

## Fix

Give a value of the column's type.

```atl
entity Cab in taxi {
  id    bigint primary
  seats smallint not null
}
procedure Refit for Cab {
  input { id: bigint }
  steps {
    update Cab set seats = 4 where id = $id
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.values import assigned, misfit
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: n.Update | n.Insert, ctx: Context) -> Iterator[Finding]:
    for each, source in assigned(node, ctx):
        found = misfit("ATL205", each, source, ctx)
        if found is not None:
            yield found
