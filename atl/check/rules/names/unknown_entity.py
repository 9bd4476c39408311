"""An entity is named that is not declared anywhere in the workspace.

## Why

Owners, `touches`, references, typed steps and cache writes all work on a table. Without the entity there is no table,
and the server refuses the declaration.

## Example

```atl
entity Invoice in billing {
  id       bigint primary
  customer bigint references billing.Custmer.id
}

entity Customer in billing {
  id bigint primary
}
```

## Fix

Correct the name, or declare the entity. A name without its namespace is looked up in the declaration's own namespace
first, then in all others.

```atl
entity Invoice in billing {
  id       bigint primary
  customer bigint references billing.Customer.id
}

entity Customer in billing {
  id bigint primary
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.entity_uses import EntityUse, entity_uses
from atl.findings import Finding, Fix
from atl.findings.suggest import closest
from atl.source import Place
from atl.syntax import nodes as n


def check(node: n.Node, ctx: Context) -> Iterator[Finding]:
    for use in entity_uses(node, ctx):
        namespace = None if use.namespace is None else use.namespace.text
        if ctx.scope.entity_candidates(namespace, use.name.text) or ctx.scope.may_be_broken(use.name.text):
            continue
        where, suggestion = _place(ctx, use), _suggestion(ctx, use)
        fixes: list[Fix] = []
        if suggestion is not None:
            fixes.append(ctx.fix(f"change to `{suggestion}`", (use.whole(ctx), suggestion), safe=False))
        yield ctx.finding(
            "ATL103",
            where,
            f"there is no entity `{use.text}`",
            primary="unknown entity",
            help=f"did you mean `{suggestion}`?" if suggestion is not None else "declare it, or correct the name",
            fixes=fixes,
        )


def _place(ctx: Context, use: EntityUse) -> Place:
    """The name alone where its namespace has entities, else both: either may be what is wrong."""
    if use.namespace is None or any(namespace == use.namespace.text for namespace, _ in ctx.scope.names("entity")):
        return ctx.place(use.name)
    return use.whole(ctx)


def _suggestion(ctx: Context, use: EntityUse) -> str | None:
    """What was most likely meant, spelled so that it is found from here."""
    entities = ctx.scope.names("entity")
    wanted = use.name.text
    if use.namespace is None:
        near = closest(wanted, (name for _, name in entities))
        homes = [namespace for namespace, name in entities if name == near]
        if near is None or ctx.scope.namespace in homes or len(homes) == 1:
            return near
        return None if use.bare else f"{homes[0]}.{near}"
    here = [name for namespace, name in entities if namespace == use.namespace.text]
    if wanted not in here and (near := closest(wanted, here)) is not None:
        return f"{use.namespace.text}.{near}"
    elsewhere = [f"{namespace}.{name}" for namespace, name in entities if name == wanted]
    near_id = closest(use.text, elsewhere) or next(iter(elsewhere), None)
    return near_id or closest(use.text, (f"{namespace}.{name}" for namespace, name in entities))
