"""Findings for a person at a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from atl.findings.render_cells import one_line
from atl.findings.render_paint import COLOUR, PLAIN, frame_for
from atl.findings.render_snippet import Mark, last_line, snippet
from atl.findings.resolved import ResolvedFinding, ResolvedPlace
from atl.records import NamedTuple
from atl.source import LineIndex

__all__ = ["Terminal", "render", "render_one"]


class Terminal(NamedTuple):
    """What the output can show. columns: of a line before it is cut. encoding: as Python names it."""

    colour: bool = False
    columns: int = 160
    encoding: str = "utf-8"


Texts = Callable[[str], str]


def render(findings: Iterable[ResolvedFinding], text: Texts, terminal: Terminal = Terminal()) -> Iterator[str]:  # noqa: B008
    """Each finding's block of lines, with a final line end and a blank line after it. text: a file's text by path, ""
    when it is not to be had. Lines of one text are indexed once."""
    known: dict[str, LineIndex] = {}

    def lines(path: str) -> LineIndex:
        index = known.get(path)
        if index is None:
            index = known[path] = LineIndex(text(path))
        return index

    for finding in findings:
        yield "\n".join(_block(finding, lines, terminal)) + "\n\n"


def render_one(finding: ResolvedFinding, text: str) -> str:
    """One finding whose places are all in one text, plain."""
    return "".join(render([finding], lambda _: text)).rstrip("\n") + "\n"


def _block(finding: ResolvedFinding, lines: Callable[[str], LineIndex], terminal: Terminal) -> list[str]:
    paint = COLOUR if terminal.colour else PLAIN
    frame = frame_for(terminal.encoding)
    encoding = terminal.encoding.lower()
    head = paint(finding.severity, f"{finding.severity}[{finding.code}]")
    rows = [head + paint("title", f": {one_line(finding.message, encoding)}")]

    # One block for each file, the primary place's first.
    blocks: dict[str, tuple[ResolvedPlace, list[Mark]]] = {}
    primary = Mark(finding.place.start, finding.place.end, finding.primary, True, finding.severity)
    blocks[finding.place.path] = (finding.place, [primary])
    for place, message in finding.labels:
        mark = Mark(place.start, place.end, message, False, "label")
        blocks.setdefault(place.path, (place, []))[1].append(mark)

    widest = max(
        (
            last_line(lines(path), mark) + 1 if lines(path).text else place.line
            for path, (place, marks) in blocks.items()
            for mark in marks
        )
    )
    gutter = len(str(widest))
    width = max(40, terminal.columns - gutter - 3)
    empty = " " * gutter
    for path, (place, marks) in blocks.items():
        where = f"{one_line(path, encoding)}:{place.line}:{place.column}"
        rows.append(f"{empty} {paint('frame', frame.corner)} {where}")
        if lines(path).text or place.start == 0:
            rows.extend(snippet(lines(path), marks, gutter, width, frame, paint, encoding))
        else:
            rows.extend(
                f"{empty} {paint('frame', frame.bar)} {one_line(m.message, encoding)}" for m in marks if m.message
            )
    if finding.help:
        rows.append(f"{empty} {paint('frame', '=')} {paint('help', 'help')}: {one_line(finding.help, encoding)}")
    return rows
