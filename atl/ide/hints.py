"""Inlay hints: what holds without being written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["InlayHint", "inlay_hints"]


class InlayHint(NamedTuple):
    """label: shown at the offset. kind: `type` or `parameter`. before, after: a blank belongs on that side. insert:
    what writing it out would put there, or None."""

    offset: int
    label: str
    kind: str
    before: bool
    after: bool
    tooltip: str = ""
    insert: str | None = None


@included
def inlay_hints(workspace: Workspace, path: str, within: Span | None = None) -> list[InlayHint]:
    """Effective defaults, the namespace that a bare name resolved to, schedules in words; by offset."""
    raise NotImplementedError
