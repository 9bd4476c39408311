"""A key, a unique constraint, an index or a comparison is on a type that cannot be compared.

## Why

`json`, `xml` and the geometric types have no equality that PostgreSQL could build a key or a btree index on, and no
comparison in a typed step. Neither have arrays of them. `jsonb` has one.

## Example

```atl
entity Survey in land {
  id    bigint primary
  notes json
  index by notes
}
```

## Fix

Use a type that has an equality, or leave the key, index or comparison out.

```atl
entity Survey in land {
  id    bigint primary
  notes jsonb
  index by notes
}
```
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, field_symbols
from atl.findings import Finding
from atl.schema.symbols import Type
from atl.schema.types import has_equality, spelled, type_of
from atl.syntax import nodes as n

_Clause = n.EntityDecl | n.EphemeralDecl | n.PrimaryBy | n.UniqueBy | n.Index | n.FieldClause | n.Update | n.Delete


def check(node: _Clause, ctx: Context) -> Iterator[Finding]:
    if isinstance(node, n.EntityDecl | n.EphemeralDecl):
        # An ephemeral has a key, but no constraint.
        words = ("primary", "unique") if type(node) is n.EntityDecl else ("primary",)
        for member in node.members:
            if type(member) is n.Field and member.type is not None:
                for modifier in member.modifiers:
                    if type(modifier) is n.Flag and modifier.word in words:
                        yield from _field(member.name, modifier, member.type, ctx)
                        break
    elif isinstance(node, n.PrimaryBy | n.UniqueBy):
        what = "be part of a key" if type(node) is n.PrimaryBy else "be unique"
        yield from _fields(node.fields, what, ctx)
    elif type(node) is n.Index:
        yield from _fields([each.field for each in node.columns if each.field is not None], "be indexed", ctx)
    elif type(node) is n.FieldClause:
        if node.word == "partition":  # which brings an index
            yield from _fields([node.field], "partition the rows", ctx)
    elif isinstance(node, n.Update | n.Delete):
        from atl.check.values import comparisons

        for comparison, left, right, unknown in comparisons(node, ctx):
            for each in (left, right):
                if not unknown and comparison.op and each is not None and not has_equality(each.type):
                    label = (each.declared, f"declared as `{spelled(each.type)}`")
                    message = f"`{spelled(each.type)}` has no equality, so it cannot be compared"
                    yield ctx.finding("ATL210", comparison, message, labels=[label], help=_advice(each.type))
                    break


def _field(name: n.Name, modifier: n.Flag, ref: n.TypeRef, ctx: Context) -> Iterator[Finding]:
    declared = type_of(ref, ctx.scope.namespace)
    if not has_equality(declared):
        what = "be a key" if modifier.word == "primary" else "be unique"
        yield _finding(modifier, name.text, declared, ref, what, ctx)


def _fields(names: Iterable[n.Name], what: str, ctx: Context) -> Iterator[Finding]:
    symbols, nodes = field_symbols(ctx), field_nodes(ctx)
    for name in names:
        symbol = symbols.get(name.text)
        if symbol is not None and not has_equality(symbol.type):
            node = nodes[name.text]
            yield _finding(name, name.text, symbol.type, node.type or node.name, what, ctx)


def _finding(where: n.Node, name: str, declared: Type, at: n.Node, what: str, ctx: Context) -> Finding:
    spelling = spelled(declared)
    message = f"`{name}` is `{spelling}`, which has no equality, so it cannot {what}"
    return ctx.finding("ATL210", where, message, labels=[(at, f"`{spelling}` has no equality")], help=_advice(declared))


def _advice(declared: Type) -> str:
    return "declare it as `jsonb`, which has an equality" if declared.base == "json" else ""
