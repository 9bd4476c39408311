"""From a name to what it means and to all that means the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.named import declared, holder, named_at
from atl.ide.places import Location, included, span_in
from atl.ide.use_index import UnitUse, use_index
from atl.schema.targets import Target
from atl.source import Span
from atl.syntax import nodes as n

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = [
    "Highlight",
    "Link",
    "definition",
    "highlight",
    "implementation",
    "linked_editing",
    "references",
    "type_definition",
]


class Link(NamedTuple):
    """A target: `span` is its name, `full` the declaration or member around it, `origin` the word at the cursor, in
    the file that was asked."""

    path: str
    span: Span
    full: Span
    origin: Span


class Highlight(NamedTuple):
    """write: the place declares the name."""

    span: Span
    write: bool


@included
def definition(workspace: Workspace, path: str, offset: int) -> list[Link]:
    """Where what is named at the offset is declared."""
    found = named_at(workspace, path, offset)
    return [
        _link(each, found[0])
        for target in dict.fromkeys(here.use.target for here in found)
        for each in declared(workspace, target)
    ]


@included
def type_definition(workspace: Workspace, path: str, offset: int) -> list[Link]:
    """The enum that is the type of what is named, the entity of a relation, the job of a step; of an entity's, job's or
    enum's name the declaration."""
    found = named_at(workspace, path, offset)
    links: list[Link] = []
    for target in dict.fromkeys(here.use.target for here in found):
        if not target.member or target.kind == "label":
            meant = [Target("enum", target.id) if target.kind == "label" else target]
        else:
            meant = [each for place in declared(workspace, target) for each in _types(workspace, place)]
        links += [_link(each, found[0]) for each in _declared_all(workspace, meant)]
    return links


def _declared_all(workspace: Workspace, targets: list[Target]) -> list[UnitUse]:
    return [each for target in dict.fromkeys(targets) for each in declared(workspace, target)]


_TYPE_OF = {"relation": "entity", "step": "job"}


def _types(workspace: Workspace, place: UnitUse) -> list[Target]:
    """What stands for the type in the member that is declared at a place."""
    member = holder(place.unit, place.use)
    kind = _TYPE_OF.get(place.use.target.kind, "enum")
    if member is None:
        return []
    inside = [use for use in use_index(workspace).of_unit(place.unit) if member.start <= use.start < member.end]
    return [use.target for use in inside if use.target.kind == kind][:1]


@included
def implementation(workspace: Workspace, path: str, offset: int) -> list[Link]:
    """Where a job is run; the compensation of a step; the queries and procedures that name an entity."""
    found = named_at(workspace, path, offset)
    links: list[Link] = []
    for target in dict.fromkeys(here.use.target for here in found):
        seen: set[object] = set()
        for each in use_index(workspace).of_target(target):
            match target.kind:
                case "job" | "step" if not each.use.declares:
                    links.append(_link(each, found[0]))
                case "entity":
                    decl = _decl(each)
                    if isinstance(decl, n.QueryDecl | n.ProcedureDecl) and decl.name and decl not in seen:
                        seen.add(decl)
                        span = span_in(each.unit, decl.name.start, decl.name.end)
                        full = span_in(each.unit, decl.start, decl.end)
                        links.append(Link(each.location.path, span, full, found[0].location.span))
                case _:
                    pass
    return links


@included
def references(workspace: Workspace, path: str, offset: int, declarations: bool = True) -> list[Location]:
    """Every place that names the same, over all files, by path and offset."""
    targets = dict.fromkeys(here.use.target for here in named_at(workspace, path, offset))
    index = use_index(workspace)
    found = [each for target in targets for each in index.of_target(target) if declarations or not each.use.declares]
    return sorted({each.location for each in found})


@included
def highlight(workspace: Workspace, path: str, offset: int) -> list[Highlight]:
    """Every place in this file that names the same."""
    targets = {here.use.target for here in named_at(workspace, path, offset)}
    tree = workspace.tree(path)
    if tree is None or not targets:
        return []
    index = use_index(workspace)
    return [
        Highlight(span_in(unit, use.start, use.end), use.declares)
        for unit in tree.units
        for use in index.of_unit(unit)
        if use.target in targets
    ]


@included
def linked_editing(workspace: Workspace, path: str, offset: int) -> list[Span]:
    """The places of a member's name within its declaration that are typed at once, all spelled alike. Empty, or two and
    more."""
    found = named_at(workspace, path, offset)
    if len({here.use.target for here in found}) != 1 or not found[0].use.target.member:
        return []
    unit, target = found[0].unit, found[0].use.target
    uses = [use for use in use_index(workspace).of_unit(unit) if use.target == target]
    text = unit.chunk.text
    spelled = text[found[0].use.start : found[0].use.end]
    alike = {(use.start, use.end) for use in uses if text[use.start : use.end] == spelled}
    if len(alike) < 2 or not any(use.declares for use in uses):
        return []
    return [span_in(unit, start, end) for start, end in sorted(alike)]


def _decl(each: UnitUse) -> n.Declaration | None:
    return next((d for d in each.unit.chunk.declarations if d.start <= each.use.start <= d.end), None)


def _link(each: UnitUse, origin: UnitUse) -> Link:
    around = holder(each.unit, each.use)
    full = each.location.span if around is None else span_in(each.unit, around.start, around.end)
    return Link(each.location.path, each.location.span, full, origin.location.span)
