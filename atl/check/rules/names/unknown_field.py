"""A clause names a field that the entity does not have.

## Why

Keys, indexes, references, relations and cache writes work on columns. PostgreSQL refuses a key, an index or a foreign
key on a column that is not there.

## Example

```atl
entity Sensor in silo {
  id     bigint primary
  serial varchar(30) not null
  index by serail
}
```

## Fix

Correct the name, or declare the field.

```atl
entity Sensor in silo {
  id     bigint primary
  serial varchar(30) not null
  index by serial
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_symbols
from atl.findings import Finding, Fix
from atl.findings.suggest import closest
from atl.schema.symbols import EntitySymbol
from atl.source import Place
from atl.syntax import nodes as n


def check(node: n.Node, ctx: Context) -> Iterator[Finding]:
    match node:
        case n.EntityDecl():
            if node.on is not None:
                yield from _own(ctx, node.on)
        case n.PrimaryBy() | n.UniqueBy():
            for name in node.fields:
                yield from _own(ctx, name)
        case n.Index():
            for column in node.columns:
                if column.field is not None:
                    yield from _own(ctx, column.field)
        case n.HnswIndex() | n.GinIndex() | n.FieldClause():
            yield from _own(ctx, node.field)
        case n.References():
            if len(node.path) == 3 and type(ctx.decl) is n.EntityDecl:
                namespace, entity, field = node.path
                yield from _other(ctx, namespace.text, entity.text, field)
        case n.Relation():
            yield from _other(ctx, None, node.target.text, node.via)
        case n.InvalidateOn():
            for write in node.writes:
                if write.entity is not None and write.field is not None:
                    yield from _other(ctx, None, write.entity.text, write.field)
                if write.own is not None and type(ctx.decl) is n.EntityDecl:
                    yield from _own(ctx, write.own)
        case _:
            pass


def _own(ctx: Context, name: n.Name) -> Iterator[Finding]:
    if name.text not in field_symbols(ctx) and not ctx.decl.lost:
        yield _unknown(ctx, name, ctx.entity, None)


def _other(ctx: Context, namespace: str | None, entity: str, name: n.Name) -> Iterator[Finding]:
    found = ctx.scope.find("entity", namespace, entity)
    if found is None or type(found.symbol) is not EntitySymbol or found.symbol.lost:
        return
    if found.symbol.field(name.text) is None:
        yield _unknown(ctx, name, found.symbol, found.place)


def _unknown(ctx: Context, name: n.Name, entity: EntitySymbol, declared: Place | None) -> Finding:
    near = closest(name.text, (field.name for field in entity.fields))
    fixes: list[Fix] = []
    if near is not None:
        fixes.append(ctx.fix(f"change to `{near}`", (name, near), safe=False))
    id = f"{entity.namespace}.{entity.name}"
    return ctx.finding(
        "ATL104",
        name,
        f"`{id}` has no field `{name.text}`",
        primary="unknown field",
        labels=[] if declared is None else [(declared, f"`{id}` is declared here")],
        help=f"did you mean `{near}`?" if near is not None else f"add `{name.text}` to `{id}`, or correct the name",
        fixes=fixes,
    )
