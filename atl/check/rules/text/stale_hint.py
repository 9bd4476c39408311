"""A `renamed-from` hint names what is not there to be renamed.

## Why

The hint says what a declaration, field or label was called before, so that a plan renames it and keeps its rows. One
that names its own bearer, or the same old name as another hint (of a member of the same declaration, or of a
declaration of the same kind and namespace), can rename nothing; the plan ignores it, and what was meant to be kept is
dropped. Whether the old name was there at all is known only beside the old schema.

## Example

```atl
entity Contact in directory {
  id bigint primary
  email text // atl: renamed-from email
}
```

## Fix

Remove the hint, or give the name that the old schema has.

```atl
entity Contact in directory {
  id bigint primary
  email text // atl: renamed-from mail
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from atl.check.comments import whole_comment
from atl.check.context import Context
from atl.check.precedence import earlier
from atl.closed import assert_never
from atl.findings import Finding
from atl.schema.symbols import OtherSymbol
from atl.source import Place
from atl.syntax import nodes as n

if TYPE_CHECKING:
    from atl.schema.hints import Hint, HintTarget


def check(decl: n.EntityDecl | n.EnumDecl | n.JobDecl, ctx: Context) -> Iterator[Finding]:
    if "renamed-from" not in ctx.unit.chunk.text:
        return
    from atl.schema.hints import hints

    first: dict[str, Hint] = {}
    for hint in hints(ctx.unit.chunk):
        if hint.declaration is not decl or hint.target is None or not hint.old_name:
            continue
        if hint.old_name == _name(hint.target):
            yield _stale(ctx, hint, f"`{hint.old_name}` is its own name, so there is nothing to rename")
        elif hint.target is not decl:
            other = first.setdefault(hint.old_name, hint)
            if other.target is not hint.target:
                label = ctx.at(other.start, other.end), "first said here"
                yield _stale(ctx, hint, f"`{hint.old_name}` is the old name of another member already", label)
        elif not isinstance(ctx.symbol, OtherSymbol | None) and ctx.symbol.renamed_from == hint.old_name:
            # Another caller's declarations are renamed by that caller's plans.
            own = [found for found in ctx.scope.same_hint(ctx.symbol) if found.own]
            claimed = next(earlier(own, ctx), None)
            if claimed is not None:
                name = f"{claimed.symbol.namespace}.{claimed.symbol.name}"
                label = claimed.place, "called so before, by its hint"
                yield _stale(ctx, hint, f"`{hint.old_name}` is the old name of `{name}` already", label)


def _name(target: HintTarget) -> str:
    match target:
        case n.EnumLabel():
            return target.text
        case n.Field():
            return target.name.text
        case n.EntityDecl() | n.EnumDecl() | n.JobDecl():
            return "" if target.name is None else target.name.text
        case _:
            assert_never(target)


def _stale(ctx: Context, hint: Hint, message: str, label: tuple[Place, str] | None = None) -> Finding:
    return ctx.finding(
        "ATL016",
        ctx.at(hint.comment.start, hint.comment.end),
        message,
        labels=() if label is None else [label],
        help="remove the hint, or give the name that the old schema has",
        fixes=[ctx.fix("remove the hint", (whole_comment(ctx.unit, hint.comment), ""))],
    )
