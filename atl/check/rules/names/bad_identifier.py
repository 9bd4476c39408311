"""An identifier is not ASCII, or PostgreSQL cannot take it as the name of a column, table or check.

## Why

Identifiers are letters, digits and `_` of ASCII. What the author names in PostgreSQL (a column, the parts of a `table`
clause, a check) has at most 63 bytes: PostgreSQL cuts the rest off silently, so that two names can become one. And no
column can be called like one of PostgreSQL's system columns (`xmin`, `ctid`, ...).

## Example

```atl
entity Tile in floor {
  id    bigint primary
  größe int not null
}
```

## Fix

Use ASCII letters and a shorter name.

```atl
entity Tile in floor {
  id   bigint primary
  size int not null
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.declared import Named, declared
from atl.findings import Finding
from atl.schema.naming import MAX_BYTES, table_parts
from atl.syntax import nodes as n

# PostgreSQL's heap.c, SysAtt: no table may have a column of these names.
_SYSTEM_COLUMNS = frozenset(("ctid", "xmin", "cmin", "xmax", "cmax", "tableoid"))
_PHYSICAL = (Named.COLUMN, Named.CHECK)


def check(decl: n.Declaration, ctx: Context) -> Iterator[Finding]:
    for what, name in declared(ctx):
        text = name.text
        if not text.isascii():
            yield _not_ascii(ctx, name, f"the {what.value} `{text}`", "use letters, digits and `_` of ASCII")
        elif what in _PHYSICAL:
            if len(text) > MAX_BYTES:
                yield _too_long(ctx, name, f"the {what.value} `{_short(text)}`", text)
            elif what is Named.COLUMN and text in _SYSTEM_COLUMNS:
                yield ctx.finding(
                    "ATL109",
                    name,
                    f"`{text}` is a system column that every table of PostgreSQL has",
                    help="choose another name",
                )
    match decl:
        case n.EntityDecl():
            for member in decl.members:
                if type(member) is n.TableClause:
                    long = [p for p in table_parts(member.table.value) or () if len(p) > MAX_BYTES]
                    if long:
                        yield _too_long(ctx, member.table, f"the table's part `{_short(long[0])}`", long[0])
        case n.EnumDecl():
            for label in decl.labels:
                if not label.quoted and not label.text.isascii():
                    yield _not_ascii(ctx, label, f"the label `{label.text}`", f'write it as a string: `"{label.text}"`')
        case _:
            pass


def _not_ascii(ctx: Context, node: n.Node, what: str, help: str) -> Finding:
    return ctx.finding("ATL109", node, f"{what} is not ASCII", help=help)


def _too_long(ctx: Context, node: n.Node, what: str, text: str) -> Finding:
    return ctx.finding(
        "ATL109",
        node,
        f"{what} has {len(text)} bytes, and PostgreSQL keeps {MAX_BYTES} of a name",
        help=f"shorten it to at most {MAX_BYTES} bytes",
    )


def _short(text: str) -> str:
    return text[:24] + "..."
