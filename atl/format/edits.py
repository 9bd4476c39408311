"""The difference between a text and its laid-out form, as the smallest replacements of white space and commas."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from atl.format.document import format_tree
from atl.syntax.tree import FileTree

__all__ = ["TextEdit", "edits", "range_edits"]


_GAP = re.compile(r"[\s,]*")


class TextEdit(NamedTuple):
    """Replace [start, end) of the text (offsets) by `new_text`. Edits of one answer are in order and do not touch."""

    start: int
    end: int
    new_text: str


def edits(tree: FileTree) -> list[TextEdit]:
    """What lays the file out. Nothing when it is laid out already. A byte-order mark is outside of the text."""
    return list(_compare(tree.file.text, format_tree(tree)))


def range_edits(tree: FileTree, start: int, end: int) -> list[TextEdit]:
    """What lays out the declarations that [start, end) touches, and nothing else. Never part of a declaration: its
    columns hang together, and carry meaning."""
    text = tree.file.text
    low, high = len(text), 0
    for unit in tree.units:
        first = unit.anchor.start
        last = first + len(unit.chunk.text)
        if first <= end and start <= last:
            low, high = min(low, first), max(high, last)
    return [edit for edit in edits(tree) if low <= edit.start and edit.end <= high]


def _compare(old: str, new: str) -> Iterator[TextEdit]:
    """The two differ in white space and commas alone, so they agree again behind every stretch of these."""
    i = j = done = 0
    while (step := _agreement(old, i, new, j)) is not None:
        i, j = i + step, j + step
        while i > done and (old[i - 1].isspace() or old[i - 1] == ","):
            i, j = i - 1, j - 1
        done, until = _gap_end(old, i), _gap_end(new, j)
        yield _trimmed(old, i, done, new[j:until])
        i, j = done, until


def _agreement(old: str, i: int, new: str, j: int) -> int | None:
    """How many characters are the same from `i` and `j` on; None when all that is left is."""
    size, step = 1024, 0
    while size:
        mine, other = old[i + step : i + step + size], new[j + step : j + step + size]
        if mine != other:
            size //= 2
        elif not mine:
            return None
        else:
            step += size
    return step


def _gap_end(text: str, at: int) -> int:
    match = _GAP.match(text, at)
    return match.end() if match else at


def _trimmed(old: str, start: int, end: int, new: str) -> TextEdit:
    """Without what both begin and end with. No end of it stands between CR and LF, where editors have no place."""
    prefix = _agreement(old[start:end], 0, new, 0) or 0
    start, new = start + prefix, new[prefix:]
    suffix = _agreement(old[start:end][::-1], 0, new[::-1], 0) or 0
    end, new = end - suffix, new[: len(new) - suffix]
    if old[start - 1 : start + 1] == "\r\n":
        start, new = start - 1, "\r" + new
    if old[end - 1 : end + 1] == "\r\n":
        end, new = end + 1, new + "\n"
    return TextEdit(start, end, new)
