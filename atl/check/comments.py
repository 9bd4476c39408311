"""Comments as what a fix removes."""

from __future__ import annotations

from atl.source import Place
from atl.syntax.tree import Comment, Unit

__all__ = ["whole_comment"]


def whole_comment(unit: Unit, comment: Comment) -> Place:
    """A comment with its line when it is alone there, else with the white space before it."""
    text = unit.chunk.text
    start, end = comment.start, comment.end
    while start and text[start - 1] in " \t":
        start -= 1
    if comment.own_line and (start == 0 or text[start - 1] == "\n"):
        after = text.find("\n", end)
        end = len(text) if after < 0 else after + 1
    return unit.place(start, end)
