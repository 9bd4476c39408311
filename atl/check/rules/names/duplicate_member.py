"""A field, argument, input, output or state field, or a check's name, is declared twice.

## Why

A table, a set of arguments and a result each have one column or value of a name. PostgreSQL refuses the second one, and
nobody can tell which of the two types is meant.

## Example

```atl
entity Meter in power {
  id    bigint primary
  phase smallint not null
  phase int
}
```

## Fix

Remove one of the two, or rename it.

```atl
entity Meter in power {
  id           bigint primary
  phase        smallint not null
  target_phase int
}
```
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(
    node: n.EntityDecl | n.EphemeralDecl | n.Args | n.State | n.Input | n.Output, ctx: Context
) -> Iterator[Finding]:
    match node:
        case n.EntityDecl():
            yield from _repeated("field", [m.name for m in node.members if type(m) is n.Field], ctx)
            checks = [m.name for m in node.members if type(m) is n.EntityCheck and m.name is not None]
            yield from _repeated("check", checks, ctx)
        case n.EphemeralDecl():
            yield from _repeated("field", [m.name for m in node.members if type(m) is n.Field], ctx)
        case n.Args():
            yield from _repeated("argument", [field.name for field in node.fields], ctx)
        case n.State():
            yield from _repeated("state field", [field.name for field in node.fields], ctx)
        case n.Input():
            yield from _repeated("input", [param.name for param in node.params], ctx)
        case n.Output():
            yield from _repeated("output", [param.name for param in node.params or ()], ctx)


def _repeated(what: str, names: list[n.Name], ctx: Context) -> Sequence[Finding]:
    if len({name.text for name in names}) == len(names):
        return ()
    first: dict[str, n.Name] = {}
    article = "an" if what[0] in "aeiou" else "a"
    return [
        ctx.finding(
            "ATL102",
            name,
            f"there is already {article} {what} `{name.text}`",
            primary="declared again here",
            labels=[(first[name.text], "first declared here")],
            help="remove one of the two, or rename it",
        )
        for name in names
        if first.setdefault(name.text, name) is not name and not name.reserved
    ]
