"""A name is not written as names of its kind are: `PascalCase` or `snake_case`.

## Why

Declarations are `PascalCase`; namespaces, fields, arguments, inputs, outputs, state fields and steps are `snake_case`.
Generated clients and tables are named after them, so a name of another shape gives code that looks foreign, and in
PostgreSQL a column that has to be quoted everywhere.

## Example

```atl
entity Item in shop {
  id        bigint primary
  unitPrice int not null
}
```

## Fix

Write it by the convention. An existing field is renamed without losing its data by a `renamed-from` comment.

```atl
entity Item in shop {
  id         bigint primary
  unit_price int not null
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from atl.check.context import Context
from atl.check.declared import Named, declared
from atl.findings import Finding
from atl.schema.naming import snake_case
from atl.syntax import nodes as n

_PASCAL = re.compile(r"[A-Z][A-Za-z0-9]*", re.ASCII)
_SNAKE = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
_FREE = (Named.RELATION, Named.CHECK)


def check(decl: n.Declaration, ctx: Context) -> Iterator[Finding]:
    for what, name in declared(ctx):
        shape = _PASCAL if what is Named.DECLARATION else _SNAKE
        if shape.fullmatch(name.text) or what in _FREE or name.reserved or not name.text.isascii():
            continue
        usual = _pascal_case(name.text) if shape is _PASCAL else snake_case(name.text).strip("_")
        style = "PascalCase" if shape is _PASCAL else "snake_case"
        kind = "field" if what is Named.COLUMN else what.value
        yield ctx.finding(
            "ATL108",
            name,
            f"the {kind} `{name.text}` is not in `{style}`",
            help=f"`{usual}` would be usual" if shape.fullmatch(usual) else f"use `{style}`",
        )


def _pascal_case(name: str) -> str:
    return "".join(word[:1].upper() + word[1:] for word in name.split("_"))
