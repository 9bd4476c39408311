"""Completion, and the documentation of a chosen entry."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide import completion as ide
from atl.ide.completing.item import Kind
from atl.ide.snippets import notation
from atl_lsp.convert import markdown
from atl_lsp.session import Session

__all__ = ["KINDS", "OPTIONS", "SUGGEST", "completion", "resolve"]

OPTIONS = t.CompletionOptions(trigger_characters=list('.$("{:,[ ='), resolve_provider=True)

SUGGEST = "editor.action.triggerSuggest"
"""A command of clients that say so (`initializationOptions.commands`): opens the list again, for what follows."""

_K = t.CompletionItemKind
KINDS: dict[Kind, t.CompletionItemKind] = {
    "keyword": _K.Keyword,
    "clause": _K.Keyword,
    "modifier": _K.Keyword,
    "type": _K.TypeParameter,
    "namespace": _K.Module,
    "entity": _K.Class,
    "enum": _K.Enum,
    "label": _K.EnumMember,
    "job": _K.Function,
    "field": _K.Field,
    "argument": _K.Property,
    "input": _K.Variable,
    "output": _K.Variable,
    "state": _K.Variable,
    "step": _K.Event,
    "table": _K.Class,
    "column": _K.Field,
    "function": _K.Function,
    "value": _K.Value,
    "code": _K.Constant,
    "snippet": _K.Snippet,
}


def completion(session: Session, params: t.CompletionParams) -> t.CompletionList | None:
    here = session.here(params.text_document.uri)
    if here is None:
        return None
    found = ide.completions(here.workspace, here.path, here.offset(params.position))
    snippets = session.can("text_document.completion.completion_item.snippet_support")
    beside = session.can("text_document.completion.completion_item.label_details_support")
    range = here.range(found.span)
    again = t.Command("Suggest", SUGGEST) if SUGGEST in session.commands else None
    items = []
    for number, row in enumerate(found.items):
        text = notation(row.pieces) if row.pieces and snippets else row.text
        items.append(
            t.CompletionItem(
                row.label,
                label_details=t.CompletionItemLabelDetails(description=row.detail) if row.detail and beside else None,
                kind=KINDS[row.kind],
                detail=row.detail if row.detail and not beside else None,
                sort_text=f"{number:05}",
                insert_text_format=t.InsertTextFormat.Snippet if row.pieces and snippets else None,
                text_edit=t.TextEdit(range, text),
                command=again if row.again else None,
                data={"uri": params.text_document.uri, "about": list(row.about)} if row.about else None,
            )
        )
    return t.CompletionList(not found.complete, items)


def resolve(session: Session, item: t.CompletionItem) -> t.CompletionItem:
    data = item.data
    if isinstance(data, dict) and isinstance(data.get("uri"), str) and isinstance(data.get("about"), list):
        here = session.here(data["uri"])
        text = ide.documentation(here.workspace, tuple(map(str, data["about"]))) if here is not None else ""
        if text:
            formats = "text_document.completion.completion_item.documentation_format"
            item.documentation = markdown(session, formats, text)
    return item
