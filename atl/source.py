"""Source text, spans and line arithmetic. Knows nothing of the language.

Offsets count code points of `SourceFile.text`. Lines and columns exist only at the edges of the
program: `LineIndex` converts, and nothing inside the product stores a line or a column.
"""

from __future__ import annotations

from bisect import bisect_right

from atl.records import NamedTuple

__all__ = ["Anchor", "LineIndex", "Place", "SourceFile", "Span", "decode", "encoded"]


class Span(NamedTuple):
    """A half-open range of offsets, `start <= end`."""

    start: int
    end: int


class SourceFile:
    """One file's text and the path that findings show for it.

    `text` has no byte-order mark (`bom` says that there was one) and keeps its line ends. Bytes that
    are not UTF-8 stand in it as lone surrogates U+DC80..U+DCFF (`surrogateescape`), so that
    writing the text back gives the same bytes.
    """

    __slots__ = ("_lines", "bom", "path", "text")

    def __init__(self, path: str, text: str, bom: bool = False) -> None:
        self.path = path
        self.text = text
        self.bom = bom
        self._lines: LineIndex | None = None

    @classmethod
    def from_bytes(cls, path: str, data: bytes) -> SourceFile:
        text, bom = decode(data)
        return cls(path, text, bom)

    @property
    def lines(self) -> LineIndex:
        if self._lines is None:
            self._lines = LineIndex(self.text)
        return self._lines


def decode(data: bytes) -> tuple[str, bool]:
    """The text of a file's bytes without its byte-order mark, and whether there was one."""
    bom = data.startswith(b"\xef\xbb\xbf")
    return (data[3:] if bom else data).decode("utf-8", "surrogateescape"), bom


def encoded(text: str) -> bytes:
    """The bytes of a text: those of its file, or of any other text that an editor may hold (also a lone surrogate that
    stands for no byte)."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


class LineIndex:
    """Lines of a text, which end at LF alone (so CR LF ends one too)."""

    __slots__ = ("starts", "text")

    def __init__(self, text: str) -> None:
        self.text = text
        starts = [0]
        find, at = text.find, -1
        while (at := find("\n", at + 1)) >= 0:
            starts.append(at + 1)
        self.starts = starts

    def line(self, offset: int) -> int:
        """The line of an offset, counted from 0."""
        return bisect_right(self.starts, offset) - 1

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1; the column counts code points."""
        line = bisect_right(self.starts, offset) - 1
        return line + 1, offset - self.starts[line] + 1

    def line_span(self, line: int) -> Span:
        """The span of a line counted from 0, without its line end."""
        start = self.starts[line]
        end = self.starts[line + 1] - 1 if line + 1 < len(self.starts) else len(self.text)
        if end > start and self.text[end - 1] == "\r":
            end -= 1
        return Span(start, end)


class Anchor:
    """Where a piece of a file begins.

    Spans of syntax nodes are relative to the anchor of their declaration, so that a declaration that merely moves is
    not parsed and checked again: only its anchor's `start` changes. `file` and `start` are the only mutable state that
    findings and symbols see, and only the workspace changes them, between two questions.
    """

    __slots__ = ("file", "start")

    def __init__(self, file: SourceFile, start: int = 0) -> None:
        self.file = file
        self.start = start


class Place(NamedTuple):
    """A span relative to an anchor: a place that stays right when text before it changes."""

    anchor: Anchor
    start: int
    end: int

    @property
    def path(self) -> str:
        return self.anchor.file.path

    @property
    def span(self) -> Span:
        """The absolute span in the anchor's file."""
        base = self.anchor.start
        return Span(base + self.start, base + self.end)

    @property
    def text(self) -> str:
        span = self.span
        return self.anchor.file.text[span.start : span.end]
