"""Fields of the declaration under check, found by name, and what can be concluded from their types.

Everything here is silent where recovery dropped text: what is not found in a lost declaration may have been written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from atl.check.context import Context
from atl.records import NamedTuple
from atl.schema.index import Found
from atl.schema.symbols import EntitySymbol, FieldSymbol, Type
from atl.syntax import nodes as n

__all__ = ["Pointer", "field_nodes", "field_of", "field_symbols", "known_field", "pointer", "settled"]


class Pointer(NamedTuple):
    """A field of the entity under check that references another one, with its target where that is known.

    target: the entity, None when the path is not of three names, unknown or ambiguous. at: the referenced field, None
    when the target has none of that name.
    """

    field: n.Field
    symbol: FieldSymbol
    clause: n.References
    target: Found | None
    at: FieldSymbol | None

    @property
    def unique(self) -> bool:
        """Whether the referenced field is unique by itself, or may be: a lost clause may make it so."""
        if self.at is None or self.target is None or type(self.target.symbol) is not EntitySymbol:
            return True
        target = self.target.symbol
        return self.at.primary or self.at.unique or (self.at.name,) in target.uniques or target.lost


def field_nodes(ctx: Context) -> Mapping[str, n.Field]:
    """The fields of the entity or ephemeral under check; of two with one name the first counts."""
    found: dict[str, n.Field] | None = ctx.memo.get(field_nodes)
    if found is None:
        found = {}
        decl = ctx.decl
        if isinstance(decl, n.EntityDecl | n.EphemeralDecl):
            for member in decl.members:
                if type(member) is n.Field:
                    found.setdefault(member.name.text, member)
        ctx.memo[field_nodes] = found
    return found


def field_symbols(ctx: Context) -> Mapping[str, FieldSymbol]:
    """What others see of the fields of the entity under check."""
    found: dict[str, FieldSymbol] | None = ctx.memo.get(field_symbols)
    if found is None:
        found = {}
        if type(ctx.symbol) is EntitySymbol:
            for field in ctx.symbol.fields:
                found.setdefault(field.name, field)
        ctx.memo[field_symbols] = found
    return found


def known_field(ctx: Context, name: n.Name) -> FieldSymbol | None:
    """The field that a clause names, when it exists and its type is certain: rules that judge it ask this."""
    field = field_symbols(ctx).get(name.text)
    return field if field is not None and settled(ctx, field.type) else None


def settled(ctx: Context, type_: Type) -> bool:
    """Whether it is certain what the type is: no error in it, and an enum that is there."""
    return type_.known and (type_.base != "" or ctx.scope.enum(type_.enum) is not None)


def field_of(modifier: n.Modifier, ctx: Context) -> n.Field:
    """The field that a modifier of the declaration under check belongs to."""
    found: dict[n.Node, n.Field] | None = ctx.memo.get(field_of)
    if found is None:
        found = ctx.memo[field_of] = {each: field for field in _all_fields(ctx.decl) for each in field.modifiers}
    return found[modifier]


def _all_fields(decl: n.Declaration) -> Iterator[n.Field]:
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            yield from (member for member in decl.members if type(member) is n.Field)
        case n.JobDecl():
            for clause in decl.clauses:
                if type(clause) is n.Args:
                    yield from clause.fields
        case n.WorkflowDecl():
            for part in decl.parts:
                if type(part) is n.State:
                    yield from part.fields
        case _:
            pass


def pointer(clause: n.References, ctx: Context) -> Pointer | None:
    """What a reference points at; None outside an entity, and for a second one of its field, which is ATL011's."""
    if type(ctx.decl) is not n.EntityDecl:
        return None
    found: dict[n.References, Pointer | None] = ctx.memo.setdefault(pointer, {})
    if clause not in found:
        field = field_of(clause, ctx)
        first = field.references is clause
        found[clause] = _pointer(ctx, field, field_symbols(ctx)[field.name.text], clause) if first else None
    return found[clause]


def _pointer(ctx: Context, field: n.Field, symbol: FieldSymbol, clause: n.References) -> Pointer:
    if len(clause.path) != 3:
        return Pointer(field, symbol, clause, None, None)
    namespace, name, last = clause.path
    target = ctx.scope.find("entity", namespace.text, name.text)
    if target is None or type(target.symbol) is not EntitySymbol:
        return Pointer(field, symbol, clause, None, None)
    return Pointer(field, symbol, clause, target, target.symbol.field(last.text))
