"""A type is named that does not exist.

## Why

The types are those of PostgreSQL under one spelling each, arrays written `[]T`, and the enums of the workspace. An enum
without its namespace is looked up in the declaration's own namespace alone.

## Example

```atl
entity Sack in mill {
  id    bigint primary
  label string
}
```

## Fix

Write the type as it is spelled here.

```atl
entity Sack in mill {
  id    bigint primary
  label text
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.findings import Finding, Fix
from atl.findings.suggest import closest
from atl.schema.types import BUILTINS, foreign_spelling, parameter_form
from atl.syntax import nodes as n

# What a suggestion ends in when it lacks numbers that only the author knows.
_FORMS = ("(n)", "(p, s)")


def check(ref: n.TypeRef, ctx: Context) -> Iterator[Finding]:
    name, bare = ref.name.text, ref.namespace is None
    if bare and name in BUILTINS:
        if ref.postfix:
            yield _postfix(ref, ctx)
        return
    namespace = ctx.scope.namespace if ref.namespace is None else ref.namespace.text
    if namespace and ctx.scope.enum(f"{namespace}.{name}") is not None:
        if ref.postfix:
            yield _postfix(ref, ctx)
        return
    foreign = foreign_spelling(name) if bare else None
    if (not namespace and foreign is None) or ctx.scope.may_be_broken(name):
        # Where the owner is unknown there may be an enum of that name in its namespace.
        return
    suggestion = foreign or _suggestion(ref, namespace, ctx)
    start, end = (ref.namespace or ref.name).start, ref.name.end
    fixes: list[Fix] = []
    if suggestion is None:
        help = _kind_hint(ref, ctx) or "use a builtin type, or declare an enum of that name"
    else:
        text = _with_params(ref, suggestion)
        help = f"`{name}` is written `{text}` here" if foreign else f"did you mean `{text}`?"
        if not text.endswith(_FORMS):
            text = "[]" + text if ref.postfix else text
            fixes.append(ctx.fix(f"change to `{text}`", (ctx.at(start, ref.end), text), safe=False))
    message = f"there is no type `{_written(ref)}`"
    yield ctx.finding("ATL107", ctx.at(start, end), message, primary="unknown type", help=help, fixes=fixes)


def _postfix(ref: n.TypeRef, ctx: Context) -> Finding:
    start = (ref.namespace or ref.name).start
    text = "[]" + ctx.source(start, ref.end).partition("[")[0].rstrip()
    return ctx.finding(
        "ATL107",
        ref,
        f"an array of `{_written(ref)}` is written with its brackets first",
        help=f"write `{text}`",
        fixes=[ctx.fix(f"change to `{text}`", (ctx.at(start, ref.end), text), safe=False)],
    )


def _written(ref: n.TypeRef) -> str:
    return ref.name.text if ref.namespace is None else f"{ref.namespace.text}.{ref.name.text}"


def _suggestion(ref: n.TypeRef, namespace: str, ctx: Context) -> str | None:
    name, enums = ref.name.text, ctx.scope.names("enum")
    own = [enum for home, enum in enums if home == namespace]
    if ref.namespace is not None:
        near = closest(name, own)
        if near is not None:
            return f"{namespace}.{near}"
        if name in BUILTINS:
            return name
    homes = [home for home, enum in enums if enum == name]
    if homes:
        return f"{homes[0]}.{name}"
    if ref.namespace is not None:
        return closest(f"{namespace}.{name}", (f"{home}.{enum}" for home, enum in enums))
    near = closest(name, [*BUILTINS, *own])
    if near is not None:
        row = BUILTINS.get(near)
        return parameter_form(row) if row is not None and row.implied is None else near
    abroad = closest(name, (enum for _, enum in enums))
    return next((f"{home}.{enum}" for home, enum in enums if enum == abroad), None)


def _with_params(ref: n.TypeRef, suggestion: str) -> str:
    """The suggestion with the parameters that were written, where it takes as many."""
    if ref.params is None:
        return suggestion
    base = suggestion.partition("(")[0]
    if base == "text" and len(ref.params) == 1:
        base = "varchar"
    row = BUILTINS.get(base)
    numbers = [str(param.value) for param in ref.params if type(param) is n.Int]
    if row is not None and len(row.bounds) == len(ref.params) == len(numbers):
        return f"{base}({', '.join(numbers)})"
    return suggestion


def _kind_hint(ref: n.TypeRef, ctx: Context) -> str:
    namespace = None if ref.namespace is None else ref.namespace.text
    if ctx.scope.entity_candidates(namespace, ref.name.text):
        return f"`{_written(ref)}` is an entity: use the type of its key, and `references` on a field"
    return ""
