"""A reference sets a field to null that cannot be null.

## Why

`on delete set null` and `on update set null` write null into the field when the row that it points at goes or changes
its key. The field is `not null`, so every such delete or update would fail.

## Example

```atl
entity Coach in rail {
  id bigint primary
}

entity Seat in rail {
  id    bigint primary
  coach bigint not null references rail.Coach.id on delete set null
}
```

## Fix

Let the field be null, or choose another action.

```atl
entity Coach in rail {
  id bigint primary
}

entity Seat in rail {
  id    bigint primary
  coach bigint references rail.Coach.id on delete set null
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import pointer
from atl.check.mending import remove_modifier
from atl.findings import Finding
from atl.syntax import nodes as n

_IMPLYING = ("not null", "primary", "identity", "serial")


def check(clause: n.References, ctx: Context) -> Iterator[Finding]:
    if not clause.actions or (reference := pointer(clause, ctx)) is None or not reference.symbol.not_null:
        return
    field = reference.field
    flags = [flag for word in _IMPLYING if (flag := field.flag(word)) is not None]
    # Of two actions for one event the second is a duplicate.
    for action in {action.event: action for action in reversed(clause.actions)}.values():
        if action.action != "set null":
            continue
        name, event = field.name.text, action.event
        fixes = [ctx.fix(f"use `on {event} restrict`", (action, f"on {event} restrict"), safe=False)]
        help = f"use `on {event} restrict` or `on {event} cascade`"
        if [flag.word for flag in flags] == ["not null"]:
            fixes.insert(0, ctx.fix(f"let `{name}` be null", remove_modifier(ctx, flags[0]), safe=False))
            help = f"remove `not null`, or use `on {event} restrict` or `on {event} cascade`"
        implied = flags[0].word if flags else "not null"
        yield ctx.finding(
            "ATL309",
            action,
            f"`{name}` is set to null on {event}, but it "
            + ("is `not null`" if implied == "not null" else f"cannot be null: it is `{implied}`"),
            labels=[(flags[0], "cannot be null")] if flags else [],
            help=help,
            fixes=fixes,
        )
