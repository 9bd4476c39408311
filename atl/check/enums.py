"""The enums that fields are of."""

from __future__ import annotations

from atl.check.context import Context
from atl.schema.types import Type

__all__ = ["labels_of"]


def labels_of(type_: Type, ctx: Context) -> tuple[str, ...] | None:
    """The labels of an enum that may be relied on; None for other types, and where some may be missing."""
    enum = None if type_.base or type_.dims else ctx.scope.enum(type_.enum)
    return None if enum is None or enum.lost else enum.labels
