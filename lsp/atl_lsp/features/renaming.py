"""Rename, and what a client asks before and after files are renamed."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide import rename as ide
from atl_lsp.convert import workspace_edit
from atl_lsp.server import Refused
from atl_lsp.session import Session

__all__ = ["prepare", "rename"]


def prepare(session: Session, params: t.PrepareRenameParams) -> t.PrepareRenamePlaceholder | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.prepare_rename(here.workspace, here.path, here.offset(params.position))
    if isinstance(found, ide.Refusal):
        raise Refused(t.LSPErrorCodes.RequestFailed, found.reason)
    return t.PrepareRenamePlaceholder(here.range(found.span), found.placeholder)


def rename(session: Session, params: t.RenameParams) -> t.WorkspaceEdit | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.rename(here.workspace, here.path, here.offset(params.position), params.new_name)
    if isinstance(found, ide.Refusal):
        raise Refused(t.LSPErrorCodes.RequestFailed, found.reason)
    hint = {
        path: [edit for edit in edits if edit not in found.edits.get(path, ())]
        for path, edits in (found.hint or {}).items()
    }
    return workspace_edit(
        session,
        here.project,
        found.edits,
        {path: edits for path, edits in hint.items() if edits},
        "Tell the planner of the rename",
    )
