"""What keeps a plan from being made or carried out."""

from __future__ import annotations

__all__ = ["MigrateError"]


class MigrateError(Exception):
    """One line that says what is the case, and lines that say more: rows, a constraint, what can be done."""

    def __init__(self, message: str, *notes: str) -> None:
        super().__init__(message)
        self.message = message
        self.notes = notes
