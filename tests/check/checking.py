"""Checks one text, or a few, in memory."""

from __future__ import annotations

from atl.check.context import Settings
from atl.check.runner import check_unit
from atl.check.silences import apply_silences
from atl.findings import Finding, Fix, Severity
from atl.schema.index import Index
from atl.schema.symbols import symbols_of
from atl.source import SourceFile
from atl.syntax.parser import parse


def check_files(
    texts: dict[str, str], caller: str | None = None, hints: bool = True, names_only: bool = False
) -> list[Finding]:
    """The findings of several files of one workspace, silences applied, by path and offset."""
    index = Index()
    trees = {path: parse(SourceFile(path, text)) for path, text in texts.items()}
    for path, tree in trees.items():
        index.add(path, [(symbol, unit.anchor) for unit in tree.units for symbol in symbols_of(unit.chunk)])
    found: list[Finding] = []
    for tree in trees.values():
        raw = [f for unit in tree.units for f in check_unit(unit, index, Settings(caller, names_only)).findings]
        found += apply_silences(tree, raw)
    kept = [f for f in found if hints or f.severity is not Severity.HINT]
    return sorted(kept, key=lambda f: (f.place.path, f.place.span, f.code))


def check_text(text: str, caller: str | None = None, hints: bool = True) -> list[Finding]:
    return check_files({"main.atl": text}, caller, hints)


def mended(text: str, fix: Fix) -> str:
    """The text after a fix of edits in this one file."""
    for edit in sorted(fix.edits, key=lambda e: e.place.span, reverse=True):
        span = edit.place.span
        text = text[: span.start] + edit.new_text + text[span.end :]
    return text
