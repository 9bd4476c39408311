"""Inlay hints and code lenses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lsprotocol import types as t

from atl.ide.hints import inlay_hints as ide_inlay_hints
from atl.ide.lens import lenses as ide_lenses
from atl_lsp.convert import location
from atl_lsp.session import Session

if TYPE_CHECKING:
    from atl_lsp.base import Bases

__all__ = ["SHOW_USES", "inlay_hints", "lenses"]

SHOW_USES = "atl.showUses"
"""A command of clients that say so (`initializationOptions.commands`): shows places, given as `URI, position,
locations`."""


def inlay_hints(session: Session, params: t.InlayHintParams) -> list[t.InlayHint] | None:
    here = session.here(params.text_document.uri)
    if here is None or not session.settings.inlay_hints:
        return None
    made = []
    for hint in ide_inlay_hints(here.workspace, here.path, here.span(params.range)):
        position = here.positions.position(hint.offset + here.skip)
        insert = [t.TextEdit(t.Range(position, position), hint.insert)] if hint.insert else None
        made.append(
            t.InlayHint(
                position,
                hint.label,
                t.InlayHintKind.Parameter if hint.kind == "parameter" else t.InlayHintKind.Type,
                insert,
                hint.tooltip or None,
                hint.before,
                hint.after,
            )
        )
    return made


def lenses(session: Session, bases: Bases, params: t.CodeLensParams) -> list[t.CodeLens] | None:
    here = session.here(params.text_document.uri)
    if here is None or not session.settings.code_lens:
        return None
    made = []
    for lens in ide_lenses(here.workspace, here.path, bases.of(here.project)):
        range = here.range(lens.span)
        command = t.Command(lens.title, "")
        if lens.kind == "uses" and lens.places and SHOW_USES in session.commands:
            places = [location(here.project, *place) for place in lens.places]
            command = t.Command(lens.title, SHOW_USES, arguments=[here.project.uri(here.path), range.start, places])
        made.append(t.CodeLens(range, command))
    return made
