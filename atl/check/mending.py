"""Edits that many fixes are made of: removing and adding words so that what stands around keeps its meaning.

Two things make that more than cutting text. Columns decide what some words belong to (`check`, `default`, ...), so an
edit must not move them; and a predicate reaches to the end of its line, so nothing may be put behind one.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from operator import attrgetter

from atl.check.context import Context
from atl.check.edits import removal
from atl.source import Place, encoded
from atl.syntax import nodes as n

__all__ = [
    "Change",
    "add_member",
    "add_member_after",
    "add_modifier",
    "column",
    "indentation",
    "newline",
    "remove_item",
    "remove_member",
    "remove_modifier",
    "skip_blanks",
    "starts_line",
]

Change = tuple[Place, str]
"""What to replace, and by what: an argument of `Context.fix`."""

_BLANKS = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
_TO_SIDE = " \t"
# Words that modify the field before them when they stand on its line or right of its name.
_BY_COLUMN = re.compile(r"(?:identity|serial|default|references|backfill|check)\b|unique\s+index\b")


def skip_blanks(text: str, offset: int) -> int:
    """The offset of the next token."""
    found = _BLANKS.match(text, offset)
    return offset if found is None else found.end()


def newline(ctx: Context) -> str:
    """The line end that the declaration's text uses."""
    found: str | None = ctx.memo.get(newline)
    if found is None:
        found = ctx.memo[newline] = "\r\n" if "\r\n" in ctx.unit.chunk.text else "\n"
    return found


def column(text: str, offset: int) -> int:
    """Bytes between the line's start and the offset: what the column rule counts."""
    return len(encoded(text[text.rfind("\n", 0, offset) + 1 : offset]))


def indentation(text: str, offset: int) -> str:
    """The white space that the offset's line starts with."""
    start = text.rfind("\n", 0, offset) + 1
    end = start
    while end < offset and text[end] in _TO_SIDE:
        end += 1
    return text[start:end]


def starts_line(text: str, offset: int) -> bool:
    """Whether only white space stands before the offset on its line."""
    return not text[text.rfind("\n", 0, offset) + 1 : offset].strip()


def add_modifier(ctx: Context, field: n.Field, words: str) -> Change:
    """Put modifiers right behind the field's type."""
    return ctx.insertion((field.type or field.name).end), " " + words


def remove_modifier(ctx: Context, modifier: n.Node) -> Change:
    """Take a modifier away. When it starts its line and others follow on it, these keep their columns."""
    text = ctx.unit.chunk.text
    start, end = modifier.start, modifier.end
    if starts_line(text, start) and not _ends_line(text, end):
        return ctx.at(text.rfind("\n", 0, start) + 1, end), " " * column(text, end)
    return removal(ctx, start, end), ""


def remove_member(ctx: Context, member: n.Node) -> list[Change]:
    """Take a clause away, with its line when it stands alone on it."""
    text = ctx.unit.chunk.text
    start, end = member.start, member.end
    follower = skip_blanks(text, end)
    before = _field_before(ctx, start)
    if before is None or _BY_COLUMN.match(text, follower) is None:
        return [(removal(ctx, start, end), "")]
    if "\n" not in text[end:follower]:
        # What follows would become the field's: it goes on a line of its own, level with the field's name.
        level = " " * column(text, before.name.start)
        if starts_line(text, start):
            return [(ctx.at(text.rfind("\n", 0, start) + 1, follower), level)]
        while text[start - 1] in _TO_SIDE:
            start -= 1
        return [(ctx.at(start, follower), newline(ctx) + level)]
    changes: list[Change] = [(removal(ctx, start, end), "")]
    if column(text, follower) > (at := column(text, before.name.start)):
        changes.append((ctx.at(text.rfind("\n", 0, follower) + 1, follower), " " * at))
    return changes


def remove_item(ctx: Context, items: Sequence[n.Node], at: int) -> list[Change]:
    """Take an item of a list away, with the comma behind it, or else with the one before it."""
    text = ctx.unit.chunk.text
    item = items[at]
    comma = skip_blanks(text, item.end)
    if text[comma : comma + 1] == ",":
        start, end = item.start, comma + 1
        if starts_line(text, start) or _ends_line(text, end):
            return [(removal(ctx, start, end), "")]
        while text[end : end + 1] in (" ", "\t"):
            end += 1
        return [(ctx.at(start, end), "")]
    cut = removal(ctx, item.start, item.end)
    comma = skip_blanks(text, items[at - 1].end) if at > 0 else len(text)
    if text[comma : comma + 1] == ",":
        if not text[comma + 1 : item.start].strip():
            return [(ctx.at(comma, cut.end), "")]
        return [(ctx.at(comma, comma + 1), ""), (cut, "")]
    return [(cut, "")]


def add_member(ctx: Context, words: str) -> Change | None:
    """Put a member at the end of the declaration's body; None when the body is not closed."""
    decl = ctx.decl
    if decl.open < 0 or decl.close < 0:
        return None
    text, close = ctx.unit.chunk.text, decl.close
    if starts_line(text, close):
        start = text.rfind("\n", 0, close) + 1
        return ctx.insertion(start), _member_indentation(ctx) + words + newline(ctx)
    if _ends_in_predicate(decl):
        return ctx.insertion(close), newline(ctx) + _member_indentation(ctx) + words + newline(ctx)
    before = text[decl.open + 1 : close]
    lead = "" if before.isspace() else " "
    return ctx.insertion(close), f"{lead}{words} "


def add_member_after(ctx: Context, field: n.Field, words: str) -> Change:
    """Put a member behind a field, on a line of its own level with the field's name (or its line's indentation)."""
    text = ctx.unit.chunk.text
    at = text.find("\n", field.end)
    at = len(text) if at < 0 else at
    rest = text[field.end : at].strip()
    if rest and not rest.startswith("//"):
        at = field.end
    elif text[at - 1 : at] == "\r":
        at -= 1
    level = indentation(text, field.name.start)
    if not starts_line(text, field.name.start):
        level = _member_indentation(ctx)
    return ctx.insertion(at), newline(ctx) + level + words


def _ends_line(text: str, offset: int) -> bool:
    """Whether only white space stands behind the offset on its line."""
    end = text.find("\n", offset)
    return not text[offset : len(text) if end < 0 else end].strip()


def _field_before(ctx: Context, offset: int) -> n.Field | None:
    """The member before the offset, when it is a field."""
    decl = ctx.decl
    if not isinstance(decl, n.EntityDecl | n.EphemeralDecl):
        return None
    at = bisect_right(decl.members, offset, key=attrgetter("end"))
    last = decl.members[at - 1] if at else None
    return last if type(last) is n.Field else None


def _member_indentation(ctx: Context) -> str:
    """As the first member that starts its line, else two spaces more than the declaration."""
    text, decl = ctx.unit.chunk.text, ctx.decl
    first = skip_blanks(text, decl.open + 1)
    if first < decl.close and starts_line(text, first):
        return indentation(text, first)
    return indentation(text, decl.start) + "  "


def _ends_in_predicate(decl: n.Declaration) -> bool:
    if type(decl) is not n.EntityDecl or not decl.members:
        return False
    last = decl.members[-1]
    return type(last) is n.Index and last.predicate is not None
