"""Fixes of the findings at the cursor."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from atl.findings import Finding, Fix
from atl.ide.actions.model import Action, Spot, edits_by_path
from atl.ide.renamed import TextEdit, composed, with_edits

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["all_safe", "at", "fixes", "safe_to_the_end"]


_MOST = 200


def at(spot: Spot) -> list[Finding]:
    """The findings at the span: those that it touches, then those that stand on its lines; no more than anybody would
    look through."""
    lines = spot.tree.file.lines
    first, last = lines.line(spot.span.start), lines.line(spot.span.end)
    touched, near = [], []
    for finding in spot.workspace.findings(spot.path):
        start, end = finding.place.span
        if start <= spot.span.end and spot.span.start <= end:
            touched.append(finding)
        elif lines.line(start) <= last and first <= lines.line(end):
            near.append(finding)
    return (touched + near)[:_MOST]


def fixes(spot: Spot) -> Iterator[Action]:
    """The safe ones before those that the author has to choose."""
    found = [(finding, fix) for finding in at(spot) for fix in finding.fixes]
    for finding, fix in sorted(found, key=lambda each: not each[1].safe):
        safe = [each for each in finding.fixes if each.safe]
        yield Action(fix.title, "quickfix", _edits(fix), (finding,), fix.safe and len(safe) == 1)


def _edits(fix: Fix) -> dict[str, list[TextEdit]]:
    return edits_by_path((edit.place, edit.new_text) for edit in fix.edits)


_ROUNDS = 20
"""Each mends what the one before laid bare or put off; fixes that undo each other would never end."""


def safe_to_the_end(workspace: Workspace, path: str) -> dict[str, list[TextEdit]]:
    """The safe fixes of a file's findings, and of what is found once they are made, until there is none."""
    rounds: dict[str, list[list[TextEdit]]] = {}
    edits: dict[str, list[TextEdit]] = {}
    seen = [edits]
    more = all_safe(workspace.findings(path))
    while more and len(seen) < _ROUNDS:
        for name, found in more.items():
            rounds.setdefault(name, []).append(found)
        texts = {name: source.text for name in rounds if (source := workspace.source(name)) is not None}
        edits = {name: composed(text, *rounds[name]) for name, text in texts.items()}
        if edits in seen:
            break
        seen.append(edits)
        after = with_edits(workspace, sorted({path, *edits}), edits)
        left = all_safe(workspace.visible(path, after.findings(path)))
        more = {name: found for name, found in left.items() if name in after.trees}
    return {name: found for name, found in edits.items() if found}


def all_safe(findings: Iterable[Finding]) -> dict[str, list[TextEdit]]:
    """The first safe fix of each finding, whole or not at all: one whose edits touch another's waits."""
    taken: dict[str, list[TextEdit]] = {}
    real: set[tuple[str, TextEdit]] = set()
    for finding in findings:
        fix = next((each for each in finding.fixes if each.safe), None)
        if fix is None:
            continue
        rows = [(edit.place.path, TextEdit(edit.place.span, edit.new_text)) for edit in fix.edits]
        rows = [(path, edit) for path, edit in rows if edit not in taken.get(path, ())]
        if not rows or not all(_free(taken.get(path, []), edit) for path, edit in rows):
            continue
        kept = {(path, edit) for path, edits in _edits(fix).items() for edit in edits}
        for path, edit in rows:
            insort(taken.setdefault(path, []), edit)
            if (path, edit) in kept:
                real.add((path, edit))
    found = {path: [edit for edit in edits if (path, edit) in real] for path, edits in taken.items()}
    return {path: edits for path, edits in found.items() if edits}


def _free(taken: list[TextEdit], edit: TextEdit) -> bool:
    """Whether an edit neither touches nor overlaps one of `taken`, which are sorted and apart."""
    position = bisect_left(taken, edit)
    if position < len(taken) and taken[position].span.start <= edit.span.end:
        return False
    return position == 0 or taken[position - 1].span.end < edit.span.start
