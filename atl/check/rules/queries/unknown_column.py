"""SQL or a typed step names a column that does not exist, or SQL one that several tables have.

## Why

The database would refuse the statement at its first call. In SQL this is reported where it is certain: when every
table, alias, `WITH` query and function that the name could belong to is known.

## Example

```atl
entity Song in tunes {
  id    bigint primary
  title text not null
}

query Titled for Song {
  input { title: text }
  output { id: bigint }
  sql touches(Song) { SELECT id FROM tunes.song WHERE titel = $title }
}
```

## Fix

Name the column that is meant, behind its table where several have one. Unquoted names in SQL are read in lower case; a
field with upper-case letters is written in double quotes there.

```atl
entity Song in tunes {
  id    bigint primary
  title text not null
}

query Titled for Song {
  input { title: text }
  output { id: bigint }
  sql touches(Song) { SELECT id FROM tunes.song WHERE title = $title }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from atl.check.context import Context
from atl.check.sql import columns_of, identity, place_in, quoted, unknown_columns
from atl.check.values import entity_of
from atl.findings import Finding
from atl.findings.suggest import closest
from atl.schema.symbols import EntitySymbol
from atl.source import Place
from atl.syntax import nodes as n

if TYPE_CHECKING:
    from atl.postgres.statement import ColumnProblem

# Of the tables whose column an ambiguous name may be, so many are offered.
_MOST = 3


def check(node: n.Sql | n.Update | n.Delete | n.Insert, ctx: Context) -> Iterator[Finding]:
    if isinstance(node, n.Sql):
        yield from _in_sql(node, ctx)
        return
    found = entity_of(node.entity, ctx)
    if found is None or not isinstance(found.symbol, EntitySymbol) or found.symbol.lost:
        return
    entity = found.symbol
    for name in _written(node):
        if entity.field(name.text) is None:
            yield _unknown(ctx, name, entity, found.place)
    for name in _read(node):
        if isinstance(node, n.Insert):
            yield ctx.finding(
                "ATL612",
                name,
                f"an insert has no row to read `{name.text}` from",
                help=f'give a literal or a `$` parameter, or write a text as `"{name.text}"`',
            )
        elif entity.field(name.text) is None:
            yield _unknown(ctx, name, entity, found.place)


def _written(node: n.Update | n.Delete | n.Insert) -> Iterator[n.Name]:
    if not isinstance(node, n.Delete):
        for item in node.sets:
            yield item.field


def _read(node: n.Update | n.Delete | n.Insert) -> Iterator[n.Name]:
    values: list[n.Value | None] = []
    if not isinstance(node, n.Delete):
        values += [item.value for item in node.sets]
    if not isinstance(node, n.Insert):
        for term in node.where.terms:
            values += [term.left, term.right]
    for value in values:
        if isinstance(value, n.Column):
            yield value.name


def _unknown(ctx: Context, name: n.Name, entity: EntitySymbol, declared: Place) -> Finding:
    near = closest(name.text, (field.name for field in entity.fields))
    return ctx.finding(
        "ATL612",
        name,
        f"`{identity(entity)}` has no column `{name.text}`",
        primary="unknown column",
        labels=[(declared, "its fields are declared here")],
        help=f"did you mean `{near}`?" if near is not None else "correct the name, or declare the field",
        fixes=[] if near is None else [ctx.fix(f"change to `{near}`", (name, near), safe=False)],
    )


def _in_sql(sql: n.Sql, ctx: Context) -> Iterator[Finding]:
    for problem in unknown_columns(sql, ctx):
        where = place_in(sql, ctx, problem.start, problem.end)
        if problem.ambiguous:
            yield _ambiguous(problem, where, ctx)
            continue
        near = closest(problem.name, problem.candidates)
        written = None if near is None else quoted(near)
        if problem.relation:
            message = f"no table or alias in scope is called `{problem.name}`"
        elif len(problem.tables) == 1:
            message = f"{_table(ctx, *problem.tables[0])} has no column `{problem.name}`"
        else:
            message = f"there is no column `{problem.name}` in scope"
        yield ctx.finding(
            "ATL612",
            where,
            message,
            primary="unknown alias" if problem.relation else "unknown column",
            help=f"did you mean `{written}`?" if written is not None else "correct the name",
            fixes=[] if written is None else [ctx.fix(f"change to `{written}`", (where, written), safe=False)],
        )


def _ambiguous(problem: ColumnProblem, where: Place, ctx: Context) -> Finding:
    written = [f"{quoted(name)}.{quoted(problem.name)}" for name in problem.candidates[:_MOST]]
    return ctx.finding(
        "ATL612",
        where,
        f"several columns in scope are called `{problem.name}`",
        primary="ambiguous column",
        help=f"write {' or '.join(f'`{text}`' for text in written)}"
        if written
        else "give each of them a name of its own",
        fixes=[ctx.fix(f"change to `{text}`", (where, text), safe=False) for text in written],
    )


def _table(ctx: Context, schema: str | None, name: str) -> str:
    found = ctx.scope.tables(schema, name)
    symbol = found[0].symbol if len(found) == 1 else None
    if isinstance(symbol, EntitySymbol) and columns_of(ctx, schema, name) is not None:
        return f"`{identity(symbol)}`"
    return f"`{name if schema is None else f'{schema}.{name}'}`"
