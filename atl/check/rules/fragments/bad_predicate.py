"""A partial index's predicate is not one boolean expression that the row alone decides.

## Why

PostgreSQL must know for each row, once and for all, whether it belongs into the index. It refuses subqueries,
aggregates, unknown columns, and everything whose result may change: `now()`, `random()`, or a cast that depends on the
time zone.

## Example

```atl
entity Loan in credit {
  id  bigint primary
  due timestamptz not null
  index partial by due where due > now()
}
```

## Fix

Keep what the row decides in the predicate, and compare with the time in the query.

```atl
entity Loan in credit {
  id   bigint primary
  due  timestamptz not null
  paid boolean not null
  index partial by due where not paid
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(index: n.Index, ctx: Context) -> Iterator[Finding]:
    if index.predicate is not None:
        from atl.check.fragments import in_predicate, problems

        yield from problems(in_predicate("ATL702", "predicate", index.predicate, ctx), ctx)
