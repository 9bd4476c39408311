"""What is at the cursor, in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from datetime import datetime

    from atl.workspace.live import Workspace

__all__ = ["Hover", "hover"]


class Hover(NamedTuple):
    """span: what it is about."""

    span: Span
    markdown: str


@included
def hover(workspace: Workspace, path: str, offset: int, now: datetime | None = None) -> Hover | None:
    """now: from when the next firings of a schedule are counted, with a zone; the clock's time by default."""
    raise NotImplementedError
