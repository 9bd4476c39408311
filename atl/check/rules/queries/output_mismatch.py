"""The columns that a query's SQL returns are not those of its output.

## Why

The output is what callers are generated from: each of its names is filled from the column of that name. A column too
few, too many, or of another name leaves one of them empty, and the server refuses the query.

## Example

```atl
entity Song in tunes {
  id    bigint primary
  title text not null
}

query Names for Song {
  input { }
  output { id: bigint, name: text }
  sql touches(Song) { SELECT id, title FROM tunes.song }
}
```

## Fix

Name the column with `AS`, or correct the output. `output as Entity` takes every column of the entity.

```atl
entity Song in tunes {
  id    bigint primary
  title text not null
}

query Names for Song {
  input { }
  output { id: bigint, name: text }
  sql touches(Song) { SELECT id, title AS name FROM tunes.song }
}
```
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator

from atl.check.context import Context
from atl.check.sql import block, columns_of, place_in, quoted, unknown_columns
from atl.check.wording import listed
from atl.findings import Finding
from atl.source import Place
from atl.syntax import nodes as n


def check(query: n.QueryDecl, ctx: Context) -> Iterator[Finding]:
    if query.lost:
        return
    output = next((part for part in query.parts if isinstance(part, n.Output)), None)
    sql = next((part for part in query.parts if isinstance(part, n.Sql)), None)
    if output is None or sql is None:
        return
    read = block(sql, ctx)
    declared = _declared(output, ctx)
    if declared is None or read.parsed.forbidden or not read.clear or unknown_columns(sql, ctx):
        return
    from atl.postgres.statement import selected, selected_names

    def columns(schema: str | None, name: str) -> Collection[str] | None:
        return columns_of(ctx, schema, name)

    names = selected_names(read.parsed, columns)
    if names is None or names == declared:
        return
    lacking = list((Counter(declared) - Counter(name for name in names if name is not None)).elements())
    extra = list((Counter(names) - Counter(declared)).elements())
    if not lacking and not extra:
        return
    labels: list[tuple[Place, str]] = []
    for column in selected(read.parsed, columns) or ():
        if column.name in extra and column.end > column.start:
            labels.append((place_in(sql, ctx, column.start, column.end), _called(column.name)))
            break
    yield ctx.finding(
        "ATL615",
        ctx.at(output.start, output.start + len("output")),
        _message(len(names), len(declared), lacking),
        labels=labels,
        help=_help(names, lacking, extra),
    )


def _declared(output: n.Output, ctx: Context) -> list[str] | None:
    """The names that the output promises."""
    if output.entity is None:
        return None if output.params is None else [param.name.text for param in output.params]
    ref = output.entity
    entity = ctx.scope.entity(None if ref.namespace is None else ref.namespace.text, ref.name.text)
    return None if entity is None or entity.lost else [field.name for field in entity.fields]


def _called(name: str | None) -> str:
    return "a column without a name" if name is None else f"a column named `{name}`"


def _message(selected: int, declared: int, lacking: list[str]) -> str:
    if selected != declared:
        columns = "1 column" if selected == 1 else f"{selected} columns"
        return f"the SQL returns {columns}, but the output declares {declared}"
    return f"the SQL returns no column {listed(lacking)}, which the output declares"


def _help(names: list[str | None], lacking: list[str], extra: list[str | None]) -> str:
    if not lacking:
        return f"declare {listed([name for name in extra if name is not None] or ['...'])} too, or do not select it"
    if extra:
        return f"name it with `AS {quoted(lacking[0])}`, or correct the output"
    return f"select {listed(lacking)} too, or drop it from the output"
