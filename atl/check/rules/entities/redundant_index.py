"""An index or constraint repeats another one.

## Why

Each index costs time on every write and space on disk, and a second one of the same kind over the same columns finds
nothing that the first does not. A key and a `unique` come with an index of their own. Only exact repetitions are
reported: the same columns or expressions in the same order and direction, with the same predicate.

## Example

```atl
entity Member in club {
  id    bigint primary
  email text not null unique
  index by email
}
```

## Fix

Remove the second one.

```atl
entity Member in club {
  id    bigint primary
  email text not null unique
}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator

from atl.check.context import Context
from atl.check.fields import field_symbols
from atl.check.mending import remove_member, remove_modifier
from atl.findings import Finding
from atl.records import NamedTuple
from atl.syntax import nodes as n


class _Part(NamedTuple):
    """An index or constraint. kind: how it is called. rough: equal for all that may be the same; exact, asked only
    then: equal for all that are. columns: of a key or unique constraint, what a plain btree index would repeat."""

    node: n.Node
    kind: str
    rough: Hashable
    exact: Callable[[], Hashable]
    columns: tuple[str, ...] = ()


def check(entity: n.EntityDecl, ctx: Context) -> Iterator[Finding]:
    if not _may_repeat(entity):
        return
    parts = sorted(_parts(entity, ctx), key=lambda part: part.node.start)
    enforced: dict[tuple[str, ...], _Part] = {}
    for part in sorted(parts, key=lambda part: part.kind != "key"):
        if part.columns and (part.kind != "key" or part.columns == ctx.entity.key):
            enforced.setdefault(part.columns, part)
    shared = Counter((part.kind, part.rough) for part in parts)
    others: dict[Hashable, _Part] = {}
    for part in parts:
        if part.kind == "key":
            # A second key is reported as such.
            continue
        first = part
        if part.columns:
            first = enforced[part.columns]
        elif type(part.node) is n.Index and (columns := _plain(part.node)) in enforced:
            first = enforced[columns]
        elif shared[part.kind, part.rough] > 1:
            first = others.setdefault((part.kind, part.rough, part.exact()), part)
        if first is not part:
            yield _finding(part, first, ctx)


def _may_repeat(entity: n.EntityDecl) -> bool:
    """A quick look: nearly every entity repeats nothing."""
    seen: set[Hashable] = set()
    count = 0
    for member in entity.members:
        kind: type[n.Node] = type(member)
        if type(member) is n.Field:
            for modifier in member.modifiers:
                if type(modifier) is n.FieldCheck:
                    seen.add("".join(modifier.sql.value.split()))
                    count += 1
                elif type(modifier) is n.Flag and modifier.word in ("primary", "unique"):
                    seen.add((member.name.text,))
                    count += 1
            continue
        if type(member) is n.Index:
            seen.add(_plain(member) or (kind, member.unique, _shape(member)))
        elif type(member) is n.PrimaryBy or type(member) is n.UniqueBy:
            seen.add(tuple([name.text for name in member.fields]))
        elif type(member) is n.HnswIndex or type(member) is n.GinIndex:
            seen.add((kind, member.field.text, member.ops if type(member) is n.HnswIndex else ""))
        elif type(member) is n.EntityCheck:
            seen.add("".join(member.sql.value.split()))
        else:
            continue
        count += 1
    return len(seen) < count


def _parts(entity: n.EntityDecl, ctx: Context) -> Iterator[_Part]:
    """What has no unknown name in it; a modifier given twice counts once."""
    known = field_symbols(ctx)
    for member in entity.members:
        match member:
            case n.Field():
                if member.modifiers:
                    yield from _of_field(member)
            case n.PrimaryBy() | n.UniqueBy():
                columns = tuple([name.text for name in member.fields])
                if all(name in known for name in columns):
                    kind = "key" if type(member) is n.PrimaryBy else "unique constraint"
                    yield _Part(member, kind, columns, lambda: None, columns)
            case n.Index():
                if all(column.field is None or column.field.text in known for column in member.columns):
                    kind = "unique index" if member.unique else "index"
                    yield _Part(member, kind, _shape(member), _reader(member))
            case n.HnswIndex() | n.GinIndex():
                if member.field.text in known:
                    ops = member.ops if type(member) is n.HnswIndex else None
                    yield _Part(member, "index", (member.field.text, type(member), ops), lambda: None)
            case n.EntityCheck():
                yield _of_check(member, member.sql)
            case _:
                pass


def _of_field(field: n.Field) -> Iterator[_Part]:
    for word, kind in (("primary", "key"), ("unique", "unique constraint")):
        if (flag := field.flag(word)) is not None:
            yield _Part(flag, kind, (field.name.text,), lambda: None, (field.name.text,))
    for modifier in field.modifiers:
        if type(modifier) is n.FieldCheck:
            yield _of_check(modifier, modifier.sql)
            return


def _of_check(node: n.Node, sql: n.Str) -> _Part:
    def exact() -> Hashable:
        from atl.postgres.expression import canonical_expression

        return canonical_expression(sql.value)

    return _Part(node, "check", "".join(sql.value.split()), exact)


def _shape(index: n.Index) -> Hashable:
    """Everything but what the expressions and the predicate say."""
    columns = [
        (None if column.field is None else column.field.text, column.direction == "desc") for column in index.columns
    ]
    return tuple(columns), index.predicate is not None


def _reader(index: n.Index) -> Callable[[], Hashable]:
    """What the expressions and the predicate mean."""

    def exact() -> Hashable:
        expressions = [column.expr.value for column in index.columns if column.expr is not None]
        if index.predicate is not None:
            from atl.syntax.strings import predicate_sql

            expressions.append(predicate_sql(index.predicate.text)[0])
        if not expressions:
            return None
        from atl.postgres.expression import canonical_expression

        return tuple([canonical_expression(sql) for sql in expressions])

    return exact


def _plain(index: n.Index) -> tuple[str, ...]:
    """The columns of an index that a key or unique constraint can stand for; () when it is no such index."""
    if index.predicate is not None or index.unique:
        return ()
    names = [column.field.text for column in index.columns if column.field is not None and column.direction != "desc"]
    return tuple(names) if len(names) == len(index.columns) else ()


def _finding(part: _Part, first: _Part, ctx: Context) -> Finding:
    modifier = isinstance(part.node, n.Flag | n.FieldCheck)
    changes = [remove_modifier(ctx, part.node)] if modifier else remove_member(ctx, part.node)
    return ctx.finding(
        "ATL326",
        part.node,
        f"this {part.kind} repeats the {first.kind} on {_columns(first)}"
        if first.columns
        else f"this {part.kind} repeats another one",
        labels=[(first.node, f"the same {'columns' if first.columns else part.kind}")],
        help="remove it",
        fixes=[ctx.fix(f"remove the {part.kind}", *changes)],
    )


def _columns(part: _Part) -> str:
    return ", ".join(f"`{name}`" for name in part.columns)
