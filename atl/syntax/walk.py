"""Every node of a declaration, parents before children, in the order of the text where that costs nothing."""

from __future__ import annotations

from collections.abc import Iterable

from atl.syntax import nodes as n

__all__ = ["walk"]


def walk(decl: n.Declaration) -> list[n.Node]:
    """The declaration and what stands in it: members, clauses, parts, fields, types, modifiers, steps, arguments.

    Names, plain values and expressions are reached through their owners and not in the list themselves.
    """
    found: list[n.Node] = [decl]
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            for member in decl.members:
                found.append(member)
                if type(member) is n.Field:
                    if member.type is not None:
                        found.append(member.type)
                    found += member.modifiers
                elif type(member) is n.Cache:
                    found += member.parts
        case n.JobDecl():
            for clause in decl.clauses:
                found.append(clause)
                if type(clause) is n.Args:
                    _fields(clause.fields, found)
        case n.WorkflowDecl():
            for part in decl.parts:
                found.append(part)
                if type(part) is n.State:
                    _fields(part.fields, found)
                elif type(part) is n.Step or type(part) is n.Compensate:
                    found += part.parts
        case n.QueryDecl() | n.ProcedureDecl():
            for piece in decl.parts:
                found.append(piece)
                match piece:
                    case n.Input():
                        _params(piece.params, found)
                    case n.Output():
                        _params(piece.params or (), found)
                    case n.Steps():
                        found += piece.steps
                    case n.Cache():
                        found += piece.parts
                    case _:
                        pass
        case n.EnumDecl():
            found += decl.labels
        case _:
            pass
    return found


def _fields(fields: Iterable[n.Field], found: list[n.Node]) -> None:
    for field in fields:
        found.append(field)
        if field.type is not None:
            found.append(field.type)
        found += field.modifiers


def _params(params: Iterable[n.Param], found: list[n.Node]) -> None:
    for param in params:
        found.append(param)
        if param.type is not None:
            found.append(param.type)
        if param.default is not None:
            found.append(param.default)
