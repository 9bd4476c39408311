"""Formatting: the file, a range, and while typing."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide import formatting as ide
from atl_lsp.convert import text_edits
from atl_lsp.session import Session

__all__ = ["ON_TYPE", "document", "on_type", "range"]

ON_TYPE = t.DocumentOnTypeFormattingOptions(ide.TRIGGERS[0], list(ide.TRIGGERS[1:]))


def document(session: Session, params: t.DocumentFormattingParams) -> list[t.TextEdit] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    return text_edits(here.project, here.path, ide.format_document(here.workspace, here.path))


def range(session: Session, params: t.DocumentRangeFormattingParams) -> list[t.TextEdit] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    return text_edits(here.project, here.path, ide.format_range(here.workspace, here.path, here.span(params.range)))


def on_type(session: Session, params: t.DocumentOnTypeFormattingParams) -> list[t.TextEdit] | None:
    here = session.here(params.text_document.uri)
    if here is None or params.ch not in ide.TRIGGERS:
        return None
    edits = ide.format_on_type(here.workspace, here.path, here.offset(params.position), params.ch)
    return text_edits(here.project, here.path, edits)
