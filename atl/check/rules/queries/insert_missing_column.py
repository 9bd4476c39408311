"""An insert leaves out a column that is `not null` and has no default.

## Why

Such a column has no value in the new row, and the database refuses it. Columns with a default, `identity` or `serial`
fill themselves.

## Example

```atl
entity Guest in inn {
  id   bigint primary
  name text not null
}

procedure CheckIn for Guest {
  input { id: bigint, name: text }
  steps {
    insert Guest { id = $id }
    update Guest set name = $name where id = $id
  }
}
```

## Fix

```atl
entity Guest in inn {
  id   bigint primary
  name text not null
}

procedure CheckIn for Guest {
  input { id: bigint, name: text }
  steps {
    insert Guest { id = $id, name = $name }
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fillers import filler
from atl.check.mending import Change, indentation, newline, skip_blanks, starts_line
from atl.check.sql import identity
from atl.check.values import entity_of
from atl.check.wording import listed
from atl.findings import Finding
from atl.schema.symbols import EntitySymbol
from atl.source import Place
from atl.syntax import nodes as n


def check(insert: n.Insert, ctx: Context) -> Iterator[Finding]:
    found = entity_of(insert.entity, ctx)
    if found is None or not isinstance(found.symbol, EntitySymbol) or found.symbol.lost:
        return
    entity = found.symbol
    given = {item.field.text for item in insert.sets}
    if any(entity.field(name) is None for name in given):
        # The name that is unknown is most likely the one that is missing.
        return
    missing = [field for field in entity.fields if field.not_null and not field.filled and field.name not in given]
    if not missing:
        return
    fillers = [filler(field, ctx) for field in missing]
    texts = [f"{field.name} = {text}" for field, text in zip(missing, fillers, strict=True) if text is not None]
    names = [field.name for field in missing]
    whole = len(texts) == len(missing)
    yield ctx.finding(
        "ATL613",
        insert.entity,
        f"the insert into `{identity(entity)}` leaves out {listed(names)}",
        labels=[(Place(found.anchor, *field.span), "required: `not null` without a default") for field in missing],
        help=f"give a value, such as `{texts[0]}`" if texts else f"give {listed(names)} a value",
        fixes=[ctx.fix(f"add {listed(names)}", _addition(insert, ctx, texts), safe=False)] if whole else (),
    )


def _addition(insert: n.Insert, ctx: Context, texts: list[str]) -> Change:
    text = ctx.unit.chunk.text
    last = insert.sets[-1]
    lead = ", "
    if starts_line(text, last.start):
        lead = "," + newline(ctx) + indentation(text, last.start)
    comma = skip_blanks(text, last.end)
    if text[comma : comma + 1] != ",":
        return ctx.insertion(last.end), "".join(lead + part for part in texts)
    return ctx.insertion(comma), "".join(lead + part for part in texts)
