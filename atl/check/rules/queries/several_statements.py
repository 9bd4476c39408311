"""A block holds more than one statement.

## Why

A block is sent to the database as one prepared statement, which takes one statement only. A trailing semicolon is no
second one.

## Example

```atl
entity Book in shelf {
  id    bigint primary
  pages int
}

procedure Reset for Book {
  input { }
  steps {
    sql touches(Book) { DELETE FROM shelf.book WHERE pages = 0; UPDATE shelf.book SET pages = 1 }
  }
}
```

## Fix

In a procedure, make each statement a step of its own; all steps run in one transaction.

```atl
entity Book in shelf {
  id    bigint primary
  pages int
}

procedure Reset for Book {
  input { }
  steps {
    sql touches(Book) { DELETE FROM shelf.book WHERE pages = 0 }
    sql touches(Book) { UPDATE shelf.book SET pages = 1 }
  }
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
    if parsed.extra is None:
        return
    procedure = isinstance(ctx.decl, n.ProcedureDecl)
    yield ctx.finding(
        "ATL609",
        place_in(sql, ctx, *parsed.extra),
        f"the block holds {parsed.statements} statements",
        primary="the second one begins here",
        help="make each statement a step of its own" if procedure else "keep one statement; `WITH` can join several",
    )
