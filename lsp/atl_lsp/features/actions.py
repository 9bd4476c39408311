"""Code actions."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide import actions as ide
from atl_lsp.convert import workspace_edit
from atl_lsp.session import Session

__all__ = ["OPTIONS", "code_actions"]

OPTIONS = t.CodeActionOptions(code_action_kinds=list(ide.KINDS))


def code_actions(session: Session, params: t.CodeActionParams) -> list[t.CodeAction] | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    kinds = tuple(str(getattr(kind, "value", kind)) for kind in params.context.only or ())
    span = here.span(params.range)
    made: list[t.CodeAction] = []
    for action in ide.code_actions(here.workspace, here.path, span, kinds):
        lines = {
            (finding.code, here.project.range(here.path, finding.place.span).start.line) for finding in action.findings
        }
        mended = [item for item in params.context.diagnostics if (str(item.code), item.range.start.line) in lines]
        # A client that asks for `source.fixAll.atl` takes nothing that is named more widely.
        kind = next((each for each in kinds if each.startswith(f"{action.kind}.")), action.kind)
        made.append(
            t.CodeAction(
                action.title,
                t.CodeActionKind(kind) if kind in _STANDARD else kind,
                mended or None,
                action.preferred or None,
                edit=workspace_edit(session, here.project, action.edits),
            )
        )
    return made


_STANDARD = frozenset(kind.value for kind in t.CodeActionKind)
