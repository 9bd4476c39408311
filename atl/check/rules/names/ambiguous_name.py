"""A name without its namespace means several entities.

## Why

A bare name is looked up in the declaration's own namespace, then in all others, where it has to be the only one of its
name. With several the server cannot choose, and a later declaration elsewhere would silently change the meaning.

## Example

```atl
entity Door in north {
  id bigint primary
}

entity Door in south {
  id bigint primary
}

entity House in east {
  id bigint primary
}

procedure Close for House {
  input { id: bigint }
  steps {
    delete Door where id = $id
  }
}
```

## Fix

Write the namespace.

```atl
entity Door in north {
  id bigint primary
}

entity Door in south {
  id bigint primary
}

entity House in east {
  id bigint primary
}

procedure Close for House {
  input { id: bigint }
  steps {
    delete north.Door where id = $id
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.entity_uses import entity_uses
from atl.findings import Finding
from atl.syntax import nodes as n

# So many candidates are named; the rest is counted.
_SHOWN = 4


def check(node: n.Node, ctx: Context) -> Iterator[Finding]:
    is_owner = isinstance(node, n.QueryDecl | n.ProcedureDecl)
    if not ctx.scope.namespace and not is_owner:
        # The owner is unknown, and in its namespace the name might well be unambiguous.
        return
    for use in entity_uses(node, ctx):
        if use.namespace is not None:
            continue
        candidates = ctx.scope.entity_candidates(None, use.name.text)
        if len(candidates) < 2:
            continue
        more = f" and {len(candidates) - _SHOWN} more" if len(candidates) > _SHOWN else ""
        candidates = candidates[:_SHOWN]
        ids = [f"{found.symbol.namespace}.{found.symbol.name}" for found in candidates]
        if use.bare:
            help, fixes = "rename one of them: no namespace can be written here", []
        else:
            help = "write " + " or ".join(f"`{id}`" for id in ids)
            fixes = [ctx.fix(f"change to `{id}`", (use.name, id), safe=False) for id in ids]
        yield ctx.finding(
            "ATL106",
            use.name,
            f"`{use.name.text}` may mean any of {', '.join(f'`{id}`' for id in ids)}{more}",
            primary="ambiguous",
            labels=[(found.place, f"`{id}`") for found, id in zip(candidates, ids, strict=True)],
            help=help,
            fixes=fixes,
        )
