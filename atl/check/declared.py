"""The names that a declaration gives, as opposed to those that it uses."""

from __future__ import annotations

from enum import Enum

from atl.check.context import Context
from atl.syntax import nodes as n

__all__ = ["NAMING", "Named", "declared"]

NAMING: tuple[type[n.Node], ...] = (
    n.EntityDecl,
    n.EnumDecl,
    n.QueryDecl,
    n.ProcedureDecl,
    n.JobDecl,
    n.WorkflowDecl,
    n.EphemeralDecl,
)
"""The declarations that `declared` lists; one whose header could not be read is not judged."""


class Named(Enum):
    """What a name is given to, in words."""

    DECLARATION = "declaration"
    NAMESPACE = "namespace"
    COLUMN = "column"
    FIELD = "field"
    ARGUMENT = "argument"
    INPUT = "input"
    OUTPUT = "output"
    STATE = "state field"
    STEP = "step"
    RELATION = "relation"
    CHECK = "check"


def declared(ctx: Context) -> list[tuple[Named, n.Name]]:
    """Every name that the declaration under check gives, in the order of the text."""
    found: list[tuple[Named, n.Name]] | None = ctx.memo.get(declared)
    if found is None:
        found = ctx.memo[declared] = []
        decl = ctx.decl
        if decl.name is not None:
            found.append((Named.DECLARATION, decl.name))
        if not isinstance(decl, n.QueryDecl | n.ProcedureDecl) and decl.namespace is not None:
            found.append((Named.NAMESPACE, decl.namespace))
        match decl:
            case n.EntityDecl():
                for member in decl.members:
                    if type(member) is n.Field:
                        found.append((Named.COLUMN, member.name))
                    elif type(member) is n.Relation:
                        found.append((Named.RELATION, member.name))
                    elif type(member) is n.EntityCheck and member.name is not None:
                        found.append((Named.CHECK, member.name))
            case n.EphemeralDecl():
                found.extend((Named.FIELD, member.name) for member in decl.members if type(member) is n.Field)
            case n.JobDecl():
                for clause in decl.clauses:
                    if type(clause) is n.Args:
                        found.extend((Named.ARGUMENT, field.name) for field in clause.fields)
            case n.WorkflowDecl():
                for part in decl.parts:
                    if type(part) is n.State:
                        found.extend((Named.STATE, field.name) for field in part.fields)
                    elif type(part) is n.Step:
                        found.append((Named.STEP, part.name))
            case n.QueryDecl() | n.ProcedureDecl():
                for piece in decl.parts:
                    if type(piece) is n.Input:
                        found.extend((Named.INPUT, param.name) for param in piece.params)
                    elif type(piece) is n.Output:
                        found.extend((Named.OUTPUT, param.name) for param in piece.params or ())
            case _:
                pass
    return found
