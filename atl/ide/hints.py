"""Inlay hints: what holds without being written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from atl.ide.named import holder
from atl.ide.places import included
from atl.ide.use_index import use_index
from atl.schema.index import Scope
from atl.schema.symbols import symbol_of
from atl.schema.words import WORDS
from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.tree import Unit

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["InlayHint", "inlay_hints"]


class InlayHint(NamedTuple):
    """label: shown at the offset. kind: `type` or `parameter`. before, after: a blank belongs on that side. insert:
    what writing it out would put there, or None."""

    offset: int
    label: str
    kind: str
    before: bool
    after: bool
    tooltip: str = ""
    insert: str | None = None


@included
def inlay_hints(workspace: Workspace, path: str, within: Span | None = None) -> list[InlayHint]:
    """Effective defaults, the namespace that a bare name resolved to, schedules in words; by offset."""
    tree = workspace.tree(path)
    found: list[InlayHint] = []
    for unit in tree.units if tree is not None else ():
        base = unit.anchor.start
        if within is not None and (base > within.end or base + len(unit.chunk.text) < within.start):
            continue
        for decl in unit.chunk.declarations:
            found += (hint._replace(offset=base + hint.offset) for hint in _defaults(unit, decl))
        found += (hint._replace(offset=base + hint.offset) for hint in _namespaces(workspace, unit))
    found.sort(key=lambda hint: hint.offset)
    return [hint for hint in found if within is None or within.start <= hint.offset <= within.end]


_CLAUSES: dict[str, type[n.Node]] = {
    "retries": n.Retries,
    "timeout": n.Timeout,
    "heartbeat": n.Heartbeat,
    "queue": n.Queue,
    "visible_to": n.VisibleTo,
}


def _defaults(unit: Unit, decl: n.Declaration) -> Iterator[InlayHint]:
    """What holds where nothing is written, behind the opening brace; schedules in words."""
    if type(decl) is n.JobDecl:
        for clause in decl.clauses:
            if type(clause) is n.Schedule:
                from atl.ide.cron_words import schedule_words

                words = schedule_words(clause.value.value)
                if words:
                    yield InlayHint(clause.value.end, words, "type", True, False, "in UTC")
        there = {type(clause) for clause in decl.clauses}
        left_out = [f"{word} {WORDS['job', word].usual}" for word, kind in _CLAUSES.items() if kind not in there]
    elif type(decl) is n.EphemeralDecl:
        left_out = [] if any(type(member) is n.Ttl for member in decl.members) else ["ttl = 24h"]
    else:
        return
    if left_out and decl.open >= 0 and not decl.lost:
        written = "".join(f"\n  {clause}" for clause in left_out)
        own_line = unit.chunk.text[decl.open + 1 : decl.open + 2] in ("\n", "\r")
        yield InlayHint(
            decl.open + 1,
            "  ".join(left_out),
            "type",
            True,
            False,
            "what holds unless it is written",
            written if own_line else None,
        )


def _namespaces(workspace: Workspace, unit: Unit) -> Iterator[InlayHint]:
    """Before a bare name that means something of another namespace, or whose own is not to be seen."""
    owned = [decl for decl in unit.chunk.declarations if isinstance(decl, n.QueryDecl | n.ProcedureDecl)]
    starts = {decl.owner.name.start for decl in owned if decl.owner is not None}
    for use in use_index(workspace).of_unit(unit):
        if use.declares or use.form != "name" or use.target.kind not in ("entity", "job", "enum"):
            continue
        if unit.chunk.text[: use.start].rstrip().endswith("."):
            continue
        namespace = use.target.id.rpartition(".")[0]
        decl = next((d for d in unit.chunk.declarations if d.start <= use.start <= d.end), None)
        if decl is None or (use.start not in starts and namespace == _own(workspace, decl)):
            continue
        around = holder(unit, use)
        bare = isinstance(around, n.Relation | n.InvalidateOn)
        yield InlayHint(use.start, f"{namespace}.", "type", False, False, "", None if bare else f"{namespace}.")


def _own(workspace: Workspace, decl: n.Declaration) -> str:
    return Scope.of(workspace.index, symbol_of(decl)).namespace
