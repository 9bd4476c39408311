"""The refactorings at the cursor, in the order in which they are offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from atl.ide.actions.model import Action, Spot

__all__ = ["REFACTORINGS"]

REFACTORINGS: tuple[Callable[[Spot], Iterable[Action]], ...] = ()
