"""A default is no value of its field's type.

## Why

A default is written as what it is: a string for text, uuid, date and time, network, json and enum types, a whole number
for number types, `true` or `false` for boolean, `now()` for date and time types. It has to be in range, not longer than
the type allows, and one of the enum's labels. Everything else is SQL and written `raw "..."`: numbers with a point,
other functions, and every default of arrays and of money, xml, bytea, bit, range, geometric and text-search types.

## Example

```atl
entity Pair in shoes {
  id    bigint primary
  price numeric(8, 2) default 9.5
}
```

## Fix

Write a value of the type, or SQL.

```atl
entity Pair in shoes {
  id    bigint primary
  price numeric(8, 2) default raw "9.5"
}
```
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from atl.check.context import Context
from atl.check.enums import labels_of
from atl.check.fields import settled
from atl.check.wording import listed, shown, string
from atl.closed import assert_never
from atl.findings import Finding
from atl.schema.literals import default_misfit
from atl.schema.types import UNREAD, Family, Type, family, spelled, type_of
from atl.syntax import nodes as n

# What other languages call the moment at which a row is written.
_CLOCKS = frozenset(
    {"current_timestamp", "localtimestamp", "now", "sysdate", "getdate", "current_date", "current_time"}
)
_WHOLE = re.compile(r"-?[0-9]{1,40}")
_DECIMAL = re.compile(r"-?[0-9]{1,40}\.[0-9]{1,40}")
_BOOLEANS = {"true": True, "false": False}

# Defaults of builtin types in which nothing was found, as written: a workspace has the same few over and over.
_SOUND: set[tuple[Type, str]] = set()
_MOST = 10_000


def check(default: n.Default, ctx: Context) -> Iterator[Finding]:
    node, value = ctx.field, default.value
    if node is None:
        return
    type_ = UNREAD if node.type is None else type_of(node.type, ctx.scope.namespace)
    written = type_, ctx.source(value.start, value.end)
    if written in _SOUND or node.default is not default:
        return
    known = settled(ctx, type_)
    if not known and type(value) is not n.Word:
        return
    labels = labels_of(type_, ctx) if known else None
    reason = default_misfit(type_, labels, value)
    if not reason:
        if type_.base and len(_SOUND) < _MOST:
            _SOUND.add(written)
        return
    fixes = []
    advice = f"its labels are {listed(labels)}" if labels else ""
    if type(value) is n.Word and value.name.text == "null":
        advice = "leave the default out: without `not null` it is null"
    for guess in _guesses(value, type_, labels, ctx) if known else ():
        # An input takes no SQL.
        if not default_misfit(type_, labels, guess) and not (type(node) is n.Param and type(guess) is n.Raw):
            instead = _written(guess)
            advice = f"write `{instead}`"
            glued = ctx.source(value.start - 1, value.start).isalnum()
            fixes = [ctx.fix(advice, (value, " " + instead if glued else instead), safe=False)]
            break
    if type(value) is n.Word:
        # A word in the place of any value is one that cannot stand there, whatever the type.
        message = f"expected a default value, found {shown(ctx, value)}"
        yield ctx.finding("ATL001", value, message, help=advice, fixes=fixes)
        return
    yield ctx.finding(
        "ATL203",
        value,
        f"{shown(ctx, value)} is no default of `{node.name.text}`: it {reason}",
        labels=[(node.type or node.name, f"`{spelled(type_)}`")],
        help=advice,
        fixes=fixes,
    )


def _guesses(
    value: n.DefaultValue, type_: Type, labels: tuple[str, ...] | None, ctx: Context
) -> Iterator[n.Str | n.Int | n.Bool | n.Now | n.Raw]:
    """What may have been meant, the likeliest first; whether it fits is asked later."""
    written = ctx.source(value.start, value.end)
    kind = None if type_.dims else family(type_)
    match value:
        case n.Call():
            if value.name.text.lower() in _CLOCKS:
                yield n.Now(0, 0, True)
            yield _raw(written)
        case n.Decimal():
            if kind is Family.NUMBER or kind is Family.MONEY:
                yield _raw(written)
            yield _string(written)
        case n.Word():
            if written.lower() in _CLOCKS:
                yield n.Now(0, 0, True)
            if written != "null":
                yield _string(written)
                yield from _text_guesses(written, type_, labels)
        case n.Str():
            yield from _text_guesses(value.value, type_, labels)
        case n.Int():
            if kind is Family.BOOLEAN and value.value in (0, 1):
                yield n.Bool(0, 0, value.value == 1)
            if kind is Family.MONEY:
                yield _raw(written)
            yield _string(written)
        case n.Bool() | n.Duration():
            yield _string(written)
        case _:
            pass


def _text_guesses(text: str, type_: Type, labels: tuple[str, ...] | None) -> Iterator[n.Str | n.Int | n.Bool | n.Raw]:
    if labels:
        from atl.findings.suggest import closest

        near = closest(text, labels)
        if near is not None:
            yield _string(near)
    stripped = text.strip()
    if stripped.lower() in _BOOLEANS:
        yield n.Bool(0, 0, _BOOLEANS[stripped.lower()])
    if _WHOLE.fullmatch(stripped):
        yield n.Int(0, 0, int(stripped))
    if _DECIMAL.fullmatch(stripped):
        yield _raw(stripped)
    if type_.dims or type_.base:
        from atl.postgres.scan import quote_literal
        from atl.schema.text_forms import may_be

        if may_be(type_, text):
            yield _raw(quote_literal(text))


def _string(text: str) -> n.Str:
    return n.Str(0, 0, text)


def _raw(sql: str) -> n.Raw:
    return n.Raw(0, 0, _string(sql))


def _written(value: n.Str | n.Int | n.Bool | n.Now | n.Raw) -> str:
    match value:
        case n.Str():
            return string(value.value)
        case n.Raw():
            return f"raw {string(value.sql.value)}"
        case n.Int():
            return str(value.value)
        case n.Bool():
            return "true" if value.value else "false"
        case n.Now():
            return "now()"
        case _:
            assert_never(value)
