"""From a name to its declaration, its type, who runs it, and every use."""

from __future__ import annotations

from collections.abc import Sequence

from lsprotocol import types as t

from atl.ide import navigation as ide
from atl_lsp.convert import location
from atl_lsp.session import Here, Session

__all__ = ["definition", "highlight", "implementation", "linked_editing", "references", "type_definition"]

_Links = list[t.LocationLink] | list[t.Location] | None


def definition(session: Session, params: t.DefinitionParams) -> _Links:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.definition(here.workspace, here.path, here.offset(params.position))
    return _links(session, here, found, "text_document.definition.link_support")


def type_definition(session: Session, params: t.TypeDefinitionParams) -> _Links:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.type_definition(here.workspace, here.path, here.offset(params.position))
    return _links(session, here, found, "text_document.type_definition.link_support")


def implementation(session: Session, params: t.ImplementationParams) -> _Links:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.implementation(here.workspace, here.path, here.offset(params.position))
    return _links(session, here, found, "text_document.implementation.link_support")


def _links(session: Session, here: Here, links: Sequence[ide.Link], capability: str) -> _Links:
    project = here.project
    if session.can(capability):
        return [
            t.LocationLink(
                project.uri(link.path),
                project.range(link.path, link.full),
                project.range(link.path, link.span),
                here.range(link.origin),
            )
            for link in links
        ]
    return [location(project, link.path, link.span) for link in links]


def references(session: Session, params: t.ReferenceParams) -> list[t.Location] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.references(here.workspace, here.path, here.offset(params.position), params.context.include_declaration)
    return [location(here.project, *place) for place in found]


def highlight(session: Session, params: t.DocumentHighlightParams) -> list[t.DocumentHighlight] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    return [
        t.DocumentHighlight(
            here.range(found.span), t.DocumentHighlightKind.Write if found.write else t.DocumentHighlightKind.Read
        )
        for found in ide.highlight(here.workspace, here.path, here.offset(params.position))
    ]


def linked_editing(session: Session, params: t.LinkedEditingRangeParams) -> t.LinkedEditingRanges | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    spans = ide.linked_editing(here.workspace, here.path, here.offset(params.position))
    return t.LinkedEditingRanges([here.range(span) for span in spans], r"[A-Za-z_][A-Za-z0-9_]*") if spans else None
