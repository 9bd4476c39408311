"""Where a node names an entity: owner, `touches`, output, typed steps, references, relations, cache writes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from atl.check.context import Context
from atl.source import Place
from atl.syntax import nodes as n

__all__ = ["USERS", "EntityUse", "entity_uses"]

USERS: tuple[type[n.Node], ...] = (
    n.QueryDecl,
    n.ProcedureDecl,
    n.Output,
    n.Sql,
    n.Update,
    n.Delete,
    n.Insert,
    n.References,
    n.Relation,
    n.InvalidateOn,
)
"""The node types that `entity_uses` has something to say of."""


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


def entity_uses(node: n.Node, ctx: Context) -> Iterator[EntityUse]:
    """The names of entities in `node` itself, in the order of the text.

    A reference that is not of three names is ATL112's, and one outside an entity is none that counts.
    """
    match node:
        case n.QueryDecl() | n.ProcedureDecl():
            if node.owner is not None:
                yield EntityUse(node.owner.namespace, node.owner.name)
        case n.Output():
            if node.entity is not None:
                yield EntityUse(node.entity.namespace, node.entity.name)
        case n.Sql():
            for ref in node.touches:
                yield EntityUse(ref.namespace, ref.name)
        case n.Update() | n.Delete() | n.Insert():
            yield EntityUse(node.entity.namespace, node.entity.name)
        case n.References():
            if len(node.path) == 3 and type(ctx.decl) is n.EntityDecl:
                yield EntityUse(node.path[0], node.path[1])
        case n.Relation():
            yield EntityUse(None, node.target, bare=True)
        case n.InvalidateOn():
            for write in node.writes:
                if write.entity is not None:
                    yield EntityUse(None, write.entity, bare=True)
        case _:
            pass
