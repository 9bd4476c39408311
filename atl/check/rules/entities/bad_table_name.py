"""The name of a physical table cannot be one.

## Why

`table` takes `table` or `schema.table`, each of plain ASCII letters, digits and `_` and not beginning with a digit. A
schema whose name begins with `pg_` belongs to PostgreSQL, which lets nobody create one.

## Example

```atl
entity Roll in textile {
  id bigint primary
  table "old-rolls"
}
```

## Fix

Use plain letters.

```atl
entity Roll in textile {
  id bigint primary
  table "old_rolls"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.schema.naming import table_parts
from atl.syntax import nodes as n


def check(clause: n.TableClause, ctx: Context) -> Iterator[Finding]:
    parts = table_parts(clause.table.value)
    if parts is None:
        yield ctx.finding(
            "ATL314",
            clause.table,
            f"{shown(ctx, clause.table)} is no name of a table",
            help="write `table` or `schema.table` with ASCII letters, digits and `_`",
        )
    elif parts[0].startswith("pg_"):
        yield ctx.finding(
            "ATL314",
            clause.table,
            f"the schema `{parts[0]}` cannot be created: names that begin with `pg_` are PostgreSQL's own",
            help="use another schema",
        )
