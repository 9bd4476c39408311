"""Renaming whatever has a name, everywhere that names it, or saying why not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Refusal", "Renamable", "Renamed", "TextEdit", "prepare_rename", "rename"]


class Refusal(NamedTuple):
    """Why nothing is renamed: a sentence for the user."""

    reason: str


class Renamable(NamedTuple):
    """The name at the cursor: what is selected, and what the input box begins with."""

    span: Span
    placeholder: str


class TextEdit(NamedTuple):
    span: Span
    new_text: str


class Renamed(NamedTuple):
    """The edits by path, in the order of the text, none overlapping. hint: the same edits and the comment that tells
    the planner of the rename; None where no plan would ask."""

    edits: dict[str, list[TextEdit]]
    hint: dict[str, list[TextEdit]] | None


@included
def prepare_rename(workspace: Workspace, path: str, offset: int) -> Renamable | Refusal:
    raise NotImplementedError


@included
def rename(workspace: Workspace, path: str, offset: int, new_name: str) -> Renamed | Refusal:
    raise NotImplementedError
