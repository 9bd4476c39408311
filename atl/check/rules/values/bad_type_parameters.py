"""A type has parameters that it does not take, or lacks those that it needs.

## Why

`varchar`, `char`, `bit` and `varbit` take a length from 1 to 10485760 and can do without. `numeric` needs both its
precision, 1 to 1000, and its scale, 0 to 1000; `vector` needs its dimensions, 1 to 16000. No other type takes any.

## Example

```atl
entity Sample in lab {
  id     bigint primary
  weight numeric(8)
}
```

## Fix

Give the type the parameters that it takes.

```atl
entity Sample in lab {
  id     bigint primary
  weight numeric(8, 3)
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.wording import shown
from atl.findings import Finding
from atl.schema.types import BUILTINS, Builtin, parameter_form, parameters_fit, type_of
from atl.syntax import nodes as n

# What the parameters of a type are called.
_WORDS = {"numeric": ("precision", "scale"), "vector": ("number of dimensions",)}
_LENGTH = ("length",)


def check(ref: n.TypeRef, ctx: Context) -> Iterator[Finding]:
    if ref.postfix:
        return
    name = ref.name.text
    row = BUILTINS.get(name) if ref.namespace is None else None
    if row is None:
        if ref.params is not None and ctx.scope.enum(type_of(ref, ctx.scope.namespace).enum) is not None:
            yield _takes_none(ref, ctx)
    elif ref.dims > 1 or (ref.dims and not row.element):
        return
    elif ref.params is None:
        if row.implied is None:
            form = parameter_form(row)
            yield ctx.finding("ATL201", ref, f"`{name}` needs its {_needed(row)}", help=f"write `{form}`")
    elif not row.bounds:
        yield _takes_none(ref, ctx)
    elif len(ref.params) != len(row.bounds):
        message = f"`{name}` takes its {_needed(row)}, but {_count(len(ref.params))} here"
        yield ctx.finding("ATL201", ref, message, help=f"write `{parameter_form(row)}`")
    else:
        values = [param.value if type(param) is n.Int else None for param in ref.params]
        if not parameters_fit(row, values):
            yield from _out_of_bounds(row, ref.params, ctx)


def _takes_none(ref: n.TypeRef, ctx: Context) -> Finding:
    name = f"{ref.namespace.text}.{ref.name.text}" if ref.namespace else ref.name.text
    sized = ref.name.text in ("text", "citext") and ref.params is not None and len(ref.params) == 1
    instead = ", or `varchar(n)` for a bounded length" if sized else ""
    return ctx.finding("ATL201", ref, f"`{name}` takes no parameters", help=f"write `{name}`{instead}")


def _out_of_bounds(row: Builtin, params: list[n.Int | n.Str | n.Name | n.Decimal], ctx: Context) -> Iterator[Finding]:
    for param, (least, most), word in zip(params, row.bounds, _words(row), strict=True):
        if type(param) is n.Int and least <= param.value <= most:
            continue
        kind = f"no {word} of `{row.name}`" if type(param) is n.Int else "no whole number"
        advice = f"the {word} of `{row.name}` goes from {least} to {most}"
        yield ctx.finding("ATL201", param, f"{shown(ctx, param)} is {kind}", help=advice)


def _words(row: Builtin) -> tuple[str, ...]:
    return _WORDS.get(row.name, _LENGTH)


def _needed(row: Builtin) -> str:
    return " and ".join(_words(row))


def _count(given: int) -> str:
    return {0: "there is nothing", 1: "there is one number"}.get(given, f"there are {given} numbers")
