"""A raw default is not one expression of the field's type, or looks at columns.

## Why

A default is evaluated before there is a row, so it can name no column, and PostgreSQL takes neither a subquery nor an
aggregate there; and it must be of a type that the column takes.

## Example

```atl
entity Lamp in studio {
  id   bigint primary
  name text not null
  slug text default raw "lower(name)"
}
```

## Fix

A value that follows from other columns is given when the row is written; existing rows get theirs from a `backfill`.

```atl
entity Lamp in studio {
  id   bigint primary
  name text not null
  slug text default raw "'lamp-' || gen_random_uuid()"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(default: n.Default, ctx: Context) -> Iterator[Finding]:
    field = ctx.field
    if type(default.value) is n.Raw and type(field) is n.Field:
        from atl.check.fragments import in_string, misfit, problems

        fragment = in_string("ATL705", "default", default.value.sql, ctx)._replace(row=False)
        yield from list(problems(fragment, ctx)) or misfit(fragment, field, ctx)
