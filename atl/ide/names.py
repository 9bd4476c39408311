"""The names in a declaration as its tree alone tells them, for what is shown before anything is resolved."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from atl.schema.types import BUILTINS
from atl.syntax import nodes as n
from atl.syntax.walk import walk

__all__ = ["KIND_OF_TARGET", "named"]

KIND_OF_TARGET = {
    "entity": "class",
    "enum": "enum",
    "job": "function",
    "query": "function",
    "procedure": "function",
    "workflow": "function",
    "ephemeral": "class",
    "field": "property",
    "label": "enumMember",
    "argument": "parameter",
    "input": "parameter",
    "output": "property",
    "state": "variable",
    "step": "function",
    "relation": "property",
    "check": "property",
}
"""The kind of semantic token for each kind of `schema.targets.Target`."""

_KIND_OF_DECL: dict[type[n.Node], str] = {
    n.EntityDecl: "class",
    n.EnumDecl: "enum",
    n.EphemeralDecl: "class",
    n.BrokenDecl: "class",
}

_Named = tuple[n.Node, str, tuple[str, ...]]
_DECLARES = ("declaration",)


def named(decl: n.Declaration) -> Iterator[_Named]:
    """Names with their kind of token and its modifiers."""
    if decl.name is not None:
        yield decl.name, _KIND_OF_DECL.get(type(decl), "function"), _DECLARES
    if isinstance(decl, n.QueryDecl | n.ProcedureDecl):
        yield from _ref(decl.owner, "class")
    elif decl.namespace is not None:
        yield decl.namespace, "namespace", ()
    if type(decl) is n.EntityDecl and decl.on is not None:
        yield decl.on, "property", ()
    field_kind = {n.JobDecl: "parameter", n.WorkflowDecl: "variable"}.get(type(decl), "property")
    for node in walk(decl):
        yield from _node(node, field_kind)


def _ref(ref: n.Ref | None, kind: str) -> Iterator[_Named]:
    if ref is not None:
        if ref.namespace is not None:
            yield ref.namespace, "namespace", ()
        yield ref.name, kind, ()


def _fields(names: Iterable[n.Name | None]) -> Iterator[_Named]:
    for name in names:
        if name is not None:
            yield name, "property", ()


def _node(node: n.Node, field_kind: str) -> Iterator[_Named]:
    match node:
        case n.Field():
            yield node.name, field_kind, _DECLARES
        case n.Input():
            for param in node.params:
                yield param.name, "parameter", _DECLARES
        case n.Output():
            yield from _ref(node.entity, "class")
            for param in node.params or ():
                yield param.name, "property", _DECLARES
        case n.TypeRef():
            if node.namespace is not None:
                yield node.namespace, "namespace", ()
            builtin = node.namespace is None and node.name.text in BUILTINS
            yield node.name, "type" if builtin else "enum", ("defaultLibrary",) if builtin else ()
        case n.References():
            yield from zip(node.path, ("namespace", "class", "property"), ((), (), ()), strict=False)
        case n.PrimaryBy() | n.UniqueBy():
            yield from _fields(node.fields)
        case n.Index():
            yield from _fields(column.field for column in node.columns)
        case n.HnswIndex() | n.GinIndex() | n.FieldClause():
            yield from _fields([node.field])
        case n.Relation():
            yield node.name, "property", _DECLARES
            yield node.target, "class", ()
            yield from _fields([node.via])
        case n.EntityCheck() if node.name is not None:
            yield node.name, "property", _DECLARES
        case n.InvalidateOn():
            for write in node.writes:
                if write.entity is not None:
                    yield write.entity, "class", ()
                yield from _fields([write.field, write.own])
        case n.EnumLabel():
            yield node, "enumMember", _DECLARES
        case n.Sql():
            for ref in node.touches:
                yield from _ref(ref, "class")
        case n.Update() | n.Delete() | n.Insert():
            yield from _ref(node.entity, "class")
            for each in node.sets if not isinstance(node, n.Delete) else ():
                yield each.field, "property", ()
                yield from _value(each.value)
            for term in node.where.terms if not isinstance(node, n.Insert) else ():
                yield from _value(term.left)
                yield from _value(term.right)
        case n.Enqueue():
            yield from _ref(node.job, "function")
            yield from _args(node.args)
        case n.Step():
            yield node.name, "function", _DECLARES
        case n.Compensate():
            yield node.step, "function", ()
        case n.JobUse():
            yield from _ref(node.job, "function")
        case n.StepArgs():
            yield from _args(node.args)
        case _:
            pass


def _args(args: Iterable[n.Arg]) -> Iterator[_Named]:
    for arg in args:
        yield arg.name, "parameter", ()
        if not isinstance(arg.value, n.Expr):
            yield from _value(arg.value)


def _value(value: n.Value | None) -> Iterator[_Named]:
    if type(value) is n.Column:
        yield value.name, "property", ()
