"""Pieces of messages that several rules share."""

from __future__ import annotations

from collections.abc import Sequence

from atl.check.context import Context
from atl.syntax import nodes as n

__all__ = ["listed", "shown", "string"]

# What a message can quote without becoming unreadable, in characters and in names.
_LONGEST = 40
_MOST = 8


def shown(ctx: Context, node: n.Node) -> str:
    """A node's text in backquotes, on one line, shortened when it is long."""
    text = " ".join(ctx.source(node.start, node.end).split())
    return f"`{text}`" if len(text) <= _LONGEST else f"`{text[: _LONGEST - 3]}...`"


def listed(names: Sequence[str]) -> str:
    """`a`, `b` and `c`; of many the first few and how many more."""
    quoted = [f"`{name}`" for name in names[:_MOST]]
    if len(names) > _MOST:
        quoted.append(f"{len(names) - _MOST} more")
    return quoted[0] if len(quoted) == 1 else f"{', '.join(quoted[:-1])} and {quoted[-1]}"


def string(value: str) -> str:
    """A string of the language with this value."""
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(char, escape)
    return f'"{value}"'
