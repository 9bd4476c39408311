"""The shape of a file: symbols, folding, selection, links."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = [
    "DocumentLink",
    "Fold",
    "OutlineSymbol",
    "WorkspaceSymbol",
    "document_links",
    "document_symbols",
    "folding",
    "selection",
    "workspace_symbols",
]


class OutlineSymbol(NamedTuple):
    """kind: as `schema.targets.Target`, and `index`, `clause`. span: the name, inside `full`."""

    name: str
    kind: str
    detail: str
    span: Span
    full: Span
    children: tuple[OutlineSymbol, ...] = ()


class WorkspaceSymbol(NamedTuple):
    """container: the namespace, or a member's declaration."""

    name: str
    kind: str
    container: str
    path: str
    span: Span


class Fold(NamedTuple):
    """From behind an opening brace to before its closing one, or a run of comment lines. kind: `region`, `comment`."""

    span: Span
    kind: str


class DocumentLink(NamedTuple):
    """path: of a file or folder, absolute."""

    span: Span
    path: str


@included
def document_symbols(workspace: Workspace, path: str) -> list[OutlineSymbol]:
    raise NotImplementedError


def workspace_symbols(workspace: Workspace, query: str, limit: int = 200) -> list[WorkspaceSymbol]:
    """Declarations and fields whose name has the query's letters in their order, the best first."""
    raise NotImplementedError


@included
def folding(workspace: Workspace, path: str) -> list[Fold]:
    raise NotImplementedError


@included
def selection(workspace: Workspace, path: str, offset: int) -> list[Span]:
    """Spans around an offset, each inside the next one; the last is the whole text."""
    raise NotImplementedError


def document_links(root: str, text: str) -> list[DocumentLink]:
    """The folders that a `tide.yaml` in `root` names, which exist."""
    raise NotImplementedError
