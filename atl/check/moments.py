"""Clauses whose field holds a moment."""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.fields import field_nodes, known_field
from atl.findings import Finding
from atl.schema.types import spelled
from atl.syntax import nodes as n

__all__ = ["not_a_moment"]


def not_a_moment(code: str, name: n.Name, why: str, ctx: Context) -> Iterator[Finding]:
    """A finding when the named field is there and is certainly no `timestamptz`."""
    symbol = known_field(ctx, name)
    if symbol is None or (symbol.type.base == "timestamptz" and not symbol.type.dims):
        return
    field = field_nodes(ctx)[symbol.name]
    written = spelled(symbol.type)
    yield ctx.finding(
        code,
        name,
        f"{why}, and `{name.text}` is `{written}`",
        labels=[(field.type or field.name, f"`{written}`")],
        help=f"make `{name.text}` `timestamptz`, or name another field",
    )
