"""Laying out a file, a part of it, or what was just typed."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING

from atl.ide.places import included, unit_at
from atl.ide.rename import TextEdit
from atl.source import Span

if TYPE_CHECKING:
    from atl.format.edits import TextEdit as Replacement
    from atl.syntax.tree import FileTree
    from atl.workspace.live import Workspace

__all__ = ["TRIGGERS", "format_document", "format_on_type", "format_range"]

TRIGGERS = ("\n", "}")
"""What is typed for `format_on_type` to be asked."""

_INDENT = "  "
_BLANKS = re.compile(r"[ \t]*")


@included
def format_document(workspace: Workspace, path: str) -> list[TextEdit]:
    """What lays out the file, in the order of the text, none overlapping. Declarations with syntax errors are left."""
    tree = workspace.tree(path)
    if tree is None:
        return []
    from atl.format.edits import edits

    return _spans(edits(tree))


@included
def format_range(workspace: Workspace, path: str, span: Span) -> list[TextEdit]:
    """What lays out the declarations that a span touches."""
    tree = workspace.tree(path)
    if tree is None:
        return []
    from atl.format.edits import range_edits

    return _spans(range_edits(tree, span.start, span.end))


@included
def format_on_type(workspace: Workspace, path: str, offset: int, typed: str) -> list[TextEdit]:
    """What to change now that `typed` (one of TRIGGERS) stands before the offset: a new line gets its indentation, and
    the `}` that ends a declaration without errors lays it out."""
    tree = workspace.tree(path)
    if tree is None or not tree.file.text.startswith(typed, offset - len(typed)):
        return []
    if typed == "}":
        return _ended(tree, offset)
    return _new_line(tree, offset) if typed == "\n" else []


def _spans(found: Iterable[Replacement]) -> list[TextEdit]:
    return [TextEdit(Span(edit.start, edit.end), edit.new_text) for edit in found]


def _ended(tree: FileTree, offset: int) -> list[TextEdit]:
    unit = unit_at(tree, offset - 1)
    if unit is None or unit.chunk.raw:
        return []
    base = unit.anchor.start
    if not any(decl.close == offset - 1 - base for decl in unit.chunk.declarations):
        return []
    from atl.format.edits import range_edits

    # What stands before the declaration, and behind it, is not what was typed.
    start = base + min(decl.start for decl in unit.chunk.declarations)
    found = range_edits(tree, base, offset)
    return [edit for edit in _spans(found) if start <= edit.span.start and edit.span.end <= offset]


def _new_line(tree: FileTree, offset: int) -> list[TextEdit]:
    """The indentation of a line that was just begun, by how many braces are open. Nothing is changed inside of SQL,
    strings and comments, whose text is the author's."""
    from atl.ide.completing.position import position

    text = tree.file.text
    at = position(tree, offset)
    if at.inside is not None:
        return []
    rest = _BLANKS.match(text, offset)
    end = rest.end() if rest else offset
    behind = text[end : end + 1]
    depth = at.symbols().count("LBRACE") - (behind == "}")
    wanted = _INDENT * max(depth, 0)
    # What stands deeper already goes on with a field: its column is the author's, and has a meaning.
    if text[offset:end] == wanted or (behind not in ("", "\n", "\r", "}") and end - offset > len(wanted)):
        return []
    return [TextEdit(Span(offset, end), wanted)]
