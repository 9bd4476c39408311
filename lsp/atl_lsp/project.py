"""One workspace of the session: its schema, and which of its files the client has open under which name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING

from atl.source import SourceFile, Span
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import relative_path
from atl.workspace.live import Workspace
from atl_lsp.documents import Change, Document
from atl_lsp.positions import Encoding, Positions
from atl_lsp.uris import uri_of

if TYPE_CHECKING:
    from lsprotocol import types as t

__all__ = ["Project"]


class Project:
    """root: absolute, "" for a text that is no file. error: why `tide.yaml` or an `atl.toml` cannot be used; the
    configuration that was good last counts meanwhile, at the start none. kept: it stays when nothing of it is open."""

    def __init__(self, root: str, encoding: Encoding, kept: bool) -> None:
        self.root = root
        self.encoding = encoding
        self.kept = kept
        self.error: WorkspaceError | None = None
        self.open: dict[str, Document] = {}
        self._uris: dict[str, str] = {}
        self._positions: dict[str, tuple[SourceFile, Positions]] = {}
        self.workspace = Workspace.in_memory({})
        self._loaded = not root
        self._load()

    # ------------------------------------------------------------ files and names

    def full(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.root, *path.split("/"))) if self.root else path

    def path_of(self, full: str) -> str:
        """The path under which the workspace has a file; by another name, through a symbolic link, its own."""
        path = relative_path(full, self.root)
        if self.workspace.tree(path) is not None or not os.path.lexists(full):
            return path
        try:
            found = os.stat(full)
        except OSError:
            return path
        name = os.path.basename(os.path.realpath(full))
        for other in (*self.workspace.paths(), *self.open):
            if other.endswith((name, os.path.basename(full))):
                try:
                    if os.path.samestat(found, os.stat(self.full(other))):
                        return other
                except OSError:
                    continue
        return path

    def uri(self, path: str) -> str:
        document = self.open.get(path)
        if document is not None:
            return document.uri
        uri = self._uris.get(path)
        if uri is None:
            uri = self._uris[path] = uri_of(self.full(path))
        return uri

    def version(self, path: str) -> int | None:
        document = self.open.get(path)
        return document.version if document is not None else None

    def paths(self) -> list[str]:
        """What is reported on: the own files, and what is open beside them."""
        own = self.workspace.paths()
        more = [path for path in self.open if not self.workspace.is_own(path) and self.workspace.tree(path) is None]
        return own + more

    # ------------------------------------------------------------ positions

    def positions(self, path: str) -> tuple[Positions, int]:
        """Of a file's text, and how many characters stand in it before the workspace's text."""
        document = self.open.get(path)
        if document is not None:
            return document.positions, document.skip
        source = self.workspace.source(path)
        if source is None:
            return Positions("", self.encoding), 0
        known = self._positions.get(path)
        if known is None or known[0] is not source:
            if len(self._positions) > 100:
                self._positions.clear()
            known = self._positions[path] = (source, Positions(source.text, self.encoding))
        return known[1], 0

    def range(self, path: str, span: Span) -> t.Range:
        positions, skip = self.positions(path)
        return positions.range(Span(span.start + skip, span.end + skip))

    # ------------------------------------------------------------ changes

    def put(self, path: str, document: Document) -> None:
        self.open[path] = document
        self.workspace.set_text(path, document.content)

    def change(self, path: str, document: Document, change: Change | None) -> None:
        if change is None:
            self.workspace.set_text(path, document.content)
        else:
            self.workspace.edit(path, *change)

    def close(self, path: str) -> None:
        del self.open[path]
        self.workspace.close(path)

    def refresh(self, paths: Iterable[str] = ()) -> None:
        """Look at the disk again."""
        if not self._loaded:
            self._load()
            return
        try:
            self.workspace.refresh(paths)
            self.error = None
        except WorkspaceError as error:
            self.error = error

    def _load(self) -> None:
        texts = {path: document.content for path, document in self.open.items()}
        try:
            self.workspace = Workspace(self.root, texts) if self.root else Workspace.in_memory(texts)
            self._loaded, self.error = True, None
        except WorkspaceError as error:
            self.error = error
            self.workspace = Workspace.in_memory(texts)
