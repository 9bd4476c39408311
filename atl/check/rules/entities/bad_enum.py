"""An enum has no labels, a label twice, or one that is longer than PostgreSQL takes.

## Why

PostgreSQL refuses a repeated label and one of more than 63 bytes. An enum without labels has no value, so nothing of
its type can ever be stored.

## Example

```atl
enum Shift in till {
  early, late, early
}
```

## Fix

Give it labels, each once and of at most 63 bytes.

```atl
enum Shift in till {
  early, late, night
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.schema.naming import MAX_BYTES
from atl.source import encoded
from atl.syntax import nodes as n


def check(enum: n.EnumDecl, ctx: Context) -> Iterator[Finding]:
    # What was reported inside the braces may have been meant for a label.
    inside = any(enum.open < raw.start < enum.close for raw in ctx.unit.chunk.raw)
    if not enum.labels and enum.name is not None and not enum.lost and not inside:
        yield ctx.finding("ATL328", enum.name, f"the enum `{enum.name.text}` has no labels", help="add a label")
    first: dict[str, n.EnumLabel] = {}
    for label in enum.labels:
        before = first.setdefault(label.text, label)
        if before is not label:
            yield ctx.finding(
                "ATL328",
                label,
                f"the label {shown(ctx, label)} is given twice",
                labels=[(before, "first given here")],
                help="remove one of the two",
            )
            continue
        size = len(encoded(label.text))
        if size > MAX_BYTES:
            yield ctx.finding(
                "ATL328",
                label,
                f"the label {shown(ctx, label)} has {size} bytes, and PostgreSQL takes at most {MAX_BYTES}",
                help=f"shorten it to at most {MAX_BYTES} bytes",
            )
