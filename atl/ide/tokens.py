"""Semantic tokens."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["KINDS", "MODIFIERS", "SemanticToken", "semantic_tokens"]

KINDS = (
    "namespace",
    "class",
    "enum",
    "enumMember",
    "function",
    "type",
    "property",
    "parameter",
    "variable",
    "keyword",
    "decorator",
    "string",
    "number",
    "operator",
    "comment",
)
"""The protocol's standard names, in the order of the legend."""

MODIFIERS = ("declaration", "defaultLibrary", "readonly")


class SemanticToken(NamedTuple):
    """On one line. modifiers: names of MODIFIERS."""

    start: int
    end: int
    kind: str
    modifiers: tuple[str, ...] = ()


@included
def semantic_tokens(workspace: Workspace, path: str, within: Span | None = None) -> list[SemanticToken]:
    """The tokens of a file, or those that touch a span, in the order of the text, none overlapping."""
    raise NotImplementedError
