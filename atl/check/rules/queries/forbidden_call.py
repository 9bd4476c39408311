"""SQL calls `set_config`.

## Why

The server keeps who is asking, and which rows they may see, in settings of the database session. A block that can
change settings could lift that, so the server refuses it.

## Example

```atl
entity Book in shelf {
  id    bigint primary
  title text
}

query Titles for Book {
  input { }
  output { v: text }
  sql touches(Book) { SELECT set_config('app.title', title, true) AS v FROM shelf.book }
}
```

## Fix

Pass values as inputs, and read settings with `current_setting`.

```atl
entity Book in shelf {
  id    bigint primary
  title text
}

query Titles for Book {
  input { }
  output { v: text }
  sql touches(Book) { SELECT title AS v FROM shelf.book }
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
    for found in block(sql, ctx).parsed.forbidden:
        if found.kind == "set_config":
            yield ctx.finding(
                "ATL610",
                place_in(sql, ctx, found.start, found.end),
                "the SQL calls `set_config`, which no block may",
                help="pass the value as an input",
            )
