"""A query has no output or no `sql` block, or a procedure has no step.

## Why

A query promises what it returns and says in SQL how to get it; a procedure is what its steps do. Without one of these
there is nothing to run or nothing to promise, and the server refuses the declaration.

## Example

```atl
entity Seed in bank {
  id   bigint primary
  kind text
}

query Kinds for Seed {
  input { }
  sql touches(Seed) { SELECT id, kind FROM bank.seed }
}
```

## Fix

```atl
entity Seed in bank {
  id   bigint primary
  kind text
}

query Kinds for Seed {
  input { }
  output { id: bigint, kind: text }
  sql touches(Seed) { SELECT id, kind FROM bank.seed }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n


def check(decl: n.QueryDecl | n.ProcedureDecl, ctx: Context) -> Iterator[Finding]:
    if decl.lost or decl.name is None:
        return
    if isinstance(decl, n.QueryDecl):
        found = {type(part) for part in decl.parts}
        missing = [words for kind, words in ((n.Output, "output"), (n.Sql, "`sql` block")) if kind not in found]
        kind, help_ = "query", "add an `output` and an `sql touches(...) { }` block"
        if len(missing) == 1:
            help_ = "declare what it returns: `output { name: type }` or `output as Entity`"
            if n.Output in found:
                help_ = "add `sql touches(...) { SELECT ... }`"
    else:
        steps = any(part.steps for part in decl.parts if isinstance(part, n.Steps))
        missing = [] if steps else ["steps"]
        kind, help_ = "procedure", "add `steps { ... }` with at least one step"
    if missing:
        yield ctx.finding(
            "ATL601",
            decl.name,
            f"the {kind} `{decl.name.text}` has no {' and no '.join(missing)}",
            help=help_,
        )
