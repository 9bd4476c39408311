"""A cache's tag has a placeholder that names nothing.

## Why

`{name}` in a tag is filled from the row that is cached, or from the query's inputs. A name that is neither would put
the same text into every tag, and invalidating one entry would drop or keep the wrong ones.

## Example

```atl
entity Product in catalog {
  id  bigint primary
  sku varchar(24) not null
  cache {
    read_through ttl = 10m tag = "product:{code}"
  }
}
```

## Fix

Use a field of the entity, or an input of the query.

```atl
entity Product in catalog {
  id  bigint primary
  sku varchar(24) not null
  cache {
    read_through ttl = 10m tag = "product:{sku}"
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_symbols
from atl.check.parameters import placeholders
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.syntax import nodes as n
from atl.syntax.strings import offset_in


def check(part: n.ReadThrough, ctx: Context) -> Iterator[Finding]:
    tag, decl = part.tag, ctx.decl
    if tag is None or decl.lost or decl.name is None:
        return
    names: set[str]
    if type(decl) is n.EntityDecl:
        names, what = set(field_symbols(ctx)), f"field of `{decl.name.text}`"
    elif type(decl) is n.QueryDecl:
        names = {param.name.text for piece in decl.parts if type(piece) is n.Input for param in piece.params}
        what = f"input of `{decl.name.text}`"
    else:
        return
    text = ctx.unit.chunk.text
    for name, start, end in placeholders(tag):
        if name in names:
            continue
        near = closest(name, names)
        yield ctx.finding(
            "ATL322",
            ctx.at(offset_in(text, tag.start, start), offset_in(text, tag.start, end)),
            f"`{{{name}}}` in the tag is no {what}",
            help=f"did you mean `{{{near}}}`?" if near is not None else "name one, or remove the placeholder",
        )
