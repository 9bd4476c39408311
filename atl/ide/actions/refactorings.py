"""The refactorings at the cursor, in the order in which they are offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from atl.ide.actions.checks import enum_of_check, extracted
from atl.ide.actions.layout import joined, wrapped
from atl.ide.actions.model import Action, Spot
from atl.ide.actions.touches import sorted_touches

__all__ = ["REFACTORINGS"]

REFACTORINGS: tuple[Callable[[Spot], Iterable[Action]], ...] = (
    sorted_touches,
    enum_of_check,
    extracted,
    wrapped,
    joined,
)
