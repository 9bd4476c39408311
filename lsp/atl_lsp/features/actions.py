"""Code actions."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide import actions as ide
from atl_lsp.convert import workspace_edit
from atl_lsp.session import Session

__all__ = ["OPTIONS", "code_actions"]

OPTIONS = t.CodeActionOptions(code_action_kinds=list(ide.KINDS))

_FIX_ALL = "source.fixAll"


def code_actions(session: Session, params: t.CodeActionParams) -> list[t.CodeAction] | None:
    here = session.here(params.text_document.uri)
    if here is None or not session.can("text_document.code_action.code_action_literal_support"):
        return None
    kinds = tuple(str(getattr(kind, "value", kind)) for kind in params.context.only or ())
    span = here.span(params.range)
    made: list[t.CodeAction] = []
    for action in ide.code_actions(here.workspace, here.path, span, kinds):
        lines = {
            (finding.code, here.project.range(here.path, finding.place.span).start.line) for finding in action.findings
        }
        mended = [item for item in params.context.diagnostics if (str(item.code), item.range.start.line) in lines]
        made.append(
            t.CodeAction(
                action.title,
                t.CodeActionKind(action.kind) if action.kind in _STANDARD else action.kind,
                mended or None,
                action.preferred or None,
                edit=workspace_edit(session, here.project, action.edits),
            )
        )
    if any(kind == _FIX_ALL or _FIX_ALL.startswith(kind + ".") or kind.startswith(_FIX_ALL + ".") for kind in kinds):
        edits = ide.fix_all(here.workspace, here.path)
        if edits and not any(action.kind == t.CodeActionKind.SourceFixAll for action in made):
            made.append(
                t.CodeAction(
                    "Fix all that can be fixed without thought",
                    t.CodeActionKind.SourceFixAll,
                    edit=workspace_edit(session, here.project, edits),
                )
            )
    return made


_STANDARD = frozenset(kind.value for kind in t.CodeActionKind)
