"""A reference points at a field that is not unique by itself.

## Why

A foreign key names one row, so PostgreSQL wants a primary key or unique constraint on exactly the referenced column.
A key or `unique by` of several fields, and a unique partial index, do not make each of their fields unique.

## Example

```atl
entity Country in geo {
  id    bigint primary
  phone int not null
}

entity City in geo {
  id    bigint primary
  phone int references geo.Country.phone
}
```

## Fix

Reference the key, or make the field `unique`.

```atl
entity Country in geo {
  id    bigint primary
  phone int not null unique
}

entity City in geo {
  id    bigint primary
  phone int references geo.Country.phone
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import Pointer, pointer, settled
from atl.findings import Edit, Finding, Fix
from atl.schema.symbols import EntitySymbol
from atl.schema.types import has_equality
from atl.source import Place
from atl.syntax import nodes as n

# A field's type, read behind its name from the text of an entity whose tree is not at hand.
_TYPE = re.compile(r"[ \t]*(?:\[\][ \t]*)*\w+(?:\.\w+)?(?:\([\w, ]*\))?")


def check(clause: n.References, ctx: Context) -> Iterator[Finding]:
    reference = pointer(clause, ctx)
    if reference is None or reference.unique:
        return
    at, found = reference.at, reference.target
    if at is None or found is None or type(found.symbol) is not EntitySymbol:
        return
    target = found.symbol
    path = ".".join(name.text for name in clause.path)
    key = f", or reference its key `{target.key[0]}`" if len(target.key) == 1 else ""
    yield ctx.finding(
        "ATL307",
        clause.path[2],
        f"`{path}` is not unique by itself",
        labels=[(Place(found.anchor, *at.span), "neither the key nor `unique`")],
        help=f"make `{at.name}` unique{key}",
        fixes=_fixes(reference, target, ctx),
    )


def _fixes(reference: Pointer, target: EntitySymbol, ctx: Context) -> list[Fix]:
    fixes: list[Fix] = []
    at, found = reference.at, reference.target
    assert at is not None and found is not None
    if found.own and not target.hyper and settled(ctx, at.type) and has_equality(at.type):
        written = _TYPE.match(found.anchor.file.text, found.anchor.start + at.span.end)
        if written is not None:
            end = written.end() - found.anchor.start
            edit = Edit(Place(found.anchor, end, end), " unique")
            fixes.append(Fix(f"make `{at.name}` unique", (edit,), safe=False))
    key = target.field(target.key[0]) if len(target.key) == 1 else None
    if key is not None and key.type == reference.symbol.type:
        fixes.append(ctx.fix(f"reference `{key.name}`", (reference.clause.path[2], key.name), safe=False))
    return fixes
