"""From the features' answers to the protocol's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from lsprotocol import types as t

from atl.source import Span
from atl_lsp.project import Project
from atl_lsp.session import Session

if TYPE_CHECKING:
    from atl.ide.rename import TextEdit

__all__ = ["location", "markdown", "text_edits", "workspace_edit"]


def location(project: Project, path: str, span: Span) -> t.Location:
    return t.Location(project.uri(path), project.range(path, span))


def markdown(session: Session, formats: str, text: str) -> t.MarkupContent:
    """formats: the client's capability that lists what it takes."""
    kind = t.MarkupKind.Markdown if session.takes(formats, t.MarkupKind.Markdown) else t.MarkupKind.PlainText
    return t.MarkupContent(kind, text)


def text_edits(project: Project, path: str, edits: Iterable[TextEdit]) -> list[t.TextEdit]:
    return [t.TextEdit(project.range(path, edit.span), edit.new_text) for edit in edits]


def workspace_edit(
    session: Session,
    project: Project,
    edits: Mapping[str, Sequence[TextEdit]],
    confirm: Mapping[str, Sequence[TextEdit]] | None = None,
    question: str = "",
) -> t.WorkspaceEdit:
    """confirm: edits besides, by path, that the user is asked about; left out for a client that cannot ask."""
    if not session.can("workspace.workspace_edit.document_changes"):
        return t.WorkspaceEdit(
            changes={project.uri(path): text_edits(project, path, found) for path, found in edits.items()}
        )
    asked = confirm if confirm and session.can("workspace.workspace_edit.change_annotation_support") else {}
    changes: list[t.TextDocumentEdit | t.CreateFile | t.RenameFile | t.DeleteFile] = []
    for path in sorted({*edits, *asked}):
        rows: list[tuple[Span, t.TextEdit | t.AnnotatedTextEdit | t.SnippetTextEdit]] = [
            (edit.span, t.TextEdit(project.range(path, edit.span), edit.new_text)) for edit in edits.get(path, ())
        ]
        rows += [
            (edit.span, t.AnnotatedTextEdit("asked", project.range(path, edit.span), edit.new_text))
            for edit in asked.get(path, ())
        ]
        rows.sort(key=lambda row: row[0])
        document = t.OptionalVersionedTextDocumentIdentifier(project.uri(path), project.version(path))
        changes.append(t.TextDocumentEdit(document, [edit for _, edit in rows]))
    annotations = {"asked": t.ChangeAnnotation(question, needs_confirmation=True)} if asked else None
    return t.WorkspaceEdit(document_changes=changes, change_annotations=annotations)
