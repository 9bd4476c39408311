"""A file: declarations laid out one below the other, comments and broken declarations between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from atl.findings import CODES, Severity
from atl.format.builder import layout
from atl.format.columns import lines
from atl.format.items import is_directive
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse
from atl.syntax.tree import Comment, FileTree, Unit

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
    for group in _groups(tree):
        for piece in _pieces(text, group, newline):
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


def _groups(tree: FileTree) -> Iterator[list[Unit]]:
    """Units that share a line stand in one group. Those of white space alone are left out."""
    group: list[Unit] = []
    text = tree.file.text
    end = 0
    for unit in tree.units:
        start = unit.anchor.start
        chunk = unit.chunk.text
        ink = start + len(chunk) - len(chunk.lstrip(_SPACE))
        if ink == start + len(chunk):
            continue
        if group and "\n" in text[end:ink]:
            yield group
            group = []
        group.append(unit)
        end = start + len(chunk.rstrip(_SPACE))
    if group:
        yield group


def _pieces(text: str, group: list[Unit], newline: str) -> list[_Piece]:
    pieces = _laid_out(group, newline)
    start, last = group[0].anchor.start, group[-1]
    end = last.anchor.start + len(last.chunk.text)
    if pieces and _ink("".join(piece.text for piece in pieces)) == _ink(text[start:end]):
        return pieces
    # As it is, from the beginning of its first line: the columns of a declaration that cannot be read may matter.
    whole = text[start:end]
    start += len(whole) - len(whole.lstrip(_SPACE))
    start = max(group[0].anchor.start, text.rfind("\n", 0, start) + 1)
    kept = text[start:end].rstrip(_SPACE)
    return [_Piece(start, start + len(kept), kept, True)]


def _laid_out(group: list[Unit], newline: str) -> list[_Piece] | None:
    """None when the group has to stay as it is."""
    if any(map(_broken, group)) or (len(group) > 1 and any(map(_ends_with_directive, group))):
        return None
    pieces: list[_Piece] = []
    for unit in group:
        found = _unit(unit, newline)
        if found is None:
            return None
        pieces += found
    return pieces


def _ends_with_directive(unit: Unit) -> bool:
    return any(not comment.own_line and is_directive(comment.text) for comment in unit.chunk.comments)


def _broken(unit: Unit) -> bool:
    """Whether the parser could not make sense of something in it. A block comment is only a warning; a name that is
    not ASCII is no question of syntax."""
    chunk = unit.chunk
    if any(raw.code < "ATL100" and CODES[raw.code].severity is Severity.ERROR for raw in chunk.raw):
        return True
    return any(type(decl) is n.BrokenDecl or decl.lost or decl.open < 0 for decl in chunk.declarations)


def _ink(text: str) -> str:
    """What must not change: all but white space and commas."""
    return "".join(text.replace(",", " ").split())


def _unit(unit: Unit, newline: str) -> list[_Piece] | None:
    chunk, base = unit.chunk, unit.anchor.start
    pieces: list[_Piece] = []
    comments = list(chunk.comments)
    for decl in chunk.declarations:
        before = [comment for comment in comments if comment.end <= decl.start]
        prefix: list[str] = []
        start = decl.start
        while before and _shares_line(before[-1], chunk.text[before[-1].end : start]):
            comment = before.pop()
            prefix.append(comment.text + " ")
            start = comment.start
        pieces += _remarks(before, chunk.text, base)
        comments = [comment for comment in comments if comment.start >= decl.end]
        end = next((comment.start for comment in comments if comment.own_line), len(chunk.text))
        block = layout(chunk.text, decl, end)
        if block is None:
            return None
        comments = [comment for comment in comments if comment.start >= end]
        end = len(chunk.text[:end].rstrip(_SPACE))
        written = "".join(reversed(prefix)) + newline.join(lines(block))
        pieces.append(_Piece(base + start, base + end, written, True))
    pieces += _remarks(comments, chunk.text, base)
    return pieces


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
