"""A typed step compares two sides that have no common type.

## Why

PostgreSQL compares a number with a number, text with text, a moment with a date, and otherwise like with like. A
literal has to be a value of the other side's type. A condition without an operator has to be boolean.

## Example

```atl
entity Locker in station {
  id    bigint primary
  taken boolean not null
}
procedure Free for Locker {
  steps {
    delete Locker where taken = 5
  }
}
```

## Fix

Compare with a value of the same type.

```atl
entity Locker in station {
  id    bigint primary
  taken boolean not null
}
procedure Free for Locker {
  steps {
    delete Locker where taken = true
  }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.enums import labels_of
from atl.check.values import Compared, Operand, comparisons
from atl.check.wording import shown
from atl.closed import assert_never
from atl.findings import Finding
from atl.schema.conversions import comparable
from atl.schema.literals import misfit
from atl.schema.types import Type, has_equality, spelled
from atl.source import Place
from atl.syntax import nodes as n

_BOOLEAN = Type("boolean")
# What bounds a column's values does not bound what they are compared with.
_UNBOUNDED = {"numeric": Type("numeric", (1000, 0)), "bit": Type("varbit")}


def check(node: n.Update | n.Delete, ctx: Context) -> Iterator[Finding]:
    for each in comparisons(node, ctx):
        if each.unknown or (each.node.op is None and ctx.decl.lost):
            continue
        found = _condition(each, ctx) if each.node.op is None else _comparison(each, ctx)
        if found is not None:
            yield found


def _condition(each: Compared, ctx: Context) -> Finding | None:
    value = each.node.left
    given = each.left.type if each.left is not None else _type_of(value)
    if given is None:
        assert isinstance(value, n.Str)
        wrong = misfit(_BOOLEAN, None, value) != ""
    else:
        wrong = given != _BOOLEAN
    if not wrong:
        return None
    is_what = f"is `{spelled(given)}`" if given is not None else "is text"
    return ctx.finding(
        "ATL206",
        each.node,
        f"{shown(ctx, value)} {is_what}, and a condition is `boolean`",
        labels=_labels(each),
        help="compare it with a value",
    )


def _comparison(each: Compared, ctx: Context) -> Finding | None:
    left, right = each.node.left, each.node.right
    assert right is not None
    for value in (left, right):
        if isinstance(value, n.Decimal | n.Duration):
            reason = misfit(_BOOLEAN, None, value)
            return ctx.finding("ATL206", value, f"{shown(ctx, value)} cannot be compared: it {reason}")
    if any(side is not None and not has_equality(side.type) for side in (each.left, each.right)):
        return None
    types = [
        side.type if side is not None else _type_of(value) for side, value in ((each.left, left), (each.right, right))
    ]
    if types[0] is not None and types[1] is not None:
        if comparable(types[0], types[1]):
            return None
        message = (
            f"{shown(ctx, left)} is `{spelled(types[0])}` and {shown(ctx, right)} is `{spelled(types[1])}`: "
            "they have no common type"
        )
        return ctx.finding("ATL206", each.node, message, labels=_labels(each))
    text, other = (left, types[1]) if types[0] is None else (right, types[0])
    if other is None:
        return None
    assert isinstance(text, n.Str)
    reason = misfit(_unbounded(other), labels_of(other, ctx), text)
    if not reason:
        return None
    message = f"{shown(ctx, text)} {reason}, so it cannot be compared with `{spelled(other)}`"
    return ctx.finding("ATL206", each.node, message, labels=_labels(each))


def _labels(each: Compared) -> list[tuple[Place, str]]:
    sides: list[Operand] = [side for side in (each.left, each.right) if side is not None]
    return [(side.declared, f"is `{spelled(side.type)}`") for side in sides]


def _type_of(value: n.Value) -> Type | None:
    """The type that PostgreSQL gives a literal; None for a string, which becomes what it is compared with."""
    match value:
        case n.Str():
            return None
        case n.Int():
            return Type("bigint")
        case n.Decimal():
            return Type("numeric", (1000, 500))
        case n.Bool():
            return _BOOLEAN
        case n.Now():
            return Type("timestamptz")
        case n.Duration():
            return Type("interval")
        case n.Parameter() | n.Column():
            raise AssertionError("an operand")
        case _:
            assert_never(value)


def _unbounded(type_: Type) -> Type:
    if type_.base == "vector":
        return type_
    return _UNBOUNDED.get(type_.base, type_._replace(params=()))._replace(dims=type_.dims)
