"""Fields, their types and modifiers."""

from __future__ import annotations

from atl.syntax import nodes as n
from atl.syntax.actions.declarations import reserved
from atl.syntax.actions.stack import Values
from atl.syntax.tree import RawFinding

_SQL_MODIFIERS = {("NOT", "NULL"): "not null", ("PRIMARY", "KEY"): "primary"}


def field(v: Values, end: int) -> None:
    mods = v.pop()
    type_ = v.pop()
    name = v.pop()
    if name.reserved:
        reserved(v, name)
    sql = type_ is not None and _SQL_MODIFIERS.get((name.text, type_.name.text))
    if sql and v[-1] and type(v[-1][-1]) is n.Field:
        _sql_modifier(v, sql, n.Flag(name.start, type_.end, sql), mods, end)
        return
    v[-1].append(n.Field(name.start, end, name, type_, mods))


def _sql_modifier(v: Values, word: str, written: n.Flag, mods: list[n.Modifier], end: int) -> None:
    """A modifier as SQL spells it looks like a field, but belongs to the one before."""
    start, stop = written.start, written.end
    v.raw.append(
        RawFinding(
            "ATL010",
            start,
            stop,
            f"`{'NOT NULL' if word == 'not null' else 'PRIMARY KEY'}` is no modifier of a field",
            help=f"write `{word}`",
            fixes=((f"write `{word}`", False, ((start, stop, word),)),),
        )
    )
    v.lost = True
    before = v[-1][-1]
    before.modifiers += [written, *mods]
    before.end = end


def type_plain(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.TypeRef(name.start, end, None, name, None, 0, 0)


def type_qualified(v: Values, end: int) -> None:
    space, _, name = v[-3:]
    v[-3:] = (n.TypeRef(space.start, end, space, name, None, 0, 0),)


def type_with_params(v: Values, end: int) -> None:
    name, _, params, _ = v[-4:]
    v[-4:] = (n.TypeRef(name.start, end, None, name, params, 0, 0),)


def type_qualified_with_params(v: Values, end: int) -> None:
    space, _, name, _, params, _ = v[-6:]
    v[-6:] = (n.TypeRef(space.start, end, space, name, params, 0, 0),)


def type_postfix(v: Values, end: int) -> None:
    name, postfix = v[-2:]
    v[-2:] = (n.TypeRef(name.start, end, None, name, None, 0, postfix),)


def type_qualified_postfix(v: Values, end: int) -> None:
    space, _, name, postfix = v[-4:]
    v[-4:] = (n.TypeRef(space.start, end, space, name, None, 0, postfix),)


def type_with_params_postfix(v: Values, end: int) -> None:
    name, _, params, _, postfix = v[-5:]
    v[-5:] = (n.TypeRef(name.start, end, None, name, params, 0, postfix),)


def type_array(v: Values, end: int) -> None:
    start, _, element = v[-3:]
    if element is not None:
        element.start = start
        element.dims += 1
    v[-3:] = (element,)


def postfix(v: Values, end: int) -> None:
    v[-2:] = (1,)


def postfix_sized(v: Values, end: int) -> None:
    v[-3:] = (1,)


def postfix_again(v: Values, end: int) -> None:
    v[-3:] = (v[-3] + 1,)


def minus(v: Values, end: int) -> None:
    value = v.pop()
    start = v[-1]
    match value:
        case n.Int():
            v[-1] = n.Int(start, end, -value.value)
        case n.Decimal():
            v[-1] = n.Decimal(start, end, "-" + value.text)
        case _:
            v[-1] = n.Duration(start, end, "-" + value.text, None)


def mod_flag(v: Values, end: int) -> None:
    start = v.pop()
    v[-1].append(n.Flag(start, end, v.text[start:end]))


def mod_not_null(v: Values, end: int) -> None:
    start = v[-2]
    del v[-2:]
    v[-1].append(n.Flag(start, end, "not null"))


def mod_default(v: Values, end: int) -> None:
    _, start, value = v[-3:]
    del v[-2:]
    v[-1].append(n.Default(start, end, value))


def mod_references(v: Values, end: int) -> None:
    start, path, actions = v[-3:]
    del v[-3:]
    v[-1].append(n.References(start, actions[-1].end if actions else path[-1].end, path, actions))


def mod_check(v: Values, end: int) -> None:
    sql = v.pop()
    start = v.pop()
    v[-1].append(n.FieldCheck(start, end, sql))


def mod_backfill(v: Values, end: int) -> None:
    sql = v.pop()
    start = v.pop()
    v[-1].append(n.Backfill(start, end, sql))


def path_two(v: Values, end: int) -> None:
    v[-3:] = ([v[-3], v[-1]],)


def path_three(v: Values, end: int) -> None:
    v[-5:] = ([v[-5], v[-3], v[-1]],)


def action(v: Values, end: int) -> None:
    start, event, what = v[-3:]
    del v[-3:]
    v[-1].append(n.Action(start, end, event, what))
