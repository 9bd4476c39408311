"""Did-you-mean."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["closest"]


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most likely meant to be, or None when none is near.

    The cut-off of 0.6 is difflib's own default ratio.
    """
    names = sorted(set(candidates) - {word})
    lowered = word.lower()
    for name in names:
        if name.lower() == lowered:
            return name
    from difflib import get_close_matches

    found = get_close_matches(lowered[:64], [name.lower() for name in names], n=1)
    return next((name for name in names if name.lower() == found[0]), None) if found else None
