"""Where a node names an entity: owner, `touches`, output, typed steps, references, relations, cache writes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from atl.check.context import Context
from atl.records import NamedTuple
from atl.source import Place
from atl.syntax import nodes as n

__all__ = ["USERS", "EntityUse", "entity_uses"]


class EntityUse(NamedTuple):
    """bare: the grammar takes no namespace here."""

    namespace: n.Name | None
    name: n.Name
    bare: bool = False

    @property
    def text(self) -> str:
        return self.name.text if self.namespace is None else f"{self.namespace.text}.{self.name.text}"

    def whole(self, ctx: Context) -> Place:
        """The name with its namespace."""
        return ctx.at((self.namespace or self.name).start, self.name.end)


def entity_uses(node: n.Node, ctx: Context) -> Sequence[EntityUse]:
    """The names of entities in `node` itself, in the order of the text.

    A reference that is not of three names is ATL112's, and one outside an entity is none that counts.
    """
    return _READERS[type(node)](node, ctx)


def _owner(node: n.QueryDecl | n.ProcedureDecl, ctx: Context) -> Sequence[EntityUse]:
    return () if node.owner is None else (EntityUse(node.owner.namespace, node.owner.name),)


def _output(node: n.Output, ctx: Context) -> Sequence[EntityUse]:
    return () if node.entity is None else (EntityUse(node.entity.namespace, node.entity.name),)


def _touches(node: n.Sql, ctx: Context) -> Sequence[EntityUse]:
    return [EntityUse(ref.namespace, ref.name) for ref in node.touches]


def _typed_step(node: n.Update | n.Delete | n.Insert, ctx: Context) -> Sequence[EntityUse]:
    return (EntityUse(node.entity.namespace, node.entity.name),)


def _reference(node: n.References, ctx: Context) -> Sequence[EntityUse]:
    counts = len(node.path) == 3 and type(ctx.decl) is n.EntityDecl
    return (EntityUse(node.path[0], node.path[1]),) if counts else ()


def _relation(node: n.Relation, ctx: Context) -> Sequence[EntityUse]:
    return (EntityUse(None, node.target, bare=True),)


def _writes(node: n.InvalidateOn, ctx: Context) -> Sequence[EntityUse]:
    return [EntityUse(None, write.entity, bare=True) for write in node.writes if write.entity is not None]


_READERS: dict[type[n.Node], Callable[[Any, Context], Sequence[EntityUse]]] = {
    n.QueryDecl: _owner,
    n.ProcedureDecl: _owner,
    n.Output: _output,
    n.Sql: _touches,
    n.Update: _typed_step,
    n.Delete: _typed_step,
    n.Insert: _typed_step,
    n.References: _reference,
    n.Relation: _relation,
    n.InvalidateOn: _writes,
}

USERS = tuple(_READERS)
"""The node types that `entity_uses` has something to say of."""
