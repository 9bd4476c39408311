"""An array's elements have a type that no array can hold.

## Why

`[]T` is an array of one dimension. Its element is no array again, no vector, no enum, and no network, bit,
text-search, range or geometric type.

## Example

```atl
enum Mood in diary { good, bad }
entity Day in diary {
  id    bigint primary
  moods []Mood
}
```

## Fix

Use an element that an array can hold, `jsonb` for nested values, or rows of another entity.

```atl
enum Mood in diary { good, bad }
entity Day in diary {
  id    bigint primary
  moods []text
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding
from atl.schema.types import BUILTINS, type_of
from atl.syntax import nodes as n


def check(ref: n.TypeRef, ctx: Context) -> Iterator[Finding]:
    if ref.dims == 0 or ref.postfix:
        return
    row = BUILTINS.get(ref.name.text) if ref.namespace is None else None
    name = f"{ref.namespace.text}.{ref.name.text}" if ref.namespace else ref.name.text
    enum = None
    if row is None:
        id = type_of(ref, ctx.scope.namespace).enum
        enum = ctx.scope.find("enum", *id.split(".", 1)) if "." in id else None
        if enum is None:
            return
    if ref.dims > 1:
        message, advice = "an array has one dimension", f"write `[]{name}`, or `jsonb` for nested values"
    elif enum is not None:
        message, advice = f"`{name}` is an enum, and an array cannot hold one", "write `[]text`, or `jsonb`"
    elif row is not None and not row.element:
        message, advice = f"an array cannot hold `{name}`", "use `jsonb`, or rows of another entity"
    else:
        return
    labels = [(enum.place, "the enum")] if enum is not None and ref.dims == 1 else ()
    yield ctx.finding("ATL202", ref, message, labels=labels, help=advice)
