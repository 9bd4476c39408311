"""What to cut so that a piece of text is gone."""

from __future__ import annotations

from atl.check.context import Context
from atl.source import Place

__all__ = ["removal"]


def removal(ctx: Context, start: int, end: int) -> Place:
    """What to empty so that the text at [start, end) is gone: with its line when nothing else is on it, else with the
    white space on one side. What follows on the line is never glued to what stands before."""
    text = ctx.unit.chunk.text
    left, right = start, end
    while left > 0 and text[left - 1] in " \t":
        left -= 1
    while right < len(text) and text[right] in " \t":
        right += 1
    begins = left == 0 or text[left - 1] == "\n"
    ends = right == len(text) or text[right] in "\r\n"
    if begins and ends and left > 0:
        left -= 2 if text[left - 2 : left] == "\r\n" else 1
        return ctx.at(left, right)
    if begins:
        return ctx.at(start, right)
    if ends:
        return ctx.at(left, right)
    return ctx.at(left if right > end else start, end)
