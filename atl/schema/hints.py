"""`// atl: renamed-from old_name`: the comment that says what a declaration, field or label was called before.

It stands on the lines before its target, with nothing but comments and blank lines between, or at the end of a line
that its target is on. Targets are entities, enums, jobs, the fields of entities, and the labels of enums; whether the
old name means anything is for those to say who know the old side.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Sequence
from typing import TypeAlias

from atl.closed import assert_never
from atl.records import NamedTuple
from atl.syntax import nodes as n
from atl.syntax.tree import Chunk, Comment

__all__ = ["Hint", "HintTarget", "hints"]

_HINT = re.compile(r"//\s*atl:\s*renamed-from\b[ \t]*(\"(?:[^\"\\]|\\.)*\"|[^\s\"]*)")

HintTarget: TypeAlias = "n.EntityDecl | n.EnumDecl | n.JobDecl | n.Field | n.EnumLabel"


class Hint(NamedTuple):
    """One comment. old_name: "" when the comment names nothing; start, end: that name, relative to the chunk, with its
    quotes. target: None when what it stands at cannot be renamed by a hint. declaration: whose member the target is, or
    the target itself."""

    comment: Comment
    old_name: str
    start: int
    end: int
    target: HintTarget | None
    declaration: n.Declaration | None


class _Item(NamedTuple):
    """Something that a comment can stand at. A declaration's own item ends where its body opens."""

    start: int
    end: int
    target: HintTarget | None
    declaration: n.Declaration


def hints(chunk: Chunk) -> list[Hint]:
    """The hints of a chunk, in the order of the text."""
    if "renamed-from" not in chunk.text:
        return []
    items = _items(chunk.declarations)
    starts = [item.start for item in items]
    headers = {id(item.declaration): item for item in reversed(items)}
    found: list[Hint] = []
    # From the end, so that each comment of a stack of them reaches what the next one reaches.
    reached: _Item | None = None
    after = len(chunk.text)
    for comment in reversed(chunk.comments):
        at = bisect_left(starts, comment.start)
        if not comment.own_line:
            item = _on_line(chunk.text, items, headers, at, comment)
            reached = None
        else:
            if at < len(items) and items[at].start < after:
                reached, after = items[at], items[at].start
            if chunk.text[comment.end : after].strip():
                reached = None
            item = reached
        after = comment.start
        match = None if comment.block else _HINT.match(comment.text)
        if match is not None:
            start, end = comment.start + match.start(1), comment.start + match.end(1)
            target, declaration = (None, None) if item is None else (item.target, item.declaration)
            found.append(Hint(comment, _unquoted(match[1]), start, end, target, declaration))
    found.reverse()
    return found


def _unquoted(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name[1:-1]) if name.startswith('"') else name


def _items(declarations: Sequence[n.Declaration]) -> list[_Item]:
    """Declarations and their members by where they start; they do not overlap."""
    found: list[_Item] = []
    for decl in declarations:
        renamable = decl if isinstance(decl, n.EntityDecl | n.EnumDecl | n.JobDecl) else None
        found.append(_Item(decl.start, decl.open if decl.open >= 0 else decl.end, renamable, decl))
        for member in _members(decl):
            is_target = type(member) is n.EnumLabel or (type(member) is n.Field and type(decl) is n.EntityDecl)
            found.append(_Item(member.start, member.end, member if is_target else None, decl))  # type: ignore[arg-type]
    found.sort(key=lambda item: item.start)
    return found


def _members(decl: n.Declaration) -> Sequence[n.Node]:
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            return decl.members
        case n.EnumDecl():
            return decl.labels
        case n.JobDecl():
            return decl.clauses
        case n.QueryDecl() | n.ProcedureDecl() | n.WorkflowDecl():
            return decl.parts
        case n.BrokenDecl():
            return ()
        case _:
            assert_never(decl)


def _on_line(text: str, items: list[_Item], headers: dict[int, _Item], at: int, comment: Comment) -> _Item | None:
    """The last item before `at` that is on the comment's line; the declaration itself when all of it is."""
    line = text.rfind("\n", 0, comment.start) + 1
    if at == 0:
        return None
    item = items[at - 1]
    decl = item.declaration
    whole = line <= decl.start and decl.end <= comment.start
    if item.end > line and not whole:
        return item
    header = headers[id(decl)]
    return header if whole or header.end > line else None
