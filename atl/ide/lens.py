"""Code lenses: what a line above a declaration says."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import Location, included
from atl.source import Span

if TYPE_CHECKING:
    from atl.schema.model import Schema
    from atl.workspace.live import Workspace

__all__ = ["Lens", "lenses"]


class Lens(NamedTuple):
    """span: the declaration's name. places: of a lens of uses, the uses; of a plan's lens ()."""

    span: Span
    title: str
    kind: str  # "uses" or "plan"
    places: tuple[Location, ...] = ()


@included
def lenses(workspace: Workspace, path: str, base: Schema | None = None) -> list[Lens]:
    """`3 uses` over every declaration that others can name, and `plan: backfill_required` over one that has changed
    against `base`, with the worst class of its changes."""
    raise NotImplementedError
