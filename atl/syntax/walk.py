"""Every node of a declaration, parents before children, in the order of the text where that costs nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from atl.syntax import nodes as n

__all__ = ["walk"]


def walk(decl: n.Declaration) -> Iterator[n.Node]:
    """The declaration and what stands in it: members, clauses, parts, fields, types, modifiers, steps, arguments.

    Names, plain values and expressions are reached through their owners and not yielded themselves.
    """
    yield decl
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            for member in decl.members:
                if type(member) is n.Field:
                    yield from _field(member)
                elif type(member) is n.Cache:
                    yield member
                    yield from member.parts
                else:
                    yield member
        case n.JobDecl():
            for clause in decl.clauses:
                yield clause
                if type(clause) is n.Args:
                    yield from _fields(clause.fields)
        case n.WorkflowDecl():
            for part in decl.parts:
                yield part
                if type(part) is n.State:
                    yield from _fields(part.fields)
                elif type(part) is n.Step or type(part) is n.Compensate:
                    yield from part.parts
        case n.QueryDecl() | n.ProcedureDecl():
            for piece in decl.parts:
                yield piece
                match piece:
                    case n.Input():
                        yield from _params(piece.params)
                    case n.Output():
                        yield from _params(piece.params or ())
                    case n.Steps():
                        yield from piece.steps
                    case n.Cache():
                        yield from piece.parts
                    case _:
                        pass
        case n.EnumDecl():
            yield from decl.labels
        case _:
            pass


def _fields(fields: Iterable[n.Field]) -> Iterator[n.Node]:
    for field in fields:
        yield from _field(field)


def _field(field: n.Field) -> Iterator[n.Node]:
    yield field
    if field.type is not None:
        yield field.type
    yield from field.modifiers


def _params(params: Iterable[n.Param]) -> Iterator[n.Node]:
    for param in params:
        yield param
        if param.type is not None:
            yield param.type
        if param.default is not None:
            yield param.default
