"""Code lenses: what a line above a declaration says."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from atl.ide.places import Location, included, span_in
from atl.ide.use_index import use_index
from atl.source import Span

if TYPE_CHECKING:
    from atl.schema.index import Index
    from atl.schema.model import Schema
    from atl.syntax.tree import FileTree
    from atl.workspace.live import Workspace

__all__ = ["Lens", "lenses"]


class Lens(NamedTuple):
    """span: the declaration's name. places: of a lens of uses, the uses; of a plan's lens ()."""

    span: Span
    title: str
    kind: str  # "uses" or "plan"
    places: tuple[Location, ...] = ()


@included
def lenses(workspace: Workspace, path: str, base: Schema | None = None) -> list[Lens]:
    """`3 uses` over every declaration that others can name, and `plan: backfill_required` over one that has changed
    against `base`, with the worst class of its changes."""
    tree = workspace.tree(path)
    index = use_index(workspace)
    classes = _classes(tree, workspace, base) if base is not None and tree is not None else {}
    found: list[Lens] = []
    if tree is not None and len(tree.units) > _MANY:
        index.read_all()
    for unit in tree.units if tree is not None else ():
        for use in index.of_unit(unit):
            if not use.declares or use.target.member:
                continue
            span = span_in(unit, use.start, use.end)
            if use.target.kind in _NAMED_BY_OTHERS:
                uses = tuple(each.location for each in index.of_target(use.target) if not each.use.declares)
                title = f"{len(uses)} use{'' if len(uses) == 1 else 's'}" if uses else "no uses"
                found.append(Lens(span, title, "uses", uses))
            planned = classes.get(use.target.id)
            if planned:
                found.append(Lens(span, f"plan: {planned}", "plan"))
    return found


_MANY = 200
"""Declarations in a file, from which on it takes less to read the whole workspace than to look for the uses of each."""

_NAMED_BY_OTHERS = ("entity", "enum", "job")


def _classes(tree: FileTree, workspace: Workspace, base: Schema) -> Mapping[str, str]:
    """The strongest class of the changes of each declaration of a file, everything else being as it is in `base`, but
    for what is renamed."""
    from atl.diff.callers import find_users
    from atl.diff.differ import diff
    from atl.diff.model import Class, strongest

    renaming = [t for p, t in workspace.trees().items() if workspace.is_own(p) and "renamed-from" in t.file.text]
    old, new = _sides(base, [tree, *(each for each in renaming if each is not tree)], workspace.index)
    cached = [each for path, each in workspace.trees().items() if not workspace.is_own(path)]
    grouped: dict[str, list[Class]] = {}
    for change in diff(old, new, workspace.config.caller, find_users(base, new, cached)).changes:
        grouped.setdefault(change.id, []).append(change.cls)
    return {id: strongest(found).value for id, found in grouped.items()}


def _sides(base: Schema, trees: list[FileTree], index: Index) -> tuple[Schema, Schema]:
    """What was declared in these files and what is, without what others declare, which is taken to be the
    same. A declaration that comes from another file is compared with what it was there."""
    from dataclasses import fields

    from atl.schema.build import build
    from atl.schema.model import Schema as Model

    built = build(trees, (), index)
    paths = {tree.file.path for tree in trees}
    before: dict[str, Any] = {}
    after: dict[str, Any] = {}
    for each in fields(Model):
        old, new = getattr(base, each.name), getattr(built, each.name)
        before[each.name] = {id: found for id, found in old.items() if id in new or found.where[0] in paths}
        after[each.name] = new
    return Model(**before), Model(**after)
