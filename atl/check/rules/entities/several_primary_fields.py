"""Two fields of one declaration are `primary`.

## Why

A table has one primary key and an ephemeral one key. Two marked fields may mean a key of both together, or two ways to
find a row; PostgreSQL refuses to guess.

## Example

```atl
entity Album in post {
  id   bigint primary
  code text primary
}
```

## Fix

For a key of both together write `primary by`; for a second way to find a row, `unique`.

```atl
entity Album in post {
  id   bigint primary
  code text not null unique
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import remove_modifier
from atl.findings import Finding, Fix
from atl.syntax import nodes as n


def check(decl: n.EntityDecl | n.EphemeralDecl, ctx: Context) -> Iterator[Finding]:
    first: tuple[n.Field, n.Flag] | None = None
    for field in decl.members:
        if type(field) is not n.Field or not field.modifiers or (flag := field.flag("primary")) is None:
            continue
        if first is None:
            first = field, flag
            continue
        if field.name.text == first[0].name.text:
            # A field declared twice is ATL102's.
            continue
        ephemeral = type(decl) is n.EphemeralDecl
        fix: Fix
        if ephemeral:
            fix = ctx.fix("remove this `primary`", remove_modifier(ctx, flag), safe=False)
        else:
            words = [w for w in ("not null", "unique") if field.flag(w) is None]
            fix = ctx.fix(f"make `{field.name.text}` unique instead", (flag, " ".join(words) or "unique"), safe=False)
            if not words:
                fix = ctx.fix(f"make `{field.name.text}` unique instead", remove_modifier(ctx, flag), safe=False)
        yield ctx.finding(
            "ATL302",
            flag,
            f"`{field.name.text}` is `primary`, but so is `{first[0].name.text}`",
            primary="a second key",
            labels=[(first[1], "the first key")],
            help="remove one of them"
            if ephemeral
            else f"write `primary by {first[0].name.text}, {field.name.text}`, or make one of them `not null unique`",
            fixes=[fix],
        )
