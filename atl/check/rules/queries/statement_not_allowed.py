"""A query writes, or a block holds a statement that changes more than rows.

## Why

A query only reads, so that it can be cached, repeated and sent to a replica; what `EXPLAIN` returns is none of its
rows. A procedure's steps share one transaction of the server's, so none may define tables, end the transaction or
change the session.

## Example

```atl
entity Book in shelf {
  id    bigint primary
  pages int
}

query Shorten for Book {
  input { }
  output { id: bigint }
  sql touches(Book) { UPDATE shelf.book SET pages = 1 RETURNING id }
}
```

## Fix

Write in a procedure; change tables by changing their entities.

```atl
entity Book in shelf {
  id    bigint primary
  pages int
}

procedure Shorten for Book {
  input { }
  steps {
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
    query = isinstance(ctx.decl, n.QueryDecl)
    for found in block(sql, ctx).parsed.forbidden:
        match found.kind:
            case "write" if query:
                message, help_ = f"a query only reads, but this is `{found.word}`", "make it a procedure"
            case "explain" if query:
                message = "a query returns rows, but `EXPLAIN` says how they would be found"
                help_ = "leave `EXPLAIN` out"
            case "ddl":
                message = f"`{found.word}` changes the schema, which no block may"
                help_ = "change the entities, and let the plan change the tables"
            case "session":
                message = f"`{found.word}` acts on the session or transaction, which are the server's"
                help_ = "leave it out"
            case _:
                continue
        yield ctx.finding("ATL611", place_in(sql, ctx, found.start, found.end), message, help=help_)
