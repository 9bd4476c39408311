"""From a name to what it means and to all that means the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import Location, included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Highlight", "Link", "definition", "highlight", "implementation", "linked_editing", "references"]


class Link(NamedTuple):
    """A target: `span` is its name, `full` the declaration or member around it, `origin` the word at the cursor, in
    the file that was asked."""

    path: str
    span: Span
    full: Span
    origin: Span


class Highlight(NamedTuple):
    """write: the place declares the name."""

    span: Span
    write: bool


@included
def definition(workspace: Workspace, path: str, offset: int) -> list[Link]:
    """Where what is named at the offset is declared."""
    raise NotImplementedError


@included
def type_definition(workspace: Workspace, path: str, offset: int) -> list[Link]:
    """The enum that is the type of what is named; of an entity's, job's or enum's name the declaration."""
    raise NotImplementedError


@included
def implementation(workspace: Workspace, path: str, offset: int) -> list[Link]:
    """Who runs a job or a workflow's step; who reads or writes an entity."""
    raise NotImplementedError


@included
def references(workspace: Workspace, path: str, offset: int, declarations: bool = True) -> list[Location]:
    """Every place that names the same, over all files, by path and offset."""
    raise NotImplementedError


@included
def highlight(workspace: Workspace, path: str, offset: int) -> list[Highlight]:
    """Every place in this file that names the same."""
    raise NotImplementedError


@included
def linked_editing(workspace: Workspace, path: str, offset: int) -> list[Span]:
    """The places of a member's name within its declaration that are typed at once: all are spelled alike, and no other
    declaration names it. Empty, or two and more."""
    raise NotImplementedError
