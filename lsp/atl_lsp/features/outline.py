"""Symbols of a document and of the workspace, folding, selection, links."""

from __future__ import annotations

import os

from lsprotocol import types as t

from atl.ide import outline as ide
from atl.source import Span
from atl_lsp.convert import location
from atl_lsp.positions import Positions
from atl_lsp.session import Here, Session
from atl_lsp.uris import path_of, uri_of

__all__ = ["document_links", "document_symbols", "folding", "selection", "workspace_symbols"]

_S = t.SymbolKind
_KINDS = {
    "entity": _S.Class,
    "hypertable": _S.Class,
    "ephemeral": _S.Object,
    "enum": _S.Enum,
    "label": _S.EnumMember,
    "query": _S.Method,
    "procedure": _S.Method,
    "job": _S.Function,
    "workflow": _S.Event,
    "step": _S.Function,
    "field": _S.Field,
    "argument": _S.Property,
    "input": _S.Variable,
    "output": _S.Variable,
    "state": _S.Variable,
    "index": _S.Key,
    "clause": _S.Property,
    "namespace": _S.Namespace,
}


def document_symbols(
    session: Session, params: t.DocumentSymbolParams
) -> list[t.DocumentSymbol] | list[t.SymbolInformation] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.document_symbols(here.workspace, here.path)
    if session.can("text_document.document_symbol.hierarchical_document_symbol_support"):
        return [_symbol(here, symbol) for symbol in found]
    flat: list[t.SymbolInformation] = []
    waiting = [(symbol, "") for symbol in reversed(found)]
    while waiting:
        symbol, container = waiting.pop()
        place = location(here.project, here.path, symbol.full)
        kind = _KINDS.get(symbol.kind, _S.Object)
        flat.append(t.SymbolInformation(place, symbol.name or "?", kind, container_name=container or None))
        waiting += [(child, symbol.name) for child in reversed(symbol.children)]
    return flat


def _symbol(here: Here, symbol: ide.OutlineSymbol) -> t.DocumentSymbol:
    return t.DocumentSymbol(
        # A client refuses a symbol without a name, which a declaration that is being written can be.
        symbol.name or "?",
        _KINDS.get(symbol.kind, _S.Object),
        here.range(symbol.full),
        here.range(symbol.span),
        symbol.detail or None,
        children=[_symbol(here, child) for child in symbol.children] or None,
    )


def workspace_symbols(session: Session, params: t.WorkspaceSymbolParams) -> list[t.WorkspaceSymbol]:
    session.settle()
    return [
        t.WorkspaceSymbol(
            location(project, symbol.path, symbol.span),
            symbol.name,
            _KINDS.get(symbol.kind, _S.Object),
            container_name=symbol.container or None,
        )
        for project in tuple(session.projects.values())
        for symbol in ide.workspace_symbols(project.workspace, params.query)
    ]


def folding(session: Session, params: t.FoldingRangeParams) -> list[t.FoldingRange] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    whole_lines = session.can("text_document.folding_range.line_folding_only")
    made = []
    for fold in ide.folding(here.workspace, here.path):
        range, comment = here.range(fold.span), fold.kind == "comment"
        start, end = range.start, range.end
        # The line of the closing brace stays where whole lines are hidden.
        last = end.line if comment or not whole_lines else end.line - 1
        if last > start.line:
            kind = t.FoldingRangeKind.Comment if comment else None
            made.append(
                t.FoldingRange(start.line, last, start.character, end.character if last == end.line else None, kind)
            )
    return made


def selection(session: Session, params: t.SelectionRangeParams) -> list[t.SelectionRange] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    made = []
    for position in params.positions:
        around: t.SelectionRange | None = None
        for span in reversed(ide.selection(here.workspace, here.path, here.offset(position))):
            around = t.SelectionRange(here.range(span), around)
        made.append(around or t.SelectionRange(t.Range(position, position)))
    return made


def document_links(session: Session, params: t.DocumentLinkParams) -> list[t.DocumentLink] | None:
    full = path_of(params.text_document.uri)
    document = session.document(params.text_document.uri)
    if full is None or document is None or os.path.basename(full) != "tide.yaml":
        return None
    positions: Positions = document.positions
    return [
        t.DocumentLink(
            positions.range(Span(link.span.start + document.skip, link.span.end + document.skip)), uri_of(link.path)
        )
        for link in ide.document_links(os.path.dirname(full), document.content)
        if os.path.exists(link.path)
    ]
