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

# Of a check's tokens, each a letter (`_letters`): `n in ('a', 'b')`, `n = any (array['a', 'b'])`, `n = 'a' or n = 'b'`.
_ONE_OF = re.compile(r"ni\(s(,s)*\)|n=y\(r\[s(,s)*\]\)|n=s(on=s)*")
_IN_BRACKETS = re.compile(r"\A\((.*)\)\Z")
_LETTERS = {"in": "i", "any": "y", "array": "r", "or": "o"}
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
            named = _one_of(member.sql.value)
            for field in fields:
                if named is not None and field.name.text == named[0]:
                    yield from _converted(spot, ctx, field, member.sql, remove_member(ctx, member))


def _one_of(sql: str) -> tuple[str, list[str]] | None:
    """The one column that a check names, and the strings that it lets through."""
    from atl.ide.completing.scopes import folded
    from atl.postgres.scan import tokens

    names: set[str] = set()
    labels: dict[str, None] = {}
    letters = ""
    for token in tokens(sql):
        text = folded(sql, token)
        if token.kind == "quoted" or (token.kind == "word" and text not in _LETTERS):
            names.add(text)
            letters += "n"
        elif token.kind == "string" and text[0] == "'" and not token.open:
            labels[sql[token.start + 1 : token.end - 1].replace("''", "'")] = None
            letters += "s"
        else:
            letters += _LETTERS.get(text, text)
    # What is only cast to text, or stands in brackets, is the same.
    letters = re.sub(r"::n(\[\])?", "", letters)
    names.discard("text")
    found = len(names) == 1 and (_ONE_OF.fullmatch(letters) or _ONE_OF.fullmatch(_IN_BRACKETS.sub(r"\1", letters)))
    return (names.pop(), list(labels)) if found else None


def _converted(spot: Spot, ctx: Context, field: n.Field, sql: n.Str, removed: list[Change]) -> Iterator[Action]:
    found = _one_of(sql.value)
    if found is None or found[0] != field.name.text or field.type is None or spot.unit is None:
        return
    assert ctx.decl.name is not None
    type_ = type_of(field.type, ctx.scope.namespace)
    if not type_.base or type_.dims or family(type_) is not Family.TEXT:
        return
    labels = found[1]
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
