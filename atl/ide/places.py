"""Where the cursor is: the unit, the declaration and the text around an offset; and places as answers give them.

Every feature is a function over a live workspace, a path and offsets into that file's text as it counts now. Answers
are tuples with absolute spans, valid until the next edit. A path that the workspace does not know gives an empty
answer; an open file outside the workspace is read as though it were an own one.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import update_wrapper
from typing import TYPE_CHECKING, Concatenate, NamedTuple, ParamSpec, TypeVar

from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.tree import FileTree, Unit

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Cursor", "Location", "cursor", "included", "span_in", "unit_at"]

_P = ParamSpec("_P")
_R = TypeVar("_R")


class Location(NamedTuple):
    """A span of a file's text."""

    path: str
    span: Span


class Cursor(NamedTuple):
    """An offset and what is around it. at: the offset relative to the unit's anchor. decl: the declaration that holds
    it, None between declarations."""

    unit: Unit
    at: int
    decl: n.Declaration | None


def included(
    feature: Callable[Concatenate[Workspace, str, _P], _R],
) -> Callable[Concatenate[Workspace, str, _P], _R]:
    """A feature that also works in an open file that is no part of the workspace."""

    def within(workspace: Workspace, path: str, /, *args: _P.args, **kwargs: _P.kwargs) -> _R:
        with workspace.including(path):
            return feature(workspace, path, *args, **kwargs)

    update_wrapper(within, feature)
    return within


def unit_at(tree: FileTree, offset: int) -> Unit | None:
    """The unit that holds an offset; the last one for the end of the text. None in an empty file."""
    at = bisect_right(tree.units, offset, key=lambda unit: unit.anchor.start) - 1
    return tree.units[max(at, 0)] if tree.units else None


def cursor(workspace: Workspace, path: str, offset: int) -> Cursor | None:
    tree = workspace.tree(path)
    unit = unit_at(tree, offset) if tree is not None else None
    if unit is None:
        return None
    at = offset - unit.anchor.start
    around = [decl for decl in unit.chunk.declarations if decl.start <= at <= decl.end]
    return Cursor(unit, at, around[0] if around else None)


def span_in(unit: Unit, start: int, end: int) -> Span:
    """The absolute span of offsets relative to a unit."""
    return Span(unit.anchor.start + start, unit.anchor.start + end)
