"""What the code lens compares with: the schema that stands in git, read in a thread of its own."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from atl.workspace.errors import WorkspaceError
from atl_lsp.project import Project
from atl_lsp.session import Session

if TYPE_CHECKING:
    from atl.schema.model import Schema

__all__ = ["Bases"]


class _Read(NamedTuple):
    """commit: "" for a path, which is read again every time."""

    commit: str
    schema: Schema | None


class Bases:
    """One schema a workspace, None until it is read and where there is no git."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._known: dict[tuple[str, str], _Read] = {}
        self._fresh: set[tuple[str, str]] = set()
        self._lock = threading.Lock()

    def of(self, project: Project) -> Schema | None:
        key = (project.root, self._session.settings.plan_base)
        if not project.root:
            return None
        if key not in self._fresh:
            self._fresh.add(key)
            threading.Thread(target=self._read, args=key, name="base", daemon=True).start()
        known = self._known.get(key)
        return known.schema if known is not None else None

    def forget(self) -> None:
        """Another revision may be the base now; what is known counts until that is looked up."""
        self._fresh.clear()

    def _read(self, root: str, base: str) -> None:
        from atl.workspace.sides import default_side, named_side

        with self._lock:
            before = self._known.get((root, base))
            read = _Read("", None)
            with suppress(WorkspaceError, OSError):
                commit = _commit(root, base)
                if before is not None and commit and before.commit == commit:
                    return
                side = named_side(base, root) if base else default_side(root)
                read = _Read(commit, side.schema if side is not None else None)
            self._known[root, base] = read
        if read.schema is not (before.schema if before is not None else None) and self._session.can(
            "workspace.code_lens.refresh_support"
        ):
            self._session.server.workspace_code_lens_refresh(None)


def _commit(root: str, base: str) -> str:
    from atl.workspace.revision import default_revision, find_repository, resolve

    repository = find_repository(root)
    if repository is None:
        return ""
    if base:
        return resolve(repository, base) or ""
    found = default_revision(repository)
    return found[1] if found is not None else ""
