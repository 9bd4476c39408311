"""A file: declarations laid out one below the other, comments and broken declarations between them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from typing import NamedTuple

from atl.findings import CODES, Severity
from atl.format.builder import layout
from atl.format.columns import lines
from atl.format.items import is_directive
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.lexer import tokens
from atl.syntax.parser import parse
from atl.syntax.tree import Chunk, Comment, FileTree, Token, Unit

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
    last = text.rfind("\n")
    newline = "\r\n" if last > 0 and text[last - 1] == "\r" else "\n"
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
    chunk, text, base = unit.chunk, unit.chunk.text, unit.anchor.start
    if broken(chunk) or (len(chunk.declarations) > 1 and any(map(_speaks_of_line, chunk.comments))):
        return None
    pieces: list[_Piece] = []
    words = tokens(text)
    at = 0
    for decl in chunk.declarations:
        first = bisect_left(words, decl.start, at, key=_start)
        own = first
        while own > at and _shares_line(words[own - 1], text[words[own - 1].end : words[own].start]):
            own -= 1
        pieces += _remarks(words[at:own], text, base)
        at = bisect_left(words, decl.end, first, key=_start)
        if decl is chunk.declarations[-1]:
            while at < len(words) and "\n" not in text[words[at - 1].end : words[at].start]:
                at += 1
        block = layout(text, decl, words[first:at])
        if block is None:
            return None
        prefix = "".join(comment.text + " " for comment in words[own:first])
        written = prefix + newline.join(lines(block))
        pieces.append(_Piece(base + words[own].start, base + words[at - 1].end, written, True))
    pieces += _remarks(words[at:], text, base)
    return pieces


def _start(token: Token) -> int:
    return token.start


def broken(chunk: Chunk) -> bool:
    """Whether the parser could not make sense of something in it. A block comment is only a warning; a name that is
    not ASCII is no question of syntax."""
    if any(raw.code < "ATL100" and CODES[raw.code].severity is Severity.ERROR for raw in chunk.raw):
        return True
    return any(type(decl) is n.BrokenDecl or decl.lost or decl.open < 0 for decl in chunk.declarations)


def ink(text: str) -> str:
    """What must not change: all but white space and commas."""
    return "".join(text.replace(",", " ").split())


def _speaks_of_line(comment: Comment) -> bool:
    return not comment.own_line and is_directive(comment.text)


def _shares_line(comment: Token, behind: str) -> bool:
    return comment.text.startswith("/*") and "\n" not in comment.text and "\n" not in behind


def _remarks(comments: list[Token], text: str, base: int) -> Iterator[_Piece]:
    """Comments outside of declarations, those of one line in one piece."""
    line: list[Token] = []
    for comment in comments:
        if line and "\n" in text[line[-1].end : comment.start]:
            yield _remark(line, base)
            line = []
        line.append(comment)
    if line:
        yield _remark(line, base)


def _remark(line: list[Token], base: int) -> _Piece:
    return _Piece(base + line[0].start, base + line[-1].end, " ".join(comment.text for comment in line), False)
