"""What the code lens compares with: the schema that stands in git, read in a thread of its own."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

from atl.workspace.errors import WorkspaceError
from atl_lsp.project import Project
from atl_lsp.session import Session

if TYPE_CHECKING:
    from atl.schema.model import Schema

__all__ = ["Bases"]


class Bases:
    """One schema a workspace, None until it is read and where there is no git."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, str], Schema | None] = {}
        self._lock = threading.Lock()

    def of(self, project: Project) -> Schema | None:
        key = (project.root, self._session.settings.plan_base)
        if not project.root:
            return None
        if key not in self._known:
            self._known[key] = None
            threading.Thread(target=self._read, args=key, name="base", daemon=True).start()
        return self._known[key]

    def forget(self) -> None:
        """Another revision may be the base now."""
        self._known = {}

    def _read(self, root: str, base: str) -> None:
        from atl.workspace.sides import default_side, named_side

        known = self._known
        with self._lock, suppress(WorkspaceError, OSError):
            side = named_side(base, root) if base else default_side(root)
            if side is None:
                return
            known[root, base] = side.schema
        if known.get((root, base)) is not None and self._session.can("workspace.code_lens.refresh_support"):
            self._session.server.workspace_code_lens_refresh(None)
