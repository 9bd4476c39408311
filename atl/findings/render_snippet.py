"""Lines of a source with places marked under them: `^^^` for the primary place, `---` for the others.

    4 │     region varchar(20) not null
      │     ^^^^^^             -------- and null is refused here
      │     required

A place over several lines marks its first line to the end and its last one from its first word on; its message stands
at the last. Lines too long to show are cut to windows around what is marked, so the cost of a snippet depends on the
number of its marks and never on the length of the text.
"""

from __future__ import annotations

from atl.findings.render_cells import cells, one_line
from atl.findings.render_paint import Frame, Paint
from atl.records import NamedTuple
from atl.source import LineIndex

__all__ = ["Mark", "last_line", "snippet"]

_BEFORE = 24  # columns shown before the first mark of a line that is cut
_WHOLE = 3  # a place of up to so many lines is shown whole


class Mark(NamedTuple):
    """A place to mark: offsets into the text, the words beside it ("" for none), and the style of its underline."""

    start: int
    end: int
    message: str
    primary: bool
    style: str


class _Piece(NamedTuple):
    """The part of a mark on one line, in code points from the line's start; `end > start`."""

    start: int
    end: int
    message: str
    primary: bool
    style: str


def last_line(lines: LineIndex, mark: Mark) -> int:
    """The last line that a mark stands on, from 0: the widest number of its snippet."""
    return _extent(lines, mark)[1]


def snippet(
    lines: LineIndex, marks: list[Mark], gutter: int, width: int, frame: Frame, paint: Paint, encoding: str
) -> list[str]:
    """The rows of one file's block. gutter: columns of the widest line number. width: columns for source text."""
    pieces: dict[int, list[_Piece]] = {}
    gaps: set[int] = set()
    for mark in dict.fromkeys(marks):
        for line, piece in _pieces(lines, mark, gaps):
            pieces.setdefault(line, []).append(piece)
    empty = " " * gutter
    rows: list[str] = []
    previous = -1
    for line in sorted(pieces):
        if previous in gaps and line > previous + 1:
            rows.append(f"{empty} {paint('frame', frame.gap)}")
        previous = line
        number = paint("frame", f"{line + 1:>{gutter}} {frame.bar}")
        bar = paint("frame", f"{empty} {frame.bar}")
        for source, below in _windows(lines, line, pieces[line], width, frame, paint, encoding):
            rows.append(f"{number} {source}".rstrip())
            rows.extend(f"{bar} {row}" for row in below)
    return rows


def _extent(lines: LineIndex, mark: Mark) -> tuple[int, int]:
    first = lines.line(mark.start)
    last = lines.line(mark.end)
    if last > first and lines.starts[last] == mark.end:
        last -= 1
    return first, last


def _pieces(lines: LineIndex, mark: Mark, gaps: set[int]) -> list[tuple[int, _Piece]]:
    first, last = _extent(lines, mark)
    found = []
    for line in range(first, last + 1) if last - first < _WHOLE else (first, last):
        span = lines.line_span(line)
        start = min(mark.start, span.end) - span.start if line == first else _indent(lines.text, span.start, span.end)
        end = (min(mark.end, span.end) if line == last else span.end) - span.start
        message = mark.message if line == last else ""
        found.append((line, _Piece(start, max(end, start + 1), message, mark.primary, mark.style)))
    if last - first >= _WHOLE:
        gaps.add(first)
    return found


def _indent(text: str, start: int, end: int) -> int:
    at = start
    while at < end and text[at] in " \t":
        at += 1
    return at - start if at < end else 0


def _windows(
    lines: LineIndex, line: int, pieces: list[_Piece], width: int, frame: Frame, paint: Paint, encoding: str
) -> list[tuple[str, list[str]]]:
    """The line as shown with the rows below it; once for each window when it is cut."""
    span = lines.line_span(line)
    length = span.end - span.start
    if length <= width:
        whole = cells(lines.text[span.start : span.end], encoding)
        if whole.columns[-1] <= width:
            return [(whole.shown, _rows(whole.columns, pieces, frame, paint, encoding))]
    # A window of so many characters fits however wide they are.
    size = max(_BEFORE * 2, (width - 2 * len(frame.ellipsis)) // 2)
    pieces = sorted(pieces)
    found = []
    while pieces:
        start = max(0, pieces[0].start - _BEFORE)
        end = min(length, start + size)
        inside = [p for p in pieces if p.start <= end]
        pieces = pieces[len(inside) :]
        shown, columns = cells(lines.text[span.start + start : span.start + end], encoding)
        before = frame.ellipsis if start else ""
        after = frame.ellipsis if end < length else ""
        columns = [column + len(before) for column in columns]
        moved = [p._replace(start=p.start - start, end=min(p.end, end) - start) for p in inside]
        found.append((before + shown + after, _rows(columns, moved, frame, paint, encoding)))
    return found


def _rows(columns: range | list[int], pieces: list[_Piece], frame: Frame, paint: Paint, encoding: str) -> list[str]:
    """The underlines and messages below a line. The message of the rightmost mark stands behind it, the others on
    rows of their own below their marks, from right to left."""

    def at(offset: int) -> int:
        beyond = offset - (len(columns) - 1)
        return columns[offset] if beyond <= 0 else columns[-1] + beyond

    placed = []
    for piece in pieces:
        start = at(piece.start)
        placed.append((start, max(at(piece.end), start + 1), piece))
    line: list[str] = []
    styles: list[str] = []
    for start, end, piece in sorted(placed, key=lambda p: p[2].primary):
        if end > len(line):
            line.extend(" " * (end - len(line)))
            styles.extend([""] * (end - len(styles)))
        line[start:end] = ("^" if piece.primary else "-") * (end - start)
        styles[start:end] = [piece.style] * (end - start)
    row = _painted(line, styles, paint)
    waiting = [p for p in placed if p[2].message]
    behind = max(placed, key=lambda p: (p[1], p[0], p[2].primary))
    if behind in waiting:
        waiting.remove(behind)
        row += " " + paint(behind[2].style, one_line(behind[2].message, encoding))
    rows = [row]
    waiting.sort(key=lambda p: (p[0], p[2].primary))
    while waiting:
        start, _, piece = waiting.pop()
        text = ""
        column = 0
        for mark in sorted({w[0]: w[2].style for w in waiting if w[0] < start}.items()):
            text += " " * (mark[0] - column) + paint(mark[1], frame.bar)
            column = mark[0] + 1
        rows.append(text + " " * (start - column) + paint(piece.style, one_line(piece.message, encoding)))
    return rows


def _painted(line: list[str], styles: list[str], paint: Paint) -> str:
    row, start = "", 0
    for at in range(1, len(line) + 1):
        if at == len(line) or styles[at] != styles[start]:
            row += paint(styles[start], "".join(line[start:at]))
            start = at
    return row
