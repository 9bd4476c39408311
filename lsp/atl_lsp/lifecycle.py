"""The connection's life, documents, files and settings; and what is done while the client is quiet."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from lsprotocol import types as t
from pygls.capabilities import ServerCapabilitiesBuilder

from atl_lsp import parent
from atl_lsp.base import Bases
from atl_lsp.diagnostics import Diagnostics
from atl_lsp.positions import Encoding
from atl_lsp.server import Server
from atl_lsp.session import Session
from atl_lsp.settings import read_settings
from atl_lsp.transport import Call
from atl_lsp.uris import path_of

__all__ = ["Lifecycle"]

_WATCHED = ("**/*.atl", "**/tide.yaml", "**/atl.toml")
_POLL = 3.0
"""Seconds between two looks at the disk for a client that does not watch files."""


class Lifecycle:
    def __init__(self, server: Server, session: Session, diagnostics: Diagnostics, bases: Bases) -> None:
        self._server = server
        self._session = session
        self._diagnostics = diagnostics
        self._bases = bases
        self._folders: list[str] = []

    # ------------------------------------------------------------ beginning and end

    def initialize(self, params: t.InitializeParams) -> t.InitializeResult:
        server, session = self._server, self._session
        session.client = params.capabilities
        encoding = ServerCapabilitiesBuilder.choose_position_encoding(params.capabilities)
        session.encoding = Encoding(encoding)
        server.trace = params.trace or t.TraceValue.Off
        parent.watch(params.process_id)
        options: Any = params.initialization_options
        if isinstance(options, dict):
            session.settings = read_settings(options.get("settings"))
            commands = options.get("commands")
            session.commands = frozenset(map(str, commands if isinstance(commands, list) else ()))
        self._folders = _folders(params)
        features = server.protocol.fm
        builder: Any = ServerCapabilitiesBuilder(
            params.capabilities,
            set(features.features),
            features.feature_options,
            [],
            t.TextDocumentSyncKind.Incremental,
            None,
            session.encoding,
        )
        capabilities: t.ServerCapabilities = builder.build()
        capabilities.execute_command_provider = None
        server.initialized = True
        return t.InitializeResult(capabilities, t.ServerInfo(server.name, server.version))

    def initialized(self, params: t.InitializedParams) -> None:
        session = self._session
        if session.can("workspace.did_change_watched_files.dynamic_registration"):
            session.watching = True
            watchers = [t.FileSystemWatcher(glob) for glob in _WATCHED]
            # Of a folder that goes editors tell once, and nothing of the files in it.
            watchers.append(t.FileSystemWatcher("**", t.WatchKind.Delete))
            options = t.DidChangeWatchedFilesRegistrationOptions(watchers)
            self._register(t.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
        if session.can("workspace.did_change_configuration.dynamic_registration"):
            self._register(
                t.WORKSPACE_DID_CHANGE_CONFIGURATION, t.DidChangeConfigurationRegistrationOptions(section="atl")
            )
        session.set_folders(self._folders)
        # What was read stays; collections need not look through it. Fewer of them keep keys fast.
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)
        self._ask_settings()

    def shutdown(self, params: None) -> None:
        self._server.stopped = True

    def set_trace(self, params: t.SetTraceParams) -> None:
        self._server.trace = params.value

    def nothing(self, params: Any) -> None:
        """What is only taken note of."""

    def _register(self, method: str, options: object) -> None:
        registration = t.Registration(f"atl-{method}", method, options)
        self._server.client_register_capability(t.RegistrationParams([registration]), None)

    # ------------------------------------------------------------ documents

    def did_open(self, params: t.DidOpenTextDocumentParams) -> None:
        self._session.open(params.text_document)

    def did_change(self, params: t.DidChangeTextDocumentParams) -> None:
        self._session.change(params)

    def did_close(self, params: t.DidCloseTextDocumentParams) -> None:
        self._session.close(params.text_document.uri)

    def did_save(self, params: t.DidSaveTextDocumentParams) -> None:
        full = path_of(params.text_document.uri)
        if full is not None and not self._session.watching:
            self._session.touch([full])

    # ------------------------------------------------------------ files and folders

    def did_change_watched_files(self, params: t.DidChangeWatchedFilesParams) -> None:
        paths: list[str] = []
        gone: list[str] = []
        for change in params.changes:
            path = path_of(change.uri)
            if path is not None:
                (gone if change.type is t.FileChangeType.Deleted else paths).append(path)
        paths += self._session.concerned(gone)
        if paths:
            self._session.touch(paths)

    def did_create_files(self, params: t.CreateFilesParams) -> None:
        self._touch([file.uri for file in params.files])

    def did_delete_files(self, params: t.DeleteFilesParams) -> None:
        self._touch([file.uri for file in params.files])

    def did_rename_files(self, params: t.RenameFilesParams) -> None:
        self._touch([uri for file in params.files for uri in (file.old_uri, file.new_uri)])

    def _touch(self, uris: Sequence[str]) -> None:
        self._session.touch(path for uri in uris if (path := path_of(uri)) is not None)

    def did_change_workspace_folders(self, params: t.DidChangeWorkspaceFoldersParams) -> None:
        removed = {path_of(folder.uri) for folder in params.event.removed}
        folders = [folder for folder in self._session.folders if folder not in removed]
        added = [path for folder in params.event.added if (path := path_of(folder.uri)) is not None]
        self._session.set_folders([*folders, *added])

    # ------------------------------------------------------------ settings

    def did_change_configuration(self, params: t.DidChangeConfigurationParams) -> None:
        settings: Any = params.settings
        if self._session.can("workspace.configuration"):
            self._ask_settings()
        elif isinstance(settings, dict):
            self._set(settings.get("atl", settings))

    def _ask_settings(self) -> None:
        if not self._session.can("workspace.configuration"):
            return
        asked = self._server.workspace_configuration(t.ConfigurationParams([t.ConfigurationItem(section="atl")]), None)

        def answered(future: Future[Any]) -> None:
            # In the reading thread: hand it to the working one.
            result = future.result()
            if isinstance(result, list) and result and isinstance(result[0], dict):
                self._server.inbox.put(Call(self._set, result[0]))

        asked.add_done_callback(answered)

    def _set(self, value: Any) -> None:
        settings = read_settings(value)
        if settings == self._session.settings:
            return
        if settings.plan_base != self._session.settings.plan_base:
            self._bases.forget()
        self._session.settings = settings
        self._diagnostics.forget()
        self._session.outdated = True

    # ------------------------------------------------------------ in between

    def idle(self) -> float | None:
        session = self._session
        session.settle()
        if session.outdated:
            session.outdated = False
            self._bases.forget()
            self._refresh()
        if self._diagnostics.idle():
            return 0.0
        if session.watching or not session.projects:
            return None
        session.poll()
        return _POLL

    def _refresh(self) -> None:
        """Have the client ask again for what it shows."""
        session, server = self._session, self._server
        if session.can("workspace.diagnostics.refresh_support"):
            server.workspace_diagnostic_refresh(None)
        if session.can("workspace.semantic_tokens.refresh_support"):
            server.workspace_semantic_tokens_refresh(None)
        if session.can("workspace.inlay_hint.refresh_support"):
            server.workspace_inlay_hint_refresh(None)
        if session.can("workspace.code_lens.refresh_support"):
            server.workspace_code_lens_refresh(None)


def _folders(params: t.InitializeParams) -> list[str]:
    """The client's folders, absolute."""
    uris = [folder.uri for folder in params.workspace_folders or ()]
    if not uris and params.root_uri:
        uris = [params.root_uri]
    folders = [path for uri in uris if (path := path_of(uri)) is not None]
    if not folders and params.root_path:
        folders = [os.path.abspath(params.root_path)]
    return folders
