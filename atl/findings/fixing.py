"""Applying fixes to texts: pure, over offsets, any number of files at once."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Mapping

from atl.findings.resolved import ResolvedEdit, ResolvedFinding, ResolvedFix
from atl.records import NamedTuple

__all__ = ["Applied", "apply_edits", "apply_fixes", "choose"]


class Applied(NamedTuple):
    """texts: the files that changed, whole. fixes: what was applied, in order; the others wait for the next round."""

    texts: dict[str, str]
    fixes: tuple[ResolvedFix, ...]


def choose(finding: ResolvedFinding, unsafe: bool) -> ResolvedFix | None:
    """The fix of a finding that is applied without asking: its first safe one; with `unsafe` its only suggestion too.
    Where several suggestions stand beside each other only the author can choose."""
    for fix in finding.fixes:
        if fix.safe:
            return fix
    return finding.fixes[0] if unsafe and len(finding.fixes) == 1 else None


def apply_fixes(findings: Iterable[ResolvedFinding], texts: Mapping[str, str], unsafe: bool = False) -> Applied:
    """One round: the chosen fixes of the findings, in their order, each whole or not at all.

    A fix is left out when one of its edits touches or overlaps an edit taken before, or a file that `texts` does not
    have. Two findings with the very same edit share it.
    """
    taken: dict[str, list[tuple[int, int, str]]] = {}
    shared: set[tuple[str, tuple[int, int, str]]] = set()
    applied: list[ResolvedFix] = []
    for finding in findings:
        fix = choose(finding, unsafe)
        if fix is None or not fix.edits or not all(edit.place.path in texts for edit in fix.edits):
            continue
        fresh = [edit for edit in fix.edits if (edit.place.path, _row(edit)) not in shared]
        if not fresh or not all(_free(taken.get(edit.place.path, []), edit) for edit in fresh):
            continue
        for edit in fresh:
            insort(taken.setdefault(edit.place.path, []), _row(edit))
            shared.add((edit.place.path, _row(edit)))
        applied.append(fix)
    return Applied({path: _replaced(texts[path], rows) for path, rows in taken.items()}, tuple(applied))


def apply_edits(text: str, edits: Iterable[ResolvedEdit]) -> str:
    """The text after edits that do not overlap, all in this one file."""
    return _replaced(text, sorted(map(_row, edits)))


def _row(edit: ResolvedEdit) -> tuple[int, int, str]:
    return edit.place.start, edit.place.end, edit.new_text


def _free(taken: list[tuple[int, int, str]], edit: ResolvedEdit) -> bool:
    """Whether an edit neither touches nor overlaps one of `taken`, which are sorted and apart."""
    start, end, _ = _row(edit)
    position = bisect_left(taken, (start, end, ""))
    if position < len(taken) and taken[position][0] <= end:
        return False
    return position == 0 or taken[position - 1][1] < start


def _replaced(text: str, rows: Iterable[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    at = 0
    for start, end, new in rows:
        pieces += text[at:start], new
        at = end
    pieces.append(text[at:])
    return "".join(pieces)
