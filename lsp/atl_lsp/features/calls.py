"""The call hierarchy."""

from __future__ import annotations

from typing import Any

from lsprotocol import types as t

from atl.ide import calls as ide
from atl.source import Span
from atl_lsp.project import Project
from atl_lsp.session import Session

__all__ = ["incoming", "outgoing", "prepare"]

_KINDS = {
    "job": t.SymbolKind.Function,
    "procedure": t.SymbolKind.Method,
    "workflow": t.SymbolKind.Event,
    "step": t.SymbolKind.Function,
    "compensation": t.SymbolKind.Function,
}


def prepare(session: Session, params: t.CallHierarchyPrepareParams) -> list[t.CallHierarchyItem] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.prepare_calls(here.workspace, here.path, here.offset(params.position))
    return [_item(here.project, item) for item in found]


def incoming(session: Session, params: t.CallHierarchyIncomingCallsParams) -> list[t.CallHierarchyIncomingCall] | None:
    known = _known(session, params.item)
    if known is None:
        return None
    project, item = known
    return [
        t.CallHierarchyIncomingCall(
            _item(project, call.item), [project.range(place.path, place.span) for place in call.places]
        )
        for call in ide.incoming(project.workspace, item)
    ]


def outgoing(session: Session, params: t.CallHierarchyOutgoingCallsParams) -> list[t.CallHierarchyOutgoingCall] | None:
    known = _known(session, params.item)
    if known is None:
        return None
    project, item = known
    return [
        t.CallHierarchyOutgoingCall(
            _item(project, call.item), [project.range(place.path, place.span) for place in call.places]
        )
        for call in ide.outgoing(project.workspace, item)
    ]


def _item(project: Project, item: ide.CallItem) -> t.CallHierarchyItem:
    return t.CallHierarchyItem(
        item.name,
        _KINDS.get(item.kind, t.SymbolKind.Function),
        project.uri(item.path),
        project.range(item.path, item.full),
        project.range(item.path, item.span),
        detail=item.detail or None,
        data=[item.kind, item.id, item.member, item.name, item.detail],
    )


def _known(session: Session, item: t.CallHierarchyItem) -> tuple[Project, ide.CallItem] | None:
    """The item of an answer given before. Its ranges are the client's; only its names are asked for."""
    here = session.here(item.uri)
    data: Any = item.data
    if here is None or not isinstance(data, list) or len(data) != 5:
        return None
    kind, id, member, name, detail = map(str, data)
    span, full = here.span(item.selection_range), here.span(item.range)
    return here.project, ide.CallItem(kind, id, member, name, detail, here.path, Span(*span), Span(*full))
