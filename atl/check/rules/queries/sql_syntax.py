"""SQL does not follow PostgreSQL's grammar.

## Why

The block is checked with PostgreSQL's own grammar, so what it refuses here the database would refuse at the first call.

## Example

```atl
entity Book in shelf {
  id    bigint primary
  pages int
}

query LongBooks for Book {
  input { }
  output { id: bigint }
  sql touches(Book) { SELECT id FROM shelf.book WHERE pages > }
}
```

## Fix

```atl
entity Book in shelf {
  id    bigint primary
  pages int
}

query LongBooks for Book {
  input { }
  output { id: bigint }
  sql touches(Book) { SELECT id FROM shelf.book WHERE pages > 500 }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.sql import block, place_in
from atl.findings import Finding
from atl.syntax import nodes as n


def check(sql: n.Sql, ctx: Context) -> Iterator[Finding]:
    parsed = block(sql, ctx).parsed
    if parsed.error is not None:
        error = parsed.error
        where = place_in(sql, ctx, error.start, error.end)
        yield ctx.finding("ATL607", where, error.message, help="correct the SQL here, or just before")
    elif parsed.tree is not None and parsed.statements == 0:
        yield ctx.finding(
            "ATL607", sql.word, "the block holds no statement", help="write one statement between the braces"
        )
