"""What parsing a file gives, and its entry points.

A file is cut into chunks: the comments and blank lines before a declaration, the declaration, and what follows it on
its last line. A chunk is parsed by itself; its tree, comments and findings are a pure function of its text (`Chunk`),
so an unchanged chunk that moved is reused under a new or shifted anchor (`Unit`).
"""

from __future__ import annotations

from typing import NamedTuple

from atl.findings import Finding
from atl.source import Anchor, Place, SourceFile
from atl.syntax.nodes import Declaration

__all__ = ["Chunk", "Comment", "FileTree", "RawFinding", "Unit"]


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

    declarations: at most one, except after a recovery inside a header. raw: findings without places in a file.
    """

    text: str
    declarations: tuple[Declaration, ...]
    comments: tuple[Comment, ...]
    raw: tuple[RawFinding, ...]


class RawFinding(NamedTuple):
    """A finding of the parser with spans relative to the chunk; `Unit.findings` gives it places.

    labels: (start, end, message). fixes: (title, safe, ((start, end, new_text), ...)).
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
    """One chunk where it stands: the anchor gives file and offset."""

    __slots__ = ("anchor", "chunk")

    def __init__(self, anchor: Anchor, chunk: Chunk) -> None:
        self.anchor = anchor
        self.chunk = chunk

    def place(self, start: int, end: int) -> Place:
        return Place(self.anchor, start, end)

    def findings(self) -> list[Finding]:
        """The parser's findings, at their places."""
        raise NotImplementedError


class FileTree:
    """A parsed file: its units in the order of the text, which they cover without gap or overlap."""

    __slots__ = ("file", "units")

    def __init__(self, file: SourceFile, units: list[Unit]) -> None:
        self.file = file
        self.units = units
