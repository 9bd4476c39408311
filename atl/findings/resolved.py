"""Findings with everything resolved: lines and columns beside offsets, no tie to trees or texts.

What the renderers read and what the cache on disk keeps. A `Finding` follows its text while the text is edited; a
`ResolvedFinding` is what it was at one moment. Made of strings, numbers, booleans and tuples alone, so it goes through
JSON (`to_json`, `from_json`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from atl.records import NamedTuple

if TYPE_CHECKING:
    from atl.findings.model import Finding
    from atl.source import Place

__all__ = [
    "ResolvedEdit",
    "ResolvedFinding",
    "ResolvedFix",
    "ResolvedLabel",
    "ResolvedPlace",
    "from_json",
    "moved",
    "resolve",
    "sort_key",
    "to_json",
]


class ResolvedPlace(NamedTuple):
    """A range of a file. path: with `/`. start, end: offsets in code points of the text without its byte-order mark.
    Lines and columns count from 1, columns in code points; the end is exclusive."""

    path: str
    start: int
    end: int
    line: int
    column: int
    end_line: int
    end_column: int


class ResolvedLabel(NamedTuple):
    place: ResolvedPlace
    message: str


class ResolvedEdit(NamedTuple):
    """Replace the text at `place` by `new_text`; an empty place inserts."""

    place: ResolvedPlace
    new_text: str


class ResolvedFix(NamedTuple):
    title: str
    safe: bool
    edits: tuple[ResolvedEdit, ...]


class ResolvedFinding(NamedTuple):
    """A `Finding` at one moment. severity: `error`, `warning` or `hint`. `name` is the code's."""

    code: str
    name: str
    severity: str
    place: ResolvedPlace
    message: str
    primary: str = ""
    labels: tuple[ResolvedLabel, ...] = ()
    help: str = ""
    fixes: tuple[ResolvedFix, ...] = ()


def sort_key(finding: ResolvedFinding) -> tuple[object, ...]:
    """By path, line, column, code; then by what else differs, so that the order never depends on how it was made."""
    place = finding.place
    return (place.path, place.start, finding.code, place.end, finding.message)


def resolve(finding: Finding) -> ResolvedFinding:
    """The finding as its files are now."""
    from atl.findings.codes import CODES

    return ResolvedFinding(
        finding.code,
        CODES[finding.code].name,
        finding.severity.value,
        _place(finding.place),
        finding.message,
        finding.primary,
        tuple(ResolvedLabel(_place(label.place), label.message) for label in finding.labels),
        finding.help,
        tuple(
            ResolvedFix(fix.title, fix.safe, tuple(ResolvedEdit(_place(e.place), e.new_text) for e in fix.edits))
            for fix in finding.fixes
        ),
    )


def _place(place: Place) -> ResolvedPlace:
    start, end = place.span
    position = place.anchor.file.lines.position
    return ResolvedPlace(place.path, start, end, *position(start), *position(end))


def moved(finding: ResolvedFinding, paths: dict[str, str]) -> ResolvedFinding:
    """The finding with its files called by other names; those that `paths` does not have keep theirs."""

    def place(old: ResolvedPlace) -> ResolvedPlace:
        new = paths.get(old.path)
        return old if new is None else old._replace(path=new)

    return finding._replace(
        place=place(finding.place),
        labels=tuple(ResolvedLabel(place(label.place), label.message) for label in finding.labels),
        fixes=tuple(
            ResolvedFix(fix.title, fix.safe, tuple(ResolvedEdit(place(e.place), e.new_text) for e in fix.edits))
            for fix in finding.fixes
        ),
    )


def to_json(finding: ResolvedFinding) -> list[Any]:
    """The finding as nested lists: a named tuple is a list to `json` already."""
    return list(finding)


def from_json(data: Any) -> ResolvedFinding:
    """The inverse of `to_json` after a trip through JSON. Raises ValueError or TypeError on anything else."""
    code, name, severity, place, message, primary, labels, help, fixes = data
    return ResolvedFinding(
        code,
        name,
        severity,
        ResolvedPlace(*place),
        message,
        primary,
        tuple(ResolvedLabel(ResolvedPlace(*at), text) for at, text in labels),
        help,
        tuple(
            ResolvedFix(title, safe, tuple(ResolvedEdit(ResolvedPlace(*at), text) for at, text in edits))
            for title, safe, edits in fixes
        ),
    )
