"""What keeps a workspace from being read at all."""

from __future__ import annotations

__all__ = ["WorkspaceError"]


class WorkspaceError(Exception):
    """No such file, a bad `tide.yaml`, `atl.toml` or rule selector. `str(error)` is one line for the user:
    `path:line: what is the case` (the line where there is one). The command line exits 2.

    path: as given or found, absolute or relative to the current folder; "" without one. line: from 1, 0 without one.
    """

    def __init__(self, message: str, path: str = "", line: int = 0) -> None:
        where = f"{path}:{line}: " if line else f"{path}: " if path else ""
        super().__init__(where + message)
        self.message = message
        self.path = path
        self.line = line
