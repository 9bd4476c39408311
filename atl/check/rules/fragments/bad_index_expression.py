"""An index expression is not one expression that the row alone decides.

## Why

An index keeps the expression's value, so it must never change while the row stays. PostgreSQL refuses subqueries,
aggregates, unknown columns, and functions, operators and casts that are not immutable.

## Example

```atl
entity Loan in credit {
  id  bigint primary
  due timestamptz not null
  index by expr "due::date"
}
```

## Fix

What depends on a setting is made independent of it, here by naming the time zone.

```atl
entity Loan in credit {
  id  bigint primary
  due timestamptz not null
  index by expr "(due at time zone 'UTC')::date"
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from atl.check.context import Context
from atl.findings import Finding
from atl.syntax import nodes as n

if TYPE_CHECKING:
    from atl.check.fragments import Fragment

# What btree has no operators for.
_UNORDERED = frozenset({"json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"})


def check(index: n.Index, ctx: Context) -> Iterator[Finding]:
    for column in index.columns:
        if column.expr is not None:
            from atl.check.fragments import in_string, problems

            fragment = in_string("ATL703", "index expression", column.expr, ctx)._replace(immutable=True)
            found = list(problems(fragment, ctx))
            yield from found
            if not found:
                yield from _not_indexable(fragment, ctx)


def _not_indexable(fragment: Fragment, ctx: Context) -> Iterator[Finding]:
    from atl.check.fragments import reading

    match reading(fragment, ctx).type:
        case "record":
            message, help_ = "an index expression is one value, not a row of several", "index by each of them"
        case "unknown":
            message, help_ = "the index expression is a literal without a type", "name a column in it"
        case type_ if type_ in _UNORDERED:
            message, help_ = f"the index expression is of type `{type_}`, which has no order", "cast it to `text`"
        case _:
            return
    yield ctx.finding("ATL703", fragment.whole, message, help=help_)
