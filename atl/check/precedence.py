"""Which of several declarations that clash came first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from atl.check.context import Context
from atl.schema.index import Found

__all__ = ["earlier"]


def earlier(clashing: Sequence[Found], ctx: Context) -> Iterator[Found]:
    """Those of `clashing` (by path and offset, the declaration under check among them) that stand before it, lazily:
    of thousands of one name each is content with the first. Other callers' declarations all count as earlier: they are
    never reported on, so the clash would else be lost."""
    assert ctx.symbol is not None
    for at, found in enumerate(clashing):
        if found.anchor is ctx.unit.anchor and found.symbol.span == ctx.symbol.span:
            yield from (other for other in clashing[at + 1 :] if not other.own)
            return
        yield found
