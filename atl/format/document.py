"""A file: declarations laid out one below the other, comments and broken declarations between them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import NamedTuple

from atl.findings import CODES, Severity
from atl.format.builder import layout
from atl.format.columns import lines
from atl.format.items import is_directive
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse
from atl.syntax.tree import Chunk, Comment, FileTree, Unit

__all__ = ["format_file", "format_text", "format_tree"]

_SPACE = " \t\r\n\f\v"


class _Piece(NamedTuple):
    """What begins a line at the top of the file and has it, or several, to itself. start, end: where it was."""

    start: int
    end: int
    text: str
    declares: bool


def format_text(text: str) -> str:
    """The laid-out text. Any text gives one; a declaration with a syntax error stays as it is."""
    return format_file(SourceFile("", text.removeprefix("\ufeff")))


def format_file(file: SourceFile) -> str:
    """The laid-out text of a file, without a byte-order mark."""
    return format_tree(parse(file))


def format_tree(tree: FileTree) -> str:
    """The laid-out text of a parsed file."""
    text = tree.file.text
    # Of a file with both, the last line end decides: it is the one place where the result is sure to have its own.
    newline = "\r\n" if text[: text.rfind("\n")].endswith("\r") else "\n"
    out: list[str] = []
    waiting: list[_Piece] = []  # comments that are not written yet, since a declaration may follow them
    end, declared = 0, False
    for unit in tree.units:
        for piece in _pieces(unit, newline):
            waiting.append(piece)
            if piece.declares:
                end = _write(out, text, waiting, end, declared, newline)
                declared = True
                waiting = []
    _write(out, text, waiting, end, False, newline)
    return "".join(out)


def _write(out: list[str], text: str, pieces: list[_Piece], end: int, parted: bool, newline: str) -> int:
    """Append pieces that stood behind `end`, with the author's blank lines, at least one of them when `parted`.
    Returns where the last one ended."""
    blanks: list[bool] = []
    for piece in pieces:
        blanks.append(text.count("\n", end, piece.start) > 1)
        end = piece.end
    if parted and True not in blanks:
        blanks[0] = True
    for piece, blank in zip(pieces, blanks, strict=True):
        if blank and out:
            out.append(newline)
        out.append(piece.text)
        out.append(newline)
    return end


def _pieces(unit: Unit, newline: str) -> list[_Piece]:
    text, base = unit.chunk.text, unit.anchor.start
    if not text.strip(_SPACE):
        return []
    pieces = laid_out(unit, newline)
    if pieces is not None and ink("".join(piece.text for piece in pieces)) == ink(text):
        return pieces
    # As it is, whole lines: the columns of a declaration that cannot be read may matter.
    start = text.rfind("\n", 0, len(text) - len(text.lstrip(_SPACE))) + 1
    end = text.find("\n", len(text.rstrip(_SPACE)))
    kept = text[start : end if end >= 0 else len(text)].rstrip("\r")
    return [_Piece(base + start, base + start + len(kept), kept, True)]


def laid_out(unit: Unit, newline: str) -> list[_Piece] | None:
    """The pieces of a unit; None when it has to stay as it is."""
    chunk, base = unit.chunk, unit.anchor.start
    pieces: list[_Piece] = []
    comments = chunk.comments
    if broken(chunk) or (len(chunk.declarations) > 1 and any(map(_speaks_of_line, comments))):
        return None
    at = 0
    for decl, following in zip_longest(chunk.declarations, chunk.declarations[1:]):
        before = [comment for comment in comments if at <= comment.start < decl.start]
        prefix: list[str] = []
        start = decl.start
        while before and _shares_line(before[-1], chunk.text[before[-1].end : start]):
            comment = before.pop()
            prefix.append(comment.text + " ")
            start = comment.start
        pieces += _remarks(before, chunk.text, base)
        at = decl.end if following else _line_end(decl, chunk)
        block = layout(chunk.text, decl, at)
        if block is None:
            return None
        written = "".join(reversed(prefix)) + newline.join(lines(block))
        end = len(chunk.text[:at].rstrip(_SPACE))
        pieces.append(_Piece(base + start, base + end, written, True))
    pieces += _remarks([comment for comment in comments if comment.start >= at], chunk.text, base)
    return pieces


def broken(chunk: Chunk) -> bool:
    """Whether the parser could not make sense of something in it. A block comment is only a warning; a name that is
    not ASCII is no question of syntax."""
    if any(raw.code < "ATL100" and CODES[raw.code].severity is Severity.ERROR for raw in chunk.raw):
        return True
    return any(type(decl) is n.BrokenDecl or decl.lost or decl.open < 0 for decl in chunk.declarations)


def ink(text: str) -> str:
    """What must not change: all but white space and commas."""
    return "".join(text.replace(",", " ").split())


def _line_end(decl: n.Declaration, chunk: Chunk) -> int:
    """Where the comments end that end the last line of the last declaration."""
    return next((c.start for c in chunk.comments if c.start >= decl.end and c.own_line), len(chunk.text))


def _speaks_of_line(comment: Comment) -> bool:
    return not comment.own_line and is_directive(comment.text)


def _shares_line(comment: Comment, behind: str) -> bool:
    return comment.block and "\n" not in comment.text and "\n" not in behind


def _remarks(comments: list[Comment], text: str, base: int) -> Iterator[_Piece]:
    """Comments outside of declarations, those of one line in one piece."""
    start, end, line = 0, 0, ""
    for comment in comments:
        written = comment.text
        if line and "\n" not in text[end : comment.start]:
            line += " " + written
        else:
            if line:
                yield _Piece(base + start, base + end, line, False)
            start, line = comment.start, written
        end = comment.end
    if line:
        yield _Piece(base + start, base + end, line, False)
