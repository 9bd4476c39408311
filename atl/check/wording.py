"""Pieces of messages that several rules share."""

from __future__ import annotations

from atl.check.context import Context
from atl.syntax import nodes as n

__all__ = ["listed", "shown"]

# What a message can quote without becoming unreadable.
_LONGEST = 40


def shown(ctx: Context, node: n.Node) -> str:
    """A node's text in backquotes, on one line, shortened when it is long."""
    text = " ".join(ctx.source(node.start, node.end).split())
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 3]}...`"


def listed(names: list[str]) -> str:
    """`a`, `b` and `c`."""
    quoted = [f"`{name}`" for name in names]
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"
