"""What the server knows of one client: what it can do, its folders, its open texts, the workspaces these belong to."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from lsprotocol import types as t
from pygls.capabilities import get_capability

from atl.source import Span
from atl.workspace.config import find_root, read_config
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import list_files
from atl.workspace.live import Workspace
from atl_lsp.documents import Document
from atl_lsp.positions import Encoding, Positions
from atl_lsp.progress import Progress
from atl_lsp.project import Project
from atl_lsp.server import Server
from atl_lsp.settings import Settings
from atl_lsp.uris import key_of, path_of

__all__ = ["Here", "Session"]

_CONFIGURATION = ("tide.yaml", "atl.toml")


class Here(NamedTuple):
    """A file of a workspace that a request is about. skip: as `Document.skip`."""

    project: Project
    path: str
    positions: Positions
    skip: int

    @property
    def workspace(self) -> Workspace:
        return self.project.workspace

    def offset(self, position: t.Position) -> int:
        return max(self.positions.offset(position) - self.skip, 0)

    def span(self, range: t.Range) -> Span:
        span = self.positions.span(range)
        return Span(max(span.start - self.skip, 0), max(span.end - self.skip, 0))

    def range(self, span: Span) -> t.Range:
        return self.positions.range(Span(span.start + self.skip, span.end + self.skip))


class Session:
    """serial: grows with every change that may bear on any answer. places: of each open document by key, the workspaces
    that read it, and as which file; answers are given in the first. watching: the client tells of changed files.
    outdated: what the client has shown may be wrong without its having changed anything itself."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.client = t.ClientCapabilities()
        self.encoding = Encoding.Utf16
        self.settings = Settings()
        self.commands: frozenset[str] = frozenset()
        self.folders: list[str] = []
        self.documents: dict[str, Document] = {}
        self.places: dict[str, list[tuple[Project, str]]] = {}
        self.projects: dict[str, Project] = {}
        self.serial = 0
        self.on_change: list[Callable[[], None]] = []
        self.watching = False
        self.outdated = False
        self._touched: set[str] | None = None
        self._seen: dict[str, object] = {}

    # ------------------------------------------------------------ what the client can do

    def can(self, capability: str) -> bool:
        """Whether the client has a capability: `text_document.rename.prepare_support`."""
        return bool(get_capability(self.client, capability, False))

    def takes(self, capability: str, value: Any) -> bool:
        """Whether a list among the client's capabilities has a value."""
        return value in (get_capability(self.client, capability, None) or ())

    def changed(self) -> None:
        self.serial += 1
        for listener in self.on_change:
            listener()

    # ------------------------------------------------------------ folders and workspaces

    def set_folders(self, folders: Iterable[str]) -> None:
        """The client's folders, absolute: their workspaces are held, with those nested in them."""
        self.folders = list(dict.fromkeys(folders))
        wanted: dict[str, None] = {}
        for folder in self.folders:
            root = find_root(folder) or folder
            wanted[root] = None
            project = self._project(root, True)
            if project.error is None:
                for nested in list_files(project.workspace.config, missing_ok=True).nested:
                    wanted[nested] = None
                    self._project(nested, True)
        for root, project in tuple(self.projects.items()):
            project.kept = root in wanted
        self._rehome()
        self.changed()

    def _project(self, root: str, kept: bool = False) -> Project:
        project = self.projects.get(root)
        if project is None:
            with Progress(self, "Reading declarations", os.path.basename(root)):
                project = self.projects[root] = Project(root, self.encoding, kept)
        return project

    def _root_of(self, document: Document) -> str:
        if document.path is None:
            return ""
        folder = os.path.dirname(document.path)
        found = find_root(folder)
        if found is not None:
            return found
        for project in self.projects.values():
            if project.root and project.workspace.is_own(project.path_of(document.path)):
                return project.root
        around = [root for root in self.folders if folder == root or folder.startswith(root.rstrip(os.sep) + os.sep)]
        return min(around, key=len) if around else folder

    def _place(self, document: Document) -> None:
        root = self._root_of(document)
        if root:
            project = self._project(root)
            path = project.path_of(document.path or "")
        else:
            # A text that is no file is a workspace of its own.
            path = document.uri
            project = self.projects[document.key] = Project("", self.encoding, False)
        places = [(project, path)]
        for other in self.projects.values():
            if other is not project and other.root and document.path is not None:
                path = other.path_of(document.path)
                if other.workspace.tree(path) is not None:
                    places.append((other, path))
        self.places[document.key] = places
        for project, path in places:
            project.put(path, document)

    def _leave(self, document: Document) -> None:
        for project, path in self.places.pop(document.key):
            project.close(path)
        self._drop_unused()

    def _drop_unused(self) -> None:
        used = {project for places in self.places.values() for project, _ in places[:1]}
        self.projects = {root: each for root, each in self.projects.items() if each.kept or each in used}

    def _rehome(self) -> None:
        """Workspaces begin and end where `tide.yaml` comes and goes."""
        for document in self.documents.values():
            places = self.places.get(document.key)
            if places and places[0][0].root != self._root_of(document):
                self._leave(document)
                self._place(document)
        self._drop_unused()

    # ------------------------------------------------------------ documents

    def open(self, item: t.TextDocumentItem) -> None:
        document = Document(item, self.encoding)
        if document.key in self.documents:
            self.close(item.uri)
        self.documents[document.key] = document
        if os.path.basename(document.path or document.uri) not in _CONFIGURATION:
            self._place(document)
        self.changed()

    def change(self, params: t.DidChangeTextDocumentParams) -> None:
        document = self.documents.get(key_of(params.text_document.uri))
        if document is None:
            return
        change = document.apply(params.content_changes, params.text_document.version)
        for project, path in self.places.get(document.key, ()):
            project.change(path, document, change)
        self.changed()

    def close(self, uri: str) -> None:
        document = self.documents.pop(key_of(uri), None)
        if document is None:
            return
        places = self.places.get(document.key, ())
        if places:
            self._leave(document)
        # The file had been deleted while its text was open: of that the disk brings no more news.
        self.outdated |= any(project.root and project.workspace.tree(path) is None for project, path in places)
        self.changed()

    def document(self, uri: str) -> Document | None:
        return self.documents.get(key_of(uri))

    def here(self, uri: str) -> Here | None:
        """A file by its URI, open or not; None for what no workspace has."""
        self.settle()
        places = self.places.get(key_of(uri))
        place = places[0] if places else self._closed(uri)
        if place is None:
            return None
        project, path = place
        return Here(project, path, *project.positions(path))

    def _closed(self, uri: str) -> tuple[Project, str] | None:
        full = path_of(uri)
        for project in self.projects.values():
            if full is not None and project.root:
                path = project.path_of(full)
                if project.workspace.tree(path) is not None:
                    return project, path
        return None

    def everywhere(self) -> Iterator[tuple[Project, str]]:
        """Every file that is reported on, once."""
        self.settle()
        for project in tuple(self.projects.values()):
            for path in project.paths():
                if self.reported(project, path):
                    yield project, path

    def reported(self, project: Project, path: str) -> bool:
        """Whether a file is reported on as one of this workspace."""
        document = project.open.get(path)
        workspace = project.workspace
        there = workspace.is_own(path) or (document is not None and workspace.tree(path) is None)
        return there and (document is None or self.places[document.key][0][0] is project)

    # ------------------------------------------------------------ the disk

    def touch(self, paths: Iterable[str] = ()) -> None:
        """Files on disk have changed, these (absolute) among them; looked at before the next answer."""
        self._touched = (self._touched or set()) | set(paths)

    def concerned(self, gone: Sequence[str]) -> list[str]:
        """Of files and folders that have gone (absolute) those that count, or hold what does."""
        folders: set[str] = set()
        for project in self.projects.values() if gone else ():
            for path in project.workspace.trees():
                folder = os.path.dirname(project.full(path))
                while len(folder) >= len(project.root) and folder not in folders:
                    folders.add(folder)
                    folder = os.path.dirname(folder)
        return [
            path
            for path in gone
            if path in folders or path.endswith(".atl") or os.path.basename(path) in _CONFIGURATION
        ]

    def settle(self) -> None:
        if self._touched is None:
            return
        touched, self._touched = self._touched, None
        configured = not touched or any(os.path.basename(path) in _CONFIGURATION for path in touched)
        for project in tuple(self.projects.values()):
            if project.root:
                prefix = project.root.rstrip(os.sep) + os.sep
                before = dict(project.workspace.trees())
                project.refresh([project.path_of(path) for path in touched if path.startswith(prefix)])
                # What the client has just saved is no news.
                self.outdated |= configured or before != project.workspace.trees()
        if configured:
            self.set_folders(self.folders)
        elif self.outdated:
            self.changed()

    def poll(self) -> None:
        """Look whether anything has changed on disk, for a client that does not tell."""
        seen: dict[str, object] = {}
        for root in self.projects:
            if os.path.isdir(root):
                try:
                    config = read_config(root)
                    listing = list_files(config, missing_ok=True)
                    seen[root] = (config, [(entry.path, entry.stamp, entry.lint) for entry in listing.files.values()])
                except WorkspaceError as error:
                    seen[root] = str(error)
        before, self._seen = self._seen, seen
        if before != seen:
            self.touch()
