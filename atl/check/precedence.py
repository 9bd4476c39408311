"""Which of several declarations that clash came first."""

from __future__ import annotations

from collections.abc import Sequence

from atl.check.context import Context
from atl.schema.index import Found

__all__ = ["earlier"]


def earlier(clashing: Sequence[Found], ctx: Context) -> list[Found]:
    """Those of `clashing` (by path and offset, the declaration under check among them) that stand before it. Other
    callers' declarations all do: they are never reported on, so the clash would else be lost."""
    assert ctx.symbol is not None
    before: list[Found] = []
    for found in clashing:
        if found.anchor is ctx.unit.anchor and found.symbol.span == ctx.symbol.span:
            break
        if found.own:
            before.append(found)
    return [found for found in clashing if not found.own] + before
