"""Silencing a warning or hint where it is."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator

from atl.check.silences import silences as known_silences
from atl.findings import Finding, Severity
from atl.ide.actions.fixes import at
from atl.ide.actions.model import Action, Spot
from atl.ide.places import cursor
from atl.ide.rename import TextEdit
from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.tree import Comment
from atl.syntax.walk import walk

__all__ = ["silences"]

_CODES = re.compile(r"//[ \t]*atl:[ \t]*ignore[ \t]*\[([^\]\n]*)\]")
_HINT = re.compile(r"//[ \t]*atl:")
_NEVER = frozenset(("ATL014", "ATL015"))


def silences(spot: Spot) -> Iterator[Action]:
    for finding in at(spot):
        if finding.severity is Severity.ERROR or finding.code in _NEVER:
            continue
        edit, where = _edit(spot, finding), "here"
        if edit is None:
            edit, where = _in_file(spot, finding.code), "in this file"
        yield Action(f"silence {finding.code} {where}", "quickfix", {spot.path: [edit]}, (finding,))


def _edit(spot: Spot, finding: Finding) -> TextEdit | None:
    start = finding.place.span.start
    lines = spot.tree.file.lines
    line = lines.line_span(lines.line(start))
    place = cursor(spot.workspace, spot.path, start)
    if place is None:
        return None
    base = place.unit.anchor.start
    if place.decl is not None and _in_sql(place.decl, line.end - base):
        return _above(spot, place.decl, base, start, finding.code)
    comment = _comment_at_end(place.unit.chunk.comments, line.start - base, line.end - base)
    if comment is None:
        behind = spot.text[line.start : line.end].rstrip()
        at_end = line.start + len(behind)
        return TextEdit(Span(at_end, line.end), f" // atl: ignore[{finding.code}]")
    known = _CODES.match(comment.text)
    if known is not None:
        at_end = base + comment.start + known.end(1)
        return TextEdit(Span(at_end, at_end), f"{', ' if known[1].strip() else ''}{finding.code}")
    if comment.block:
        inside = comment.start <= start - base
        return _above(spot, place.decl, base, start, finding.code) if place.decl is not None and not inside else None
    if _HINT.match(comment.text):
        return None
    # Text may follow the brackets: the comment that is there stays behind them.
    at_start = base + comment.start
    return TextEdit(Span(at_start, at_start), f"// atl: ignore[{finding.code}] ")


def _in_file(spot: Spot, code: str) -> TextEdit:
    """For what begins where no comment can be put: a comment for the whole file, before all others."""
    for silence in known_silences(spot.tree):
        if silence.kind == "file" and silence.reach is not None and silence.codes:
            at_end = silence.unit.anchor.start + silence.codes[-1].end
            return TextEdit(Span(at_end, at_end), f", {code}")
    return TextEdit(Span(0, 0), f"// atl: ignore-file[{code}]{spot.newline}")


def _comment_at_end(comments: tuple[Comment, ...], start: int, end: int) -> Comment | None:
    """The last comment on a line, or a block comment that goes on behind its end."""
    at = bisect_left(comments, end, key=lambda comment: comment.start)
    last = comments[at - 1] if at else None
    return last if last is not None and start < last.end and (last.end > end or not last.block) else None


def _in_sql(decl: n.Declaration, at: int) -> bool:
    return any(type(node) is n.Sql and node.sql.start <= at <= node.sql.end for node in walk(decl))


def _above(spot: Spot, decl: n.Declaration, base: int, offset: int, code: str) -> TextEdit | None:
    """A comment of its own before the innermost part of the declaration that begins a line and holds the offset."""
    best: int | None = None
    for node in walk(decl):
        if not isinstance(node, n.TypeRef | n.Flag | n.Default | n.References | n.FieldCheck | n.Backfill):
            start = base + node.start
            line = spot.text.rfind("\n", 0, start) + 1
            if start <= offset <= base + node.end and not spot.text[line:start].strip():
                best = max(start, best or 0)
    if best is None:
        return None
    line = spot.text.rfind("\n", 0, best) + 1
    indentation = spot.text[line:best]
    return TextEdit(Span(line, line), f"{indentation}// atl: ignore[{code}]{spot.newline}")
