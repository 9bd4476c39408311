"""What a check can become: the entity's own, or an enum."""

from __future__ import annotations

import re
from collections.abc import Iterator

from atl.check.context import Context
from atl.check.mending import Change, add_member_after, remove_member, remove_modifier
from atl.ide.actions.model import Action, Spot
from atl.schema.types import Family, family, type_of
from atl.syntax import nodes as n

__all__ = ["enum_of_check", "extracted"]

_ONE_OF = re.compile(r"""\s*"?(\w+)"?\s+in\s*\(\s*('(?:[^']|'')*'(?:\s*,\s*'(?:[^']|'')*')*)\s*\)\s*\Z""", re.I)
_STRING = re.compile(r"'((?:[^']|'')*)'")
_PLAIN_LABEL = re.compile(r"[A-Za-z_][A-Za-z0-9_]*\Z")


def extracted(spot: Spot) -> Iterator[Action]:
    """A field's check, moved to the entity."""
    ctx = spot.context()
    if ctx is None or not isinstance(ctx.decl, n.EntityDecl):
        return
    for field in (member for member in ctx.decl.members if isinstance(member, n.Field) and spot.touches(member)):
        for check in (each for each in field.modifiers if isinstance(each, n.FieldCheck)):
            changes = _moved(ctx, field, check)
            yield Action("move the check to the entity", "refactor.extract", spot.edits(changes))


def _moved(ctx: Context, field: n.Field, check: n.FieldCheck) -> list[Change]:
    place, text = add_member_after(ctx, field, ctx.source(check.start, check.end))
    cut, blank = remove_modifier(ctx, check)
    if place.start <= cut.end and cut.start <= place.start:
        return [(ctx.at(min(cut.start, place.start), max(cut.end, place.end)), blank + text)]
    return [(cut, blank), (place, text)]


def enum_of_check(spot: Spot) -> Iterator[Action]:
    """`status text check "status in ('a', 'b')"` as a field of an enum."""
    ctx = spot.context()
    if ctx is None or not isinstance(ctx.decl, n.EntityDecl) or ctx.decl.name is None or not ctx.scope.namespace:
        return
    fields = [member for member in ctx.decl.members if isinstance(member, n.Field)]
    for field in fields:
        for check in field.modifiers:
            if isinstance(check, n.FieldCheck) and spot.touches(field):
                yield from _converted(spot, ctx, field, check.sql, [remove_modifier(ctx, check)])
    for member in ctx.decl.members:
        if isinstance(member, n.EntityCheck) and spot.touches(member):
            named = _ONE_OF.match(member.sql.value)
            for field in fields:
                if named is not None and field.name.text == named[1]:
                    yield from _converted(spot, ctx, field, member.sql, remove_member(ctx, member))


def _converted(spot: Spot, ctx: Context, field: n.Field, sql: n.Str, removed: list[Change]) -> Iterator[Action]:
    found = _ONE_OF.match(sql.value)
    if found is None or found[1] != field.name.text or field.type is None or spot.unit is None:
        return
    assert ctx.decl.name is not None
    type_ = type_of(field.type, ctx.scope.namespace)
    if not type_.base or type_.dims or family(type_) is not Family.TEXT:
        return
    labels = list(dict.fromkeys(value.replace("''", "'") for value in _STRING.findall(found[2])))
    default = field.default
    if not all(labels) or (
        default is not None and not (isinstance(default.value, n.Str) and default.value.value in labels)
    ):
        return
    pascal = "".join(part[:1].upper() + part[1:] for part in field.name.text.split("_"))
    name = ctx.decl.name.text + pascal
    if ctx.scope.same_id(f"{ctx.scope.namespace}.{name}"):
        return
    end = spot.insertion_after(spot.unit, ctx.decl) - spot.unit.anchor.start
    listed = ", ".join(map(_label, labels))
    text = f"{spot.newline * 2}enum {name} in {ctx.scope.namespace} {{ {listed} }}"
    changes: list[Change] = [(ctx.place(field.type), name), *removed, (ctx.insertion(end), text)]
    yield Action(f"make `{field.name.text}` an enum, `{name}`", "refactor.rewrite", spot.edits(changes))


def _label(text: str) -> str:
    from atl.ide.completing.request import quoted

    return text if _PLAIN_LABEL.match(text) else quoted(text)
