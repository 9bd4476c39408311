"""A modifier for stored rows stands on an argument of a job or a field of an ephemeral.

## Why

Arguments travel with a job and an ephemeral's values expire: neither has a table. A key, a reference, a unique
constraint or a sequence has nothing to act on there, and the server refuses it on an argument. `not null`, `default`
and `check` mean something in both, and `primary` names an ephemeral's key.

## Example

```atl
job Sharpen in workshop {
  args {
    code text not null unique
  }
}
```

## Fix

Leave the modifier out.

```atl
job Sharpen in workshop {
  args {
    code text not null
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.modifiers import storage_modifiers, without
from atl.findings import Finding
from atl.syntax import nodes as n


def check(node: n.Args | n.EphemeralDecl, ctx: Context) -> Iterator[Finding]:
    if type(node) is n.Args:
        fields, what, weaker = node.fields, "an argument", False
    else:
        assert type(node) is n.EphemeralDecl
        fields, what, weaker = [m for m in node.members if type(m) is n.Field], "a field of an ephemeral", True
    for field in fields:
        for word, modifiers in storage_modifiers(field, keyed=weaker).items():
            yield ctx.finding(
                "ATL401",
                modifiers[0],
                f"`{word}` is for stored rows and means nothing on {what}",
                labels=[(field.name, "not stored in a table")],
                help=f"leave `{word}` out",
                fixes=[without(ctx, word, modifiers)],
                weaker=weaker,
            )
