"""Uses inside SQL: parameters, tables, the columns that certainly belong to one table, enum types that are cast to, and
labels (`label_uses`)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from atl.postgres import scan
from atl.schema.index import Scope
from atl.schema.label_uses import label_uses, significant
from atl.schema.naming import SCHEMA
from atl.schema.symbols import EntitySymbol, EnumSymbol, Type
from atl.schema.targets import Target, Use
from atl.syntax import nodes as n

__all__ = ["columns_of", "entity_of_table", "sql_uses", "type_uses"]


def entity_of_table(scope: Scope, schema: str | None, name: str) -> EntitySymbol | None:
    """The one entity that SQL means by a table's name; None when there is none or several."""
    found = scope.tables(schema, name)
    symbol = found[0].symbol if len(found) == 1 else None
    return symbol if isinstance(symbol, EntitySymbol) else None


def columns_of(scope: Scope) -> Callable[[str | None, str], Collection[str] | None]:
    """The columns of tables, as `postgres.statement` asks for them."""

    def columns(schema: str | None, name: str) -> Collection[str] | None:
        entity = entity_of_table(scope, schema, name)
        return None if entity is None or entity.lost else [f.name for f in entity.fields]

    return columns


def sql_uses(id: str, sql: n.RawSql, values: Mapping[str, Type], scope: Scope) -> Iterator[Use]:
    """The uses in a block of declaration `id`; `values`: its inputs."""
    from atl.postgres import statement

    base = sql.start
    for parameter in scan.parameters(sql.text):
        if parameter.name in values:
            yield Use(
                Target("input", id, parameter.name), base + parameter.start + 1, base + parameter.end, "parameter"
            )
    parsed = statement.parse(sql.text)
    if parsed.error is not None:
        return
    columns = columns_of(scope)
    for table in parsed.tables:
        entity = entity_of_table(scope, table.schema, table.name)
        if entity is not None:
            yield Use(_entity(entity), base + table.start, base + table.end, "table")
    for named in statement.qualifiers(parsed, columns):
        entity = entity_of_table(scope, *named.table)
        if entity is not None:
            yield Use(_entity(entity), base + named.start, base + named.end, "qualifier")
    enums: dict[int, str] = {}
    for column in statement.column_uses(parsed, columns):
        entity = entity_of_table(scope, *column.table)
        field = entity.field(column.name) if entity is not None else None
        if entity is not None and field is not None:
            yield Use(
                Target("field", _entity(entity).id, column.name), base + column.start, base + column.end, "column"
            )
            if field.type.enum:
                enums[column.start] = field.type.enum
    for use in (*label_uses(sql.text, enums, scope), *type_uses(sql.text, scope)):
        yield use._replace(start=base + use.start, end=base + use.end)


def _entity(entity: EntitySymbol) -> Target:
    return Target("entity", f"{entity.namespace}.{entity.name}")


def type_uses(sql: str, scope: Scope) -> Iterator[Use]:
    """Enum types that something is cast to: `x::name`, `x::atlantis.name`, `cast(x as atlantis.name)`."""
    if "::" not in sql and "cast" not in sql.lower():
        return
    tokens = significant(sql)
    for at in range(2, len(tokens)):
        colons = tokens[at - 1][1] == ":" and tokens[at - 2][1] == ":"
        token, text = tokens[at]
        if not (colons or tokens[at - 1][1] == "as") or token.kind not in ("word", "quoted"):
            continue
        qualified = at + 2 < len(tokens) and tokens[at + 1][1] == "."
        if not (colons or qualified):
            continue
        last, name = tokens[at + 2] if qualified else (token, text)
        schema = text.strip('"') if qualified else SCHEMA
        found = [each for each in scope.same_physical_name(schema, name.strip('"')) if type(each.symbol) is EnumSymbol]
        if len(found) == 1:
            enum = found[0].symbol
            yield Use(Target("enum", f"{enum.namespace}.{enum.name}"), last.start, last.end, "type")
