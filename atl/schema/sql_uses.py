"""Uses inside an SQL block: parameters, tables, and the columns that certainly belong to one table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from atl.postgres import scan, statement
from atl.schema.index import Scope
from atl.schema.symbols import EntitySymbol, Type
from atl.schema.targets import Target, Use
from atl.syntax import nodes as n

__all__ = ["entity_of_table", "sql_uses"]


def entity_of_table(scope: Scope, schema: str | None, name: str) -> EntitySymbol | None:
    """The one entity that SQL means by a table's name; None when there is none or several."""
    found = scope.tables(schema, name)
    symbol = found[0].symbol if len(found) == 1 else None
    return symbol if isinstance(symbol, EntitySymbol) else None


def sql_uses(id: str, sql: n.RawSql, values: Mapping[str, Type], scope: Scope) -> Iterator[Use]:
    """The uses in a block of declaration `id`; `values`: its inputs."""
    base = sql.start
    for parameter in scan.parameters(sql.text):
        if parameter.name in values:
            yield Use(
                Target("input", id, parameter.name), base + parameter.start + 1, base + parameter.end, "parameter"
            )
    parsed = statement.parse(sql.text)
    if parsed.error is not None:
        return

    def columns(schema: str | None, name: str) -> Collection[str] | None:
        entity = entity_of_table(scope, schema, name)
        return None if entity is None or entity.lost else [f.name for f in entity.fields]

    for table in parsed.tables:
        entity = entity_of_table(scope, table.schema, table.name)
        if entity is not None:
            yield Use(
                Target("entity", f"{entity.namespace}.{entity.name}"), base + table.start, base + table.end, "table"
            )
    for column in statement.column_uses(parsed, columns):
        entity = entity_of_table(scope, *column.table)
        if entity is not None and entity.field(column.name) is not None:
            target = Target("field", f"{entity.namespace}.{entity.name}", column.name)
            yield Use(target, base + column.start, base + column.end, "column")
