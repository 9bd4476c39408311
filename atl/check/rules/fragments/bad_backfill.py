"""A backfill is not one expression over the other columns of the row.

## Why

Existing rows are filled in batches, each from its own columns, and a batch may run twice. So the value must follow
from the row alone: no subquery or aggregate, not the column that is being filled, and no function that gives something
else each time or reads the clock, the session or a sequence. Its type has to be one that the column takes.

## Example

```atl
entity Course in school {
  id    bigint primary
  hours int not null
  token uuid not null backfill "gen_random_uuid()"
}
```

## Fix

Compute the value from the row; a value that differs from row to row without following from it is what a default is
for.

```atl
entity Course in school {
  id    bigint primary
  hours int not null
  token uuid not null backfill "md5(id::text)::uuid"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fragments import in_string, misfit, problems, reading
from atl.findings import Finding
from atl.syntax import nodes as n


def check(clause: n.Backfill, ctx: Context) -> Iterator[Finding]:
    field = ctx.field
    # Elsewhere a backfill is misplaced, and reported as that; a second one, as given twice.
    if type(field) is not n.Field or not isinstance(ctx.decl, n.EntityDecl):
        return
    if next(modifier for modifier in field.modifiers if type(modifier) is n.Backfill) is not clause:
        return
    fragment = in_string("ATL704", "backfill", clause.sql, ctx)
    found = list(problems(fragment, ctx)) or list(misfit(fragment, field, ctx))
    yield from found
    if found:
        return
    read = reading(fragment, ctx)
    own = next((column for column in read.columns if column.name == field.name.text), None)
    if own is not None:
        yield ctx.finding(
            "ATL704",
            fragment.place(own.start, own.end),
            f"the backfill reads `{own.name}`, the column that it fills",
            help="compute it from other columns",
        )
    if read.outside is not None:
        yield ctx.finding(
            "ATL704",
            fragment.place(*read.outside),
            f"the backfill uses `{read.outside_name}`, whose result does not follow from the row",
            help="compute it from other columns, or give the field a default",
        )
