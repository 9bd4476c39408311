"""What an action is, and the place that it is asked at."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from atl.check.context import Context, Settings
from atl.findings import Finding, Severity
from atl.ide.places import cursor
from atl.ide.rename import TextEdit
from atl.schema.index import Scope
from atl.schema.symbols import symbol_of
from atl.source import Place, Span
from atl.syntax import nodes as n
from atl.syntax.tree import FileTree, Unit

if TYPE_CHECKING:
    from atl.check.mending import Change
    from atl.workspace.live import Workspace

__all__ = ["KINDS", "Action", "Spot", "edits_by_path"]

KINDS = ("quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll")


class Action(NamedTuple):
    """kind: one of KINDS. edits: by path, in the order of the text, none overlapping. findings: what it mends.
    preferred: it can be applied without thought and is the only such one for its finding."""

    title: str
    kind: str
    edits: dict[str, list[TextEdit]]
    findings: tuple[Finding, ...] = ()
    preferred: bool = False


class Spot:
    """The span that actions are asked for, and the declaration that it begins in."""

    def __init__(self, workspace: Workspace, tree: FileTree, span: Span) -> None:
        self.workspace = workspace
        self.tree = tree
        self.path = tree.file.path
        self.text = tree.file.text
        self.span = span
        at = cursor(workspace, self.path, span.start)
        self.unit: Unit | None = at.unit if at is not None else None
        self.decl: n.Declaration | None = at.decl if at is not None else None
        self.at = at.at if at is not None else 0

    def context(self) -> Context | None:
        """The declaration as rules see it."""
        if self.unit is None or self.decl is None:
            return None
        symbol = symbol_of(self.decl)
        scope = Scope.of(self.workspace.index, symbol)
        return Context(self.unit, self.decl, symbol, scope, Settings(self.workspace.config.caller))

    @property
    def readable(self) -> bool:
        """Whether there is a declaration without syntax errors."""
        return self.unit is not None and not any(f.severity is Severity.ERROR for f in self.unit.findings())

    def touches(self, node: n.Node) -> bool:
        """Whether the span's start is in the node or at its edge."""
        return node.start <= self.at <= node.end

    def edits(self, changes: Iterable[Change]) -> dict[str, list[TextEdit]]:
        return edits_by_path(changes)

    def insertion_after(self, unit: Unit, decl: n.Declaration) -> int:
        """Where another declaration can stand: behind the line on which this one ends, without its line end."""
        end = self.text.find("\n", unit.anchor.start + decl.end)
        end = len(self.text) if end < 0 else end
        return end - 1 if self.text[end - 1 : end] == "\r" else end

    @property
    def newline(self) -> str:
        return "\r\n" if "\r\n" in self.text else "\n"


def edits_by_path(changes: Iterable[tuple[Place, str]]) -> dict[str, list[TextEdit]]:
    """Changes of places as edits of files. Those that change nothing are left out."""
    found: dict[str, list[TextEdit]] = {}
    for place, new_text in _real(changes):
        found.setdefault(place.path, []).append(TextEdit(place.span, new_text))
    return {path: sorted(edits) for path, edits in found.items()}


def _real(changes: Iterable[tuple[Place, str]]) -> Iterator[tuple[Place, str]]:
    for place, new_text in changes:
        if place.text != new_text or place.start == place.end:
            yield place, new_text
