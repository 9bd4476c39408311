"""Offsets in a text and the protocol's positions, in the encoding that client and server agreed on.

The protocol ends lines at LF, CR LF and a lone CR, and at nothing else. Positions past a line's end mean its end,
positions past the last line the end of the text; one inside a character means its start.
"""

from __future__ import annotations

from bisect import bisect_right

from lsprotocol import types as t

from atl.source import Span

__all__ = ["Encoding", "Positions"]

Encoding = t.PositionEncodingKind


class Positions:
    """A text as lines. encoding: what a column counts: bytes, UTF-16 code units or code points."""

    __slots__ = ("_plain", "encoding", "starts", "text")

    def __init__(self, text: str, encoding: Encoding, starts: list[int] | None = None) -> None:
        """starts: where its lines begin, if that is known."""
        self.text = text
        self.encoding = encoding
        self.starts = _starts(text) if starts is None else starts
        self._plain = encoding is Encoding.Utf32 or text.isascii()

    def replaced(self, start: int, end: int, new_text: str) -> Positions:
        """Of the text with [start, end) replaced. Looks for line ends only from the line before the edit to the line
        after it: no other can change."""
        old = self.starts
        text = self.text[:start] + new_text + self.text[end:]
        first = max(bisect_right(old, start) - 2, 0)
        last = bisect_right(old, end) + 1
        base, shift = old[first], len(text) - len(self.text)
        if last < len(old):
            between = _starts(text[base : old[last] + shift])[:-1]
            after = [at + shift for at in old[last:]]
        else:
            between, after = _starts(text[base:]), []
        return Positions(text, self.encoding, old[:first] + [base + at for at in between] + after)

    def offset(self, position: t.Position) -> int:
        line, column = max(position.line, 0), max(position.character, 0)
        if line >= len(self.starts):
            return len(self.text)
        start, end = self.starts[line], self._end(line)
        if self._plain:
            return min(start + column, end)
        within = self.text[start : min(start + column, end)]
        if within.isascii():
            return start + len(within)
        units = 0
        for at, char in enumerate(within):
            units += self._width(char)
            if units > column:
                return start + at
        return start + len(within)

    def position(self, offset: int) -> t.Position:
        offset = min(max(offset, 0), len(self.text))
        line = bisect_right(self.starts, offset) - 1
        start = self.starts[line]
        offset = min(offset, self._end(line))
        if self._plain:
            return t.Position(line, offset - start)
        return t.Position(line, self.units(self.text[start:offset]))

    def range(self, span: Span) -> t.Range:
        return t.Range(self.position(span.start), self.position(span.end))

    def span(self, range: t.Range) -> Span:
        start, end = self.offset(range.start), self.offset(range.end)
        return Span(min(start, end), max(start, end))

    def units(self, text: str) -> int:
        """How many columns a text without line ends takes."""
        if self._plain or text.isascii():
            return len(text)
        if self.encoding is Encoding.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        return len(text.encode("utf-16-le", "surrogatepass")) // 2

    def _width(self, char: str) -> int:
        if self.encoding is Encoding.Utf16:
            return 2 if char > "\uffff" else 1
        return 1 if char < "\x80" else 2 if char < "\u0800" else 3 if char <= "\uffff" else 4

    def _end(self, line: int) -> int:
        """Where a line's text ends, before its line end."""
        if line + 1 == len(self.starts):
            return len(self.text)
        end = self.starts[line + 1] - 1
        return end - 1 if self.text[end] == "\n" and end > self.starts[line] and self.text[end - 1] == "\r" else end


def _starts(text: str) -> list[int]:
    starts = [0]
    find, at = text.find, -1
    if "\r" not in text:
        while (at := find("\n", at + 1)) >= 0:
            starts.append(at + 1)
        return starts
    size = len(text)
    feed, back = find("\n"), find("\r")
    while feed >= 0 or back >= 0:
        if back < 0 or 0 <= feed < back:
            at = feed + 1
        else:
            at = back + 2 if back + 1 < size and text[back + 1] == "\n" else back + 1
        starts.append(at)
        if 0 <= feed < at:
            feed = find("\n", at)
        if 0 <= back < at:
            back = find("\r", at)
    return starts
