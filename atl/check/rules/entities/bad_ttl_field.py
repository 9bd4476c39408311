"""`ttl_field` names a field that is no `timestamptz`.

## Why

A row expires at the moment that stands in the field. A day, a number of seconds or a time without its zone is no
moment.

## Example

```atl
entity Hold in bistro {
  id    bigint primary
  until date not null
  ttl_field until
}
```

## Fix

Use a `timestamptz`.

```atl
entity Hold in bistro {
  id    bigint primary
  until timestamptz not null
  ttl_field until
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.moments import not_a_moment
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.FieldClause, ctx: Context) -> Iterator[Finding]:
    if clause.word == "ttl_field":
        yield from not_a_moment("ATL313", clause.field, "rows expire at a `timestamptz`", ctx)
