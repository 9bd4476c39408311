"""Values in calls and typed steps: what they are, where they go, and whether they fit there."""

from __future__ import annotations

from collections.abc import Mapping

from atl.check.calls import call
from atl.check.context import Context
from atl.check.enums import labels_of
from atl.check.fields import settled
from atl.check.wording import listed, shown
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.records import NamedTuple
from atl.schema import literals
from atl.schema.conversions import assignable
from atl.schema.index import Found
from atl.schema.symbols import EntitySymbol, FieldSymbol, fields_of, params_of
from atl.schema.types import Type, spelled
from atl.source import Place
from atl.syntax import nodes as n

__all__ = [
    "Assigned",
    "Compared",
    "Operand",
    "assigned",
    "comparisons",
    "entity_of",
    "misfit",
    "operand",
    "parameters",
]


class Operand(NamedTuple):
    """A `$name` or a column as a value. The type is settled."""

    type: Type
    nullable: bool
    declared: Place


class Assigned(NamedTuple):
    """A value and the argument or column that it is for, whose type is settled. what: `argument` or `column`."""

    value: n.Value
    target: FieldSymbol
    declared: Place
    what: str


def parameters(ctx: Context) -> Mapping[str, tuple[FieldSymbol, bool]]:
    """What `$name` means in the declaration: an input, or a state field; and whether it may be null. An input never
    is, a state field is unless it is `not null` or has a default."""
    found: dict[str, tuple[FieldSymbol, bool]] | None = ctx.memo.get(parameters)
    if found is None:
        found = ctx.memo[parameters] = {}
        decl, namespace = ctx.decl, ctx.scope.namespace
        if isinstance(decl, n.QueryDecl | n.ProcedureDecl):
            for part in decl.parts:
                if type(part) is n.Input:
                    for symbol in params_of(part.params, namespace):
                        found.setdefault(symbol.name, (symbol, False))
        elif isinstance(decl, n.WorkflowDecl):
            for state in decl.parts:
                if type(state) is n.State:
                    for symbol in fields_of(state.fields, namespace):
                        sure = symbol.not_null or symbol.filled or decl.lost
                        found.setdefault(symbol.name, (symbol, not sure))
    return found


def entity_of(ref: n.Ref, ctx: Context) -> Found | None:
    """The entity that a typed step names; None when unknown or ambiguous."""
    found = ctx.scope.find("entity", None if ref.namespace is None else ref.namespace.text, ref.name.text)
    return found if found is not None and type(found.symbol) is EntitySymbol else None


def operand(value: n.Value, ctx: Context, entity: Found | None) -> Operand | None:
    """What is known of a `$name`, or of a column of `entity`; None for literals, and where the type is not certain."""
    if type(value) is n.Parameter:
        known = parameters(ctx).get(value.name)
        if known is None or not settled(ctx, known[0].type):
            return None
        return Operand(known[0].type, known[1], ctx.at(*known[0].span))
    if type(value) is n.Column and entity is not None and type(entity.symbol) is EntitySymbol:
        field = entity.symbol.field(value.name.text)
        if field is not None and settled(ctx, field.type):
            nullable = not (field.not_null or entity.symbol.lost)
            return Operand(field.type, nullable, Place(entity.anchor, *field.span))
    return None


def assigned(node: n.Node, ctx: Context) -> list[tuple[Assigned, Operand | None]]:
    """The values that a call or typed step gives to arguments or columns, each with what is known of it.

    Left out: what is in error already (an unknown name, a name given twice, a comparison or column as an argument), and
    columns in an insert, which has no row to read them from.
    """
    key = (assigned, node)
    found: list[tuple[Assigned, Operand | None]] | None = ctx.memo.get(key)
    if found is None:
        found = ctx.memo[key] = [
            (each, operand(each.value, ctx, entity))
            for each, entity in _pairs(node, ctx)
            if settled(ctx, each.target.type)
        ]
    return found


def _pairs(node: n.Node, ctx: Context) -> list[tuple[Assigned, Found | None]]:
    if isinstance(node, n.Enqueue | n.Step | n.Compensate):
        made = call(node, ctx)
        if made is None:
            return []
        return [
            (Assigned(arg.value, declared, made.declared(declared), "argument"), None)
            for arg, declared in made.given
            if not isinstance(arg.value, n.Expr | n.Column)
        ]
    assert isinstance(node, n.Update | n.Insert)
    entity = entity_of(node.entity, ctx)
    if entity is None or type(entity.symbol) is not EntitySymbol:
        return []
    pairs: list[tuple[Assigned, Found | None]] = []
    given = set[str]()
    for each in node.sets:
        field = entity.symbol.field(each.field.text)
        if each.field.text in given:
            continue
        given.add(each.field.text)
        if field is not None and not (type(node) is n.Insert and type(each.value) is n.Column):
            pairs.append((Assigned(each.value, field, Place(entity.anchor, *field.span), "column"), entity))
    return pairs


def misfit(code: str, each: Assigned, source: Operand | None, ctx: Context) -> Finding | None:
    """The finding that a value cannot be what its argument or column takes, if so."""
    value, target = each.value, each.target
    to = f"the {each.what} `{target.name}`"
    takes = spelled(target.type)
    labels = [(each.declared, f"takes `{takes}`")]
    if source is not None:
        if assignable(source.type, target.type):
            return None
        labels.append((source.declared, f"is `{spelled(source.type)}`"))
        message = f"{shown(ctx, value)} is `{spelled(source.type)}`, but {to} takes `{takes}`"
        return ctx.finding(code, value, message, labels=labels)
    if isinstance(value, n.Parameter | n.Column):
        return None
    known_labels = labels_of(target.type, ctx)
    reason = literals.misfit(target.type, known_labels, value)
    if not reason:
        return None
    message = f"{shown(ctx, value)} is no value of {to}: it {reason}"
    return ctx.finding(code, value, message, labels=labels, help=_advice(value, target.type, known_labels))


def _advice(value: n.Literal, type_: Type, labels: tuple[str, ...] | None) -> str:
    if labels:
        near = closest(value.value, labels) if type(value) is n.Str else None
        return f'did you mean "{near}"?' if near is not None else f"its labels are {listed(labels)}"
    if isinstance(value, n.Decimal | n.Duration) and not literals.misfit(type_, labels, n.Str(0, 0, value.text)):
        return f'write "{value.text}"'
    return ""


class Compared(NamedTuple):
    """A comparison in a typed step, and what is known of its sides. right is None too when there is no operator.
    unknown: a side is a name that is not known, or whose type is not certain: nothing can be said."""

    node: n.Comparison
    left: Operand | None
    right: Operand | None
    unknown: bool


def comparisons(node: n.Update | n.Delete, ctx: Context) -> list[Compared]:
    key = (comparisons, node)
    found: list[Compared] | None = ctx.memo.get(key)
    if found is None:
        found = ctx.memo[key] = []
        entity = entity_of(node.entity, ctx)
        for term in node.where.terms if entity is not None else ():
            sides = [side for side in (term.left, term.right) if side is not None]
            known = [operand(side, ctx, entity) for side in sides]
            unknown = any(
                each is None and isinstance(side, n.Parameter | n.Column)
                for side, each in zip(sides, known, strict=True)
            )
            found.append(Compared(term, known[0], known[1] if len(known) > 1 else None, unknown))
    return found
