"""Two declarations have the same name in the same namespace.

## Why

`namespace.Name` is the one id by which the server, other declarations and other services find a declaration, whatever
its kind. The server refuses a second one; only between something stored (an entity or enum) and a query, procedure,
workflow or ephemeral does it accept both, and then readers and tools have to guess which is meant.

## Example

```atl
job Export in sales {
  queue "reports"
}

job Export in sales {
  queue "exports"
}
```

## Fix

Give one of them another name, or keep only one.

```atl
job Export in sales {
  queue "reports"
}

job ExportArchive in sales {
  queue "exports"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.precedence import earlier
from atl.findings import Finding
from atl.schema.symbols import EntitySymbol, EnumSymbol, JobSymbol, Symbol
from atl.syntax import nodes as n


def check(decl: n.Declaration, ctx: Context) -> Iterator[Finding]:
    namespace = ctx.scope.namespace
    if decl.name is None or ctx.symbol is None or not namespace:
        return
    id = f"{namespace}.{decl.name.text}"
    same = ctx.scope.same_id(id)
    if len(same) < 2:
        return
    first, clash = None, None
    for found in earlier(same, ctx):
        first = first or found
        if not _taken_both(ctx.symbol, found.symbol):
            clash = found
            break
    other = clash or first
    if other is None:
        return
    kind = _kind(other.symbol)
    article = "an" if kind[0] in "aeiou" else "a"
    yield ctx.finding(
        "ATL101",
        decl.name,
        f"`{id}` is already declared" if clash is not None else f"`{id}` is declared twice",
        primary="declared again here",
        labels=[(other.place, f"{kind} declared here")],
        help=f"rename this {_kind(ctx.symbol)}: `{id}` is {article} {kind} already",
        weaker=clash is None,
    )


def _taken_both(a: Symbol, b: Symbol) -> bool:
    """Whether the server accepts the two side by side: one is stored, and the other is neither stored nor a job."""
    stored = EntitySymbol | EnumSymbol
    first, second = isinstance(a, stored), isinstance(b, stored)
    return first != second and not isinstance(b if first else a, JobSymbol)


def _kind(symbol: Symbol) -> str:
    match symbol:
        case EntitySymbol():
            return "hypertable" if symbol.hyper else "entity"
        case EnumSymbol():
            return "enum"
        case JobSymbol():
            return "job"
        case _:
            return symbol.kind
