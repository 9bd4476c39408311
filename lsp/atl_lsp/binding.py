"""Which method is handled where: the one place that puts the server together."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, BinaryIO

from lsprotocol import types as t

from atl_lsp.base import Bases
from atl_lsp.diagnostics import Diagnostics
from atl_lsp.features import (
    actions,
    calls,
    completion,
    formatting,
    hints,
    navigation,
    outline,
    reading,
    renaming,
    tokens,
)
from atl_lsp.lifecycle import Lifecycle
from atl_lsp.server import Server
from atl_lsp.session import Session

__all__ = ["bound"]

_FILES = t.FileOperationRegistrationOptions(
    [
        t.FileOperationFilter(t.FileOperationPattern("**/*.atl"), "file"),
        t.FileOperationFilter(t.FileOperationPattern("**/", matches=t.FileOperationPatternKind.Folder), "file"),
    ]
)

_FEATURES: dict[str, Callable[[Session, Any], Any]] = {
    t.TEXT_DOCUMENT_DEFINITION: navigation.definition,
    t.TEXT_DOCUMENT_DECLARATION: navigation.definition,
    t.TEXT_DOCUMENT_TYPE_DEFINITION: navigation.type_definition,
    t.TEXT_DOCUMENT_IMPLEMENTATION: navigation.implementation,
    t.TEXT_DOCUMENT_REFERENCES: navigation.references,
    t.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT: navigation.highlight,
    t.TEXT_DOCUMENT_LINKED_EDITING_RANGE: navigation.linked_editing,
    t.TEXT_DOCUMENT_PREPARE_RENAME: renaming.prepare,
    t.TEXT_DOCUMENT_RENAME: renaming.rename,
    t.TEXT_DOCUMENT_HOVER: reading.hover,
    t.TEXT_DOCUMENT_SIGNATURE_HELP: reading.signature_help,
    t.TEXT_DOCUMENT_COMPLETION: completion.completion,
    t.COMPLETION_ITEM_RESOLVE: completion.resolve,
    t.TEXT_DOCUMENT_CODE_ACTION: actions.code_actions,
    t.TEXT_DOCUMENT_FORMATTING: formatting.document,
    t.TEXT_DOCUMENT_RANGE_FORMATTING: formatting.range,
    t.TEXT_DOCUMENT_ON_TYPE_FORMATTING: formatting.on_type,
    t.TEXT_DOCUMENT_DOCUMENT_SYMBOL: outline.document_symbols,
    t.WORKSPACE_SYMBOL: outline.workspace_symbols,
    t.TEXT_DOCUMENT_FOLDING_RANGE: outline.folding,
    t.TEXT_DOCUMENT_SELECTION_RANGE: outline.selection,
    t.TEXT_DOCUMENT_DOCUMENT_LINK: outline.document_links,
    t.TEXT_DOCUMENT_PREPARE_CALL_HIERARCHY: calls.prepare,
    t.CALL_HIERARCHY_INCOMING_CALLS: calls.incoming,
    t.CALL_HIERARCHY_OUTGOING_CALLS: calls.outgoing,
    t.TEXT_DOCUMENT_INLAY_HINT: hints.inlay_hints,
}


def bound(reader: BinaryIO, writer: BinaryIO) -> Server:
    """A server that speaks to one client."""
    server = Server(reader, writer)
    session = Session(server)
    diagnostics = Diagnostics(session)
    bases = Bases(session)
    painted = tokens.Tokens(session)
    life = Lifecycle(server, session, diagnostics, bases)
    server.idle = life.idle
    handlers: dict[str, Callable[[Any], Any]] = {
        **{method: partial(handler, session) for method, handler in _FEATURES.items()},
        t.INITIALIZE: life.initialize,
        t.INITIALIZED: life.initialized,
        t.SHUTDOWN: life.shutdown,
        t.SET_TRACE: life.set_trace,
        t.WINDOW_WORK_DONE_PROGRESS_CANCEL: life.nothing,
        t.TEXT_DOCUMENT_DID_OPEN: life.did_open,
        t.TEXT_DOCUMENT_DID_CHANGE: life.did_change,
        t.TEXT_DOCUMENT_DID_CLOSE: life.did_close,
        t.TEXT_DOCUMENT_DID_SAVE: life.did_save,
        t.WORKSPACE_DID_CHANGE_WATCHED_FILES: life.did_change_watched_files,
        t.WORKSPACE_DID_CREATE_FILES: life.did_create_files,
        t.WORKSPACE_DID_DELETE_FILES: life.did_delete_files,
        t.WORKSPACE_DID_RENAME_FILES: life.did_rename_files,
        t.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS: life.did_change_workspace_folders,
        t.WORKSPACE_DID_CHANGE_CONFIGURATION: life.did_change_configuration,
        t.TEXT_DOCUMENT_DIAGNOSTIC: diagnostics.document,
        t.WORKSPACE_DIAGNOSTIC: diagnostics.workspace,
        t.TEXT_DOCUMENT_CODE_LENS: partial(hints.lenses, session, bases),
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: painted.full,
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL_DELTA: painted.delta,
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_RANGE: painted.range,
    }
    options: dict[str, Any] = {
        t.TEXT_DOCUMENT_COMPLETION: completion.OPTIONS,
        t.TEXT_DOCUMENT_SIGNATURE_HELP: t.SignatureHelpOptions(["(", "{", ","], [")"]),
        t.TEXT_DOCUMENT_CODE_ACTION: actions.OPTIONS,
        t.TEXT_DOCUMENT_ON_TYPE_FORMATTING: formatting.ON_TYPE,
        t.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL: tokens.LEGEND,
        t.TEXT_DOCUMENT_DIAGNOSTIC: t.DiagnosticOptions(True, True, "atl"),
        t.WORKSPACE_DID_CREATE_FILES: _FILES,
        t.WORKSPACE_DID_DELETE_FILES: _FILES,
        t.WORKSPACE_DID_RENAME_FILES: _FILES,
    }
    table = server.protocol.fm
    for method, handler in handlers.items():
        table.features[method] = handler
        if method in options:
            table.feature_options[method] = options[method]
    return server
