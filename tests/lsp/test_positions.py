"""Texts and positions: 10,000 random edits leave the server with the client's text, in every encoding."""

from __future__ import annotations

import os
from random import Random

import pytest
from atl_lsp.documents import Document
from atl_lsp.positions import Encoding, Positions
from lsprotocol import types as t

from atl.source import Span
from atl.workspace.live import Workspace

ENCODINGS = [Encoding.Utf8, Encoding.Utf16, Encoding.Utf32]
EDITS = int(os.environ.get("ATL_LSP_EDITS", "10000"))

# No line end of the protocol: form feed, vertical tab, NEL, line and paragraph separator.
PIECES = [
    *("a", "entity A in x {\n", "}\n", "  id bigint primary\n", "// 😀 note\n", "é", "漢字", "e\u0301", "😀", "👩‍👩‍👧"),
    *("\n", "\r\n", "\r", "\f", "\v", "\u0085", "\u2028", "\u2029", "", "", "\t", '"', "\ufeff", "\0", "\ud83d"),
]


def units(text: str, encoding: Encoding) -> int:
    match encoding:
        case Encoding.Utf8:
            return len(text.encode("utf-8", "surrogatepass"))
        case Encoding.Utf16:
            return len(text.encode("utf-16-le", "surrogatepass")) // 2
        case _:
            return len(text)


class Mirror:
    """An editor's text as a list of lines with their ends, kept by no code of the server's."""

    def __init__(self, encoding: Encoding) -> None:
        self.encoding = encoding
        self.lines = [""]

    @property
    def text(self) -> str:
        return "".join(self.lines)

    def set(self, text: str) -> None:
        marked = text.replace("\r\n", "\0\1").replace("\r", "\r\2").replace("\n", "\n\2").replace("\0\1", "\r\n\2")
        self.lines = marked.split("\2")

    def place(self, random: Random) -> tuple[t.Position, int]:
        """A random position, and its offset; now and then past a line's or the text's end."""
        if random.random() < 0.02:
            return t.Position(len(self.lines) + random.randrange(3), random.randrange(9)), len(self.text)
        line = random.randrange(len(self.lines))
        content = self.lines[line].rstrip("\r\n")
        before = sum(map(len, self.lines[:line]))
        if random.random() < 0.05:
            return t.Position(line, units(content, self.encoding) + random.randrange(1, 5)), before + len(content)
        column = random.randrange(len(content) + 1)
        return t.Position(line, units(content[:column], self.encoding)), before + column


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_random_edits(encoding: Encoding) -> None:
    random = Random(7)
    mirror = Mirror(encoding)
    document = Document(t.TextDocumentItem("untitled:a", "atl", 1, ""), encoding)
    workspace = Workspace.in_memory({"a": ""})
    for number in range(EDITS):
        if len(mirror.text) > 400:
            new = mirror.text[:40] if random.random() < 0.5 else ""
            changes: list[t.TextDocumentContentChangeEvent] = [t.TextDocumentContentChangeWholeDocument(new)]
            mirror.set(new)
        else:
            changes = []
            for _ in range(1 if random.random() < 0.9 else 3):
                (first, start), (last, end) = sorted(
                    (mirror.place(random), mirror.place(random)), key=lambda place: place[1]
                )
                if random.random() < 0.6:
                    last, end = first, start
                new = "".join(random.choices(PIECES, k=random.randrange(3)))
                changes.append(t.TextDocumentContentChangePartial(t.Range(first, last), new))
                text = mirror.text
                mirror.set(text[:start] + new + text[end:])
        change = document.apply(changes, number)
        if change is None:
            workspace.set_text("a", document.content)
        else:
            workspace.edit("a", *change)
        assert document.text == mirror.text
        source = workspace.source("a")
        assert source is not None and source.text == document.content
        if number % 10 == 0:
            position, offset = mirror.place(random)
            assert document.positions.offset(position) == offset
            if position.line < len(mirror.lines):
                back = document.positions.position(offset)
                assert document.positions.offset(back) == offset


@pytest.mark.parametrize(
    ("text", "offset", "line", "columns"),
    [
        ("ab", 1, 0, (1, 1, 1)),
        ("é😀x", 2, 0, (6, 3, 2)),
        ("漢\n😀y", 3, 1, (4, 2, 1)),
        ("a\rb\r\nc\nd", 2, 1, (0, 0, 0)),
        ("a\rb\r\nc\nd", 5, 2, (0, 0, 0)),
        ("a\rb\r\nc\nd", 7, 3, (0, 0, 0)),
        ("a\f\u0085\u2028b", 4, 0, (7, 4, 4)),
        ("a\r\n", 3, 1, (0, 0, 0)),
    ],
)
def test_places(text: str, offset: int, line: int, columns: tuple[int, int, int]) -> None:
    for encoding, column in zip(ENCODINGS, columns, strict=True):
        positions = Positions(text, encoding)
        assert positions.position(offset) == t.Position(line, column)
        assert positions.offset(t.Position(line, column)) == offset


def test_what_no_text_has() -> None:
    for encoding in ENCODINGS:
        positions = Positions("ab\r\n😀", encoding)
        assert positions.offset(t.Position(0, 99)) == 2, "past a line's end is its end"
        assert positions.offset(t.Position(9, 0)) == 5
        assert positions.position(3) == t.Position(0, 2), "between CR and LF is the line's end"
        assert positions.range(Span(-1, 99)).end.line == 1
        assert positions.span(t.Range(t.Position(1, 0), t.Position(0, 0))) == (0, 4)
    assert Positions("😀x", Encoding.Utf16).offset(t.Position(0, 1)) == 0, "inside a character is before it"
    assert Positions("é", Encoding.Utf8).offset(t.Position(0, 1)) == 0
