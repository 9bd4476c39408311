"""Uses inside SQL: parameters, tables, the columns that certainly belong to one table, labels that are compared with a
column of their enum, enum types that are cast to."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from atl.postgres import scan
from atl.schema.index import Scope
from atl.schema.naming import SCHEMA
from atl.schema.symbols import EntitySymbol, EnumSymbol, Type
from atl.schema.targets import Target, Use
from atl.syntax import nodes as n

__all__ = ["columns_of", "entity_of_table", "label_uses", "sql_uses", "type_uses"]


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


def _tokens(sql: str) -> list[tuple[scan.Token, str]]:
    found = [token for token in scan.tokens(sql) if token.kind not in ("comment", "line comment")]
    return [(token, sql[token.start : token.end].lower()) for token in found]


# What may stand around `column = 'label'` so that nothing else takes one of the two: words, and these signs.
_BEFORE = frozenset("(,")
_BEHIND = frozenset("),;:")


def label_uses(sql: str, enums: Mapping[int, str], scope: Scope) -> Iterator[Use]:
    """Constants that are compared with, or set to, a column of an enum: `c = 'label'`, `c in ('label', ...)`.

    enums: the enum's id by where a column's name starts. Spans are relative to `sql`.
    """
    if not enums or "'" not in sql:
        return
    tokens = _tokens(sql)
    size = len(tokens)

    def text(at: int) -> str:
        return tokens[at][1] if 0 <= at < size else ""

    def edge(at: int, signs: frozenset[str]) -> bool:
        return not 0 <= at < size or tokens[at][0].kind in ("word", "quoted") or text(at) in signs

    def operator(at: int, step: int) -> int:
        """Where `=`, `<>` or `!=` at `at` leads in that direction; -1 when it is none of them."""
        pair = text(at) + text(at + 1) if step > 0 else text(at - 1) + text(at)
        if pair in ("<>", "!="):
            return at + 2 * step
        beyond = text(at + step)
        return at + step if text(at) == "=" and beyond not in ("<", ">", "!", "=") else -1

    def label(at: int, enum: EnumSymbol) -> Iterator[Use]:
        if 0 <= at < size and tokens[at][0].kind == "string" and text(at)[0] == "'":
            token = tokens[at][0]
            value = sql[token.start + 1 : token.end - 1].replace("''", "'")
            if not token.open and value in enum.labels:
                yield Use(Target("label", f"{enum.namespace}.{enum.name}", value), token.start, token.end, "literal")

    for at, (token, _) in enumerate(tokens):
        id = enums.get(token.start)
        enum = scope.enum(id) if id is not None else None
        if enum is None:
            continue
        first = at
        while text(first - 1) == "." and first > 1:
            first -= 2
        behind = at + 1
        if edge(first - 1, _BEFORE):
            right = operator(behind, 1)
            if right >= 0 and edge(right + 1, _BEHIND):
                yield from label(right, enum)
            listed = behind + 1 if text(behind) == "not" else behind
            if text(listed) == "in" and text(listed + 1) == "(":
                each = listed + 2
                while each < size and tokens[each][0].kind == "string":
                    yield from label(each, enum)
                    each += 2 if text(each + 1) == "," else size
        if edge(behind, _BEHIND):
            left = operator(first - 1, -1)
            if left >= 0 and edge(left - 1, _BEFORE):
                yield from label(left, enum)


def type_uses(sql: str, scope: Scope) -> Iterator[Use]:
    """Enum types that something is cast to: `x::name`, `x::atlantis.name`, `cast(x as atlantis.name)`."""
    if "::" not in sql and "cast" not in sql.lower():
        return
    tokens = _tokens(sql)
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
