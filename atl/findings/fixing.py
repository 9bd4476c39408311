"""Applying fixes to texts: pure, over offsets, any number of files at once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple

from atl.findings.resolved import ResolvedEdit, ResolvedFinding, ResolvedFix

__all__ = ["Applied", "apply_edits", "apply_fixes", "choose"]


class Applied(NamedTuple):
    """texts: the files that changed, whole. fixes: what was applied, in order; the others wait for the next round."""

    texts: dict[str, str]
    fixes: tuple[ResolvedFix, ...]


def choose(finding: ResolvedFinding, unsafe: bool) -> ResolvedFix | None:
    """The fix of a finding that is applied without asking: its first safe one; with `unsafe` its only suggestion too.
    Where several suggestions stand beside each other only the author can choose."""
    raise NotImplementedError


def apply_fixes(findings: Iterable[ResolvedFinding], texts: Mapping[str, str], unsafe: bool = False) -> Applied:
    """One round: the chosen fixes of the findings, in their order, each whole or not at all.

    A fix is left out when one of its edits touches or overlaps an edit taken before, or a file that `texts` does not
    have. Two findings with the very same edit share it.
    """
    raise NotImplementedError


def apply_edits(text: str, edits: Iterable[ResolvedEdit]) -> str:
    """The text after edits that do not overlap, all in this one file."""
    raise NotImplementedError
