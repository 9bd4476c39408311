"""A gin index stands on a field that is neither `jsonb` nor an array.

## Why

A gin index finds rows by what is inside a value. PostgreSQL has operator classes for `jsonb` and for arrays whose
elements can be compared. For a `tsvector` it has one too, but the language does not promise it: that is a warning.

## Example

```atl
entity Article in press {
  id   bigint primary
  body text
  index gin on body
}
```

## Fix

Index a `jsonb` or array field, or use `index by`.

```atl
entity Article in press {
  id   bigint primary
  tags []text
  index gin on tags
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, known_field
from atl.findings import Finding
from atl.schema.types import has_equality, spelled
from atl.syntax import nodes as n


def check(index: n.GinIndex, ctx: Context) -> Iterator[Finding]:
    symbol = known_field(ctx, index.field)
    if symbol is None or (symbol.type.base == "jsonb" and not symbol.type.dims):
        return
    field = field_nodes(ctx)[symbol.name]
    name, written = symbol.name, spelled(symbol.type)
    labels = [(field.type or field.name, f"`{written}`")]
    if symbol.type.dims:
        if not has_equality(symbol.type):
            message = f"the elements of `{name}`, which is `{written}`, cannot be compared"
            help = f"make `{name}` a `jsonb`, or remove the index"
            yield ctx.finding("ATL317", index.field, message, labels=labels, help=help)
    elif symbol.type.base == "tsvector":
        message = f"a gin index on a `tsvector` (`{name}`) is not documented"
        help = "PostgreSQL takes it; silence this where it is meant"
        yield ctx.finding("ATL317", index.field, message, labels=labels, help=help, weaker=True)
    else:
        message = f"a gin index needs `jsonb` or an array, and `{name}` is `{written}`"
        help = f"make `{name}` `jsonb` or an array"
        if has_equality(symbol.type):
            help += f", or write `index by {name}`"
        yield ctx.finding("ATL317", index.field, message, labels=labels, help=help)
