"""An input is declared that nothing uses.

## Why

The server refuses it: a caller has to send a value that changes nothing. Mostly a condition was forgotten, or the name
stands in a string or comment of the SQL, where it is no parameter.

## Example

```atl
entity Ride in park {
  id    bigint primary
  queue int not null
}

query Rides for Ride {
  input { least: int, most: int }
  output { id: bigint }
  sql touches(Ride) {
    SELECT id FROM park.ride WHERE queue >= $least
  }
}
```

## Fix

Use the input, or remove it.

```atl
entity Ride in park {
  id    bigint primary
  queue int not null
}

query Rides for Ride {
  input { least: int }
  output { id: bigint }
  sql touches(Ride) {
    SELECT id FROM park.ride WHERE queue >= $least
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import remove_item
from atl.check.parameters import parameter_uses, placeholders, stray_mark
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.syntax import nodes as n


def check(decl: n.QueryDecl | n.ProcedureDecl, ctx: Context) -> Iterator[Finding]:
    inputs = [part for part in decl.parts if type(part) is n.Input]
    if decl.lost or not inputs or not _has_uses(decl):
        return
    used = {use.name for use in parameter_uses(ctx)} | _tags(decl)
    names = {param.name.text for block in inputs for param in block.params}
    unused = names - used
    if not unused or stray_mark(ctx):
        return
    # A misspelt use is reported where it stands; the input that it means is not unused then.
    unused -= {closest(name, names) for name in used - names}
    for block in inputs:
        for at, param in enumerate(block.params):
            name = param.name.text
            if name in unused:
                unused.discard(name)
                yield ctx.finding(
                    "ATL111",
                    param.name,
                    f"the input `{name}` is not used",
                    primary="never used",
                    help=f"use `${name}`, or remove the input",
                    fixes=[ctx.fix(f"remove the input `{name}`", *remove_item(ctx, block.params, at))],
                )


def _has_uses(decl: n.QueryDecl | n.ProcedureDecl) -> bool:
    """Whether there is anything that could use an input: where there is not, that is ATL601's."""
    return any(type(part) is n.Sql or (type(part) is n.Steps and part.steps) for part in decl.parts)


def _tags(decl: n.QueryDecl | n.ProcedureDecl) -> set[str]:
    names: set[str] = set()
    for part in decl.parts:
        if type(part) is n.Cache:
            for piece in part.parts:
                if type(piece) is n.ReadThrough and piece.tag is not None:
                    names.update(name for name, _, _ in placeholders(piece.tag))
        elif type(part) is n.Invalidate:
            names.update(name for name, _, _ in placeholders(part.tag))
    return names
