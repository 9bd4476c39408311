"""Did-you-mean."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from functools import lru_cache

__all__ = ["closest"]

# Of more candidates than _ALL only the 2 * _EACH_WAY are compared that begin most like the word, and as many that end
# most like it: a misspelling leaves one of its ends alone, and a workspace with thousands of them stays quick.
_ALL = 120
_EACH_WAY = 25
# What is compared of a word; beyond, one comparison would take time of its own.
_LONGEST = 64


def closest(word: str, candidates: Iterable[str]) -> str | None:
    """The candidate that `word` was most likely meant to be, or None when none is near.

    The cut-off of 0.6 is difflib's own default ratio.
    """
    return _closest(word, tuple(candidates))


# The same slip is often made all over a file.
@lru_cache(maxsize=256)
def _closest(word: str, candidates: tuple[str, ...]) -> str | None:
    spelled, forwards, backwards = _index(candidates)
    lowered = word.lower()
    for name in spelled.get(lowered, ()):
        if name != word:
            return name
    near: Sequence[str] = forwards
    if len(forwards) > _ALL:
        ends = (name[::-1] for name in _around(lowered[::-1], backwards))
        near = sorted({*_around(lowered, forwards), *ends})
    from difflib import get_close_matches

    others = [name for name in near if name != lowered]
    found = get_close_matches(lowered[:_LONGEST], others, n=1)
    return spelled[found[0]][0] if found else None


@lru_cache(maxsize=16)
def _index(candidates: tuple[str, ...]) -> tuple[dict[str, list[str]], list[str], list[str]]:
    """Candidates by their lower case; these, sorted by their beginnings; and reversed, sorted by their ends."""
    spelled: dict[str, list[str]] = {}
    for name in sorted(set(candidates)):
        spelled.setdefault(name.lower(), []).append(name)
    return spelled, sorted(spelled), sorted(name[::-1] for name in spelled)


def _around(word: str, names: list[str]) -> list[str]:
    """The sorted names next to where the word would stand: those with the longest beginning in common."""
    at = bisect_left(names, word)
    return names[max(at - _EACH_WAY, 0) : at + _EACH_WAY]
