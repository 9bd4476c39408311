"""What parsing a file gives, and its entry points.

A file is cut into chunks: the comments and blank lines before a declaration, the declaration, and what follows it on
its last line. A chunk begins at a line's start and is parsed by itself; its tree, comments and findings are a pure
function of its text (`Chunk`), so an unchanged chunk that moved is reused under a new or shifted anchor (`Unit`).
"""

from __future__ import annotations

import re

from atl.findings import Edit, Finding, Fix, Label
from atl.records import NamedTuple
from atl.source import Anchor, Place, SourceFile
from atl.syntax.nodes import Declaration

__all__ = ["Chunk", "Comment", "FileTree", "RawFinding", "Token", "Unit"]


_NEXT_TOKEN = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*(\w+|[^\s\w])", re.S)


class Token(NamedTuple):
    """A piece of a text that is no white space, for the formatter and the editor; `lexer.tokens` says the kinds."""

    kind: str
    start: int
    end: int
    text: str


class Comment(NamedTuple):
    """A comment, offsets relative to the chunk. `block`: `/* */`. `own_line`: only white space stands before it on
    its line. The text is with its marks: `// like this`."""

    start: int
    end: int
    text: str
    block: bool
    own_line: bool


class Chunk(NamedTuple):
    """The parse of one chunk's text; nothing in it knows where it stands or in which file.

    declarations: at most one, except where several stand on one line or a header is broken. raw: findings without
    places in a file.
    """

    text: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...]
    raw: tuple[RawFinding, ...]


class RawFinding(NamedTuple):
    """A finding of the parser with spans relative to the chunk; `Unit.findings` gives it places.

    labels: (start, end, message); one at the chunk's very end means the first token behind the chunk. fixes: (title,
    safe, ((start, end, new_text), ...)).
    """

    code: str
    start: int
    end: int
    message: str
    primary: str = ""
    labels: tuple[tuple[int, int, str], ...] = ()
    help: str = ""
    fixes: tuple[tuple[str, bool, tuple[tuple[int, int, str], ...]], ...] = ()


class Unit:
    """One chunk where it stands: the anchor gives file and offset.

    reach: how far from the anchor the text goes that decided where the chunk ends; an edit behind it leaves the chunk.
    """

    __slots__ = ("anchor", "chunk", "reach")

    def __init__(self, anchor: Anchor, chunk: Chunk, reach: int = 0) -> None:
        self.anchor = anchor
        self.chunk = chunk
        self.reach = reach

    def place(self, start: int, end: int) -> Place:
        return Place(self.anchor, start, end)

    def findings(self) -> list[Finding]:
        """The parser's findings, at their places."""
        return [self._finding(raw) for raw in self.chunk.raw]

    def _finding(self, raw: RawFinding) -> Finding:
        labels = []
        for start, end, message in raw.labels:
            if start == len(self.chunk.text):
                found = _NEXT_TOKEN.match(self.anchor.file.text, self.anchor.start + start)
                if found is None:
                    continue
                start, end = (offset - self.anchor.start for offset in found.span(1))
            labels.append(Label(self.place(start, end), message))
        fixes = tuple(
            Fix(title, tuple(Edit(self.place(start, end), text) for start, end, text in edits), safe)
            for title, safe, edits in raw.fixes
        )
        place = self.place(raw.start, raw.end)
        return Finding(raw.code, place, raw.message, raw.primary, tuple(labels), raw.help, fixes)


class FileTree:
    """A parsed file: its units in the order of the text, which they cover without gap or overlap."""

    __slots__ = ("file", "units")

    def __init__(self, file: SourceFile, units: list[Unit]) -> None:
        self.file = file
        self.units = units
