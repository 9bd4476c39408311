"""Laying out a file, a part of it, or what was just typed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.ide.places import included
from atl.ide.rename import TextEdit
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["TRIGGERS", "format_document", "format_on_type", "format_range"]

TRIGGERS = ("\n", "}")
"""What is typed for `format_on_type` to be asked."""


@included
def format_document(workspace: Workspace, path: str) -> list[TextEdit]:
    """What lays out the file, in the order of the text, none overlapping. Declarations with syntax errors are left."""
    raise NotImplementedError


@included
def format_range(workspace: Workspace, path: str, span: Span) -> list[TextEdit]:
    """What lays out the declarations that a span touches."""
    raise NotImplementedError


@included
def format_on_type(workspace: Workspace, path: str, offset: int, typed: str) -> list[TextEdit]:
    """What to change now that `typed` (one of TRIGGERS) stands before the offset: a new line gets its indentation, and
    the `}` that ends a declaration without errors lays it out."""
    raise NotImplementedError
