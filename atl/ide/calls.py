"""The call hierarchy: who enqueues a job, and which jobs a procedure or workflow runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.named import declared, holder, named_at
from atl.ide.places import Location, included, span_in
from atl.ide.use_index import UnitUse, use_index
from atl.schema.index import Scope
from atl.schema.symbols import symbol_of
from atl.schema.targets import Target
from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.tree import Unit

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Call", "CallItem", "incoming", "outgoing", "prepare_calls"]


class CallItem(NamedTuple):
    """A job, procedure, workflow, or a step of one (`member`). kind: `job`, `procedure`, `workflow`, `step`,
    `compensation`. id: of the declaration. span: its name; full: all of it."""

    kind: str
    id: str
    member: str
    name: str
    detail: str
    path: str
    span: Span
    full: Span


class Call(NamedTuple):
    """item: the other side. places: where the calls are, in the file of the caller."""

    item: CallItem
    places: tuple[Location, ...]


_KINDS = ("job", "procedure", "workflow", "step")


@included
def prepare_calls(workspace: Workspace, path: str, offset: int) -> list[CallItem]:
    """The job, procedure or workflow named at the offset."""
    targets = dict.fromkeys(each.use.target for each in named_at(workspace, path, offset))
    return [item for target in targets if target.kind in _KINDS for item in _items(workspace, target)]


def incoming(workspace: Workspace, item: CallItem) -> list[Call]:
    """Procedures and workflow steps that run a job. Of anything else none."""
    if item.kind != "job":
        return []
    callers: dict[CallItem, list[Location]] = {}
    for each in use_index(workspace).of_target(Target("job", item.id)):
        if not each.use.declares:
            caller = _caller(workspace, each)
            if caller is not None:
                callers.setdefault(caller, []).append(each.location)
    return [Call(caller, tuple(places)) for caller, places in callers.items()]


def outgoing(workspace: Workspace, item: CallItem) -> list[Call]:
    """The jobs that a procedure or workflow runs, its compensations' too; of a job the compensations that undo it."""
    if item.kind == "job":
        return _undoing(workspace, item)
    kind = "workflow" if item.kind in ("step", "compensation") else item.kind
    called: dict[Target, list[Location]] = {}
    for place in declared(workspace, Target(kind, item.id)):
        if place.location.path != item.path:
            continue
        for use in use_index(workspace).of_unit(place.unit):
            location = UnitUse(place.unit, use).location
            inside = item.full.start <= location.span.start < item.full.end
            if use.target.kind == "job" and not use.declares and inside:
                called.setdefault(use.target, []).append(location)
    return [Call(job, tuple(places)) for target, places in called.items() for job in _items(workspace, target)[:1]]


def _undoing(workspace: Workspace, item: CallItem) -> list[Call]:
    found: list[Call] = []
    for call in incoming(workspace, item):
        step = call.item
        if step.kind != "step":
            continue
        for use in use_index(workspace).of_target(Target("step", step.id, step.member)):
            undo = holder(use.unit, use.use)
            if type(undo) is n.Compensate:
                found.append(Call(_step_item(use.unit, undo, step.id), (use.location,)))
    return found


def _items(workspace: Workspace, target: Target) -> list[CallItem]:
    found = []
    for place in declared(workspace, target):
        node = holder(place.unit, place.use)
        if type(node) is n.Step or type(node) is n.Compensate:
            found.append(_step_item(place.unit, node, target.id))
        elif node is not None:
            path, span = place.location
            namespace, _, name = target.id.rpartition(".")
            full = span_in(place.unit, node.start, node.end)
            found.append(CallItem(target.kind, target.id, "", name, f"{target.kind} in {namespace}", path, span, full))
    return found


def _step_item(unit: Unit, node: n.Step | n.Compensate, id: str) -> CallItem:
    name = node.name if type(node) is n.Step else node.step  # type: ignore[union-attr]
    kind = "step" if type(node) is n.Step else "compensation"
    span, full = span_in(unit, name.start, name.end), span_in(unit, node.start, node.end)
    return CallItem(kind, id, name.text, name.text, f"{kind} of {id}", unit.anchor.file.path, span, full)


def _caller(workspace: Workspace, each: UnitUse) -> CallItem | None:
    """The procedure, step or compensation that a job is named in."""
    for decl in each.unit.chunk.declarations:
        if not decl.start <= each.use.start <= decl.end or decl.name is None:
            continue
        scope = Scope.of(workspace.index, symbol_of(decl))
        id = f"{scope.namespace}.{decl.name.text}"
        if type(decl) is n.WorkflowDecl:
            for part in decl.parts:
                if type(part) is not n.State and part.start <= each.use.start <= part.end:
                    return _step_item(each.unit, part, id)  # type: ignore[arg-type]
        elif type(decl) is n.ProcedureDecl:
            span = span_in(each.unit, decl.name.start, decl.name.end)
            full = span_in(each.unit, decl.start, decl.end)
            detail = f"procedure in {scope.namespace}"
            return CallItem("procedure", id, "", decl.name.text, detail, each.location.path, span, full)
    return None
