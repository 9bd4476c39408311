"""Hover and signature help."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide.hover import hover as ide_hover
from atl.ide.signature import signature_help as ide_signature_help
from atl_lsp.convert import markdown
from atl_lsp.session import Session

__all__ = ["hover", "signature_help"]

_SIGNATURE = "text_document.signature_help.signature_information"


def hover(session: Session, params: t.HoverParams) -> t.Hover | None:
    here = session.here(params.text_document.uri)
    found = ide_hover(here.workspace, here.path, here.offset(params.position)) if here is not None else None
    if here is None or found is None:
        return None
    return t.Hover(markdown(session, "text_document.hover.content_format", found.markdown), here.range(found.span))


def signature_help(session: Session, params: t.SignatureHelpParams) -> t.SignatureHelp | None:
    here = session.here(params.text_document.uri)
    found = ide_signature_help(here.workspace, here.path, here.offset(params.position)) if here is not None else None
    if here is None or found is None:
        return None
    formats = f"{_SIGNATURE}.documentation_format"
    by_offset = session.can(f"{_SIGNATURE}.parameter_information.label_offset_support")
    parameters = []
    for row in found.parameters:
        # Offsets within a label are UTF-16 whatever the positions are in.
        label = (_utf16(found.label[: row.span.start]), _utf16(found.label[: row.span.end]))
        text = found.label[row.span.start : row.span.end]
        parameters.append(
            t.ParameterInformation(
                label if by_offset else text,
                markdown(session, formats, row.documentation) if row.documentation else None,
            )
        )
    # Behind the last one none is shown as active.
    active = len(parameters) if found.active is None else found.active
    signature = t.SignatureInformation(
        found.label,
        markdown(session, formats, found.documentation) if found.documentation else None,
        parameters,
        active,  # None would be sent as null, which means something only to the newest clients
    )
    return t.SignatureHelp([signature], 0, active)


def _utf16(text: str) -> int:
    return len(text.encode("utf-16-le", "surrogatepass")) // 2
