"""Tokens to parts and atoms: where lines end because a comment ends them, and where they may end."""

from __future__ import annotations

from collections.abc import Iterable

from atl.format.items import Part
from atl.format.tokens import Tokens

__all__ = ["breaking_points", "flow"]

_BREAK_BEFORE = frozenset(("and", "set", "where"))


def flow(tokens: Tokens, first: int, end: int, breaks: Iterable[int]) -> list[Part]:
    """Tokens `first` to `end` (exclusive) as parts, at least one; the last has atoms unless there are no tokens. An
    atom begins at each index in `breaks`, or at the comments that stand before it on its line."""
    starts = set()
    for k in breaks:
        while k > first and tokens.is_comment(k - 1) and tokens.lines[k] == 0 and not tokens.ends_line(k - 1):
            k -= 1
        starts.add(k)
    parts: list[Part] = []
    atoms: list[str] = []
    atom = ""
    for k in range(first, end):
        own_line = k > first and tokens.is_comment(k) and tokens.lines[k] > 0
        if atom and (own_line or k in starts):
            atoms.append(atom)
            atom = ""
        if own_line and atoms:
            parts.append(Part(atoms))
            atoms = []
        if tokens.is_comment(k) and (tokens.ends_line(k) or (k + 1 < end and tokens.lines[k + 1])):
            if atom:
                atoms.append(atom)
            parts.append(Part(atoms, tokens.texts[k]))
            atoms, atom = [], ""
        elif tokens.is_comma(k) and not atom and not atoms and parts:
            _late_comma(parts)
        else:
            atom += (tokens.gap(k) if atom else "") + tokens.texts[k]
    if atom:
        atoms.append(atom)
    if atoms or not parts:
        parts.append(Part(atoms))
    return parts


def _late_comma(parts: list[Part]) -> None:
    """A comma that a comment parts from what stands before it goes there, in front of the comment."""
    last = next((part for part in reversed(parts) if part.atoms), None)
    if last is not None:
        last.atoms[-1] += ","


def breaking_points(tokens: Tokens, first: int, end: int, depth: int = 0) -> list[int]:
    """Where the line of a clause or step may be broken: after commas not deeper than `depth` brackets, before `set`,
    `where` and `and`."""
    found: list[int] = []
    deep = 0
    for k in range(first, end):
        word = tokens.texts[k]
        if word == "(":
            deep += 1
        elif word == ")":
            deep -= 1
        elif word == "," and deep <= depth:
            found.append(k + 1)
        elif word in _BREAK_BEFORE and deep == 0:
            found.append(k)
    return found
