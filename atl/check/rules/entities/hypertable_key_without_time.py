"""A key, unique constraint or unique index of a hypertable leaves out the time field.

## Why

TimescaleDB keeps each chunk of time in a table of its own and can only tell within one chunk whether a value is unique.
So it refuses a key or unique index that does not hold the time field.

## Example

```atl
hypertable Flow in mine on at {
  at    timestamptz not null
  probe int not null
  nr    bigint not null
  primary by probe, nr
}
```

## Fix

Add the time field to it.

```atl
hypertable Flow in mine on at {
  at    timestamptz not null
  probe int not null
  nr    bigint not null
  primary by probe, nr, at
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, field_symbols
from atl.check.mending import Change, add_member, add_modifier, remove_modifier
from atl.findings import Finding
from atl.syntax import nodes as n


def check(entity: n.EntityDecl, ctx: Context) -> Iterator[Finding]:
    time = entity.on
    if time is None or time.text not in field_symbols(ctx):
        return
    for member in entity.members:
        match member:
            case n.Field():
                if member.modifiers and member.name.text != time.text:
                    yield from _field(member, time, ctx)
            case n.PrimaryBy():
                yield from _clause(member, member.fields, "the key", time, ctx)
            case n.UniqueBy():
                yield from _clause(member, member.fields, "this unique constraint", time, ctx)
            case n.Index():
                if member.unique:
                    columns = [column.field for column in member.columns if column.field is not None]
                    yield from _clause(member, columns, "this unique index", time, ctx)
            case _:
                pass


def _field(field: n.Field, time: n.Name, ctx: Context) -> Iterator[Finding]:
    name = field.name.text
    for word, what, clause in (("primary", "the key", "primary by"), ("unique", "a unique constraint", "unique by")):
        flag = field.flag(word)
        if flag is None:
            continue
        wanted = f"{clause} {name}, {time.text}"
        changes: list[Change | None] = [add_member(ctx, wanted)]
        if word == "primary":
            kept = field.flag("not null") is not None
            changes.append(remove_modifier(ctx, flag) if kept else (ctx.place(flag), "not null"))
            changes.extend(_not_null(time, ctx))
        else:
            changes.append(remove_modifier(ctx, flag))
        made = [change for change in changes if change is not None]
        yield ctx.finding(
            "ATL320",
            flag,
            f"{what} of a hypertable holds its time field, and `{name}` alone does not",
            labels=[(time, "the time field")],
            help=f"write `{wanted}` instead",
            fixes=[ctx.fix(f"write `{wanted}`", *made, safe=False)] if len(made) == len(changes) else [],
        )


def _clause(node: n.Node, names: list[n.Name], what: str, time: n.Name, ctx: Context) -> Iterator[Finding]:
    known = field_symbols(ctx)
    if any(name.text == time.text or name.text not in known for name in names):
        # An unknown name may well be the time field, misspelt.
        return
    changes: list[Change] = []
    if names:
        changes = [(ctx.insertion(names[-1].end), f", {time.text}")]
        if type(node) is n.PrimaryBy:
            changes.extend(_not_null(time, ctx))
    yield ctx.finding(
        "ATL320",
        node,
        f"{what} leaves out `{time.text}`, the time field of the hypertable",
        labels=[(time, "the time field")],
        help=f"add `{time.text}` to it",
        fixes=[ctx.fix(f"add `{time.text}`", *changes, safe=False)] if changes else [],
    )


def _not_null(time: n.Name, ctx: Context) -> Iterator[Change]:
    """A key's field cannot be null."""
    field = field_nodes(ctx)[time.text]
    if not field_symbols(ctx)[time.text].not_null:
        yield add_modifier(ctx, field, "not null")
