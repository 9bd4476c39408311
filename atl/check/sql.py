"""SQL blocks under check: one reading of each, shared by the rules, and the entities that its tables mean."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from atl.check.context import Context
from atl.check.mending import Change, skip_blanks
from atl.records import NamedTuple
from atl.schema.index import Found
from atl.schema.symbols import EntitySymbol
from atl.source import Place
from atl.syntax import nodes as n

if TYPE_CHECKING:
    from atl.postgres.statement import ColumnProblem, Parsed, Table

__all__ = [
    "Block",
    "NamedTable",
    "add_touches",
    "block",
    "columns_of",
    "identity",
    "place_in",
    "quoted",
    "spelling",
    "touched",
    "unknown_columns",
]


class NamedTable(NamedTuple):
    """A table in SQL, with the entities that it may mean: none, one, or several."""

    table: Table
    entities: list[Found]


class Block(NamedTuple):
    """A block as read. tables: () when the block was not understood."""

    parsed: Parsed
    tables: tuple[NamedTable, ...]

    @property
    def clear(self) -> bool:
        """Whether the whole block was understood, and every table in it is a single entity."""
        return self.parsed.tree is not None and all(len(named.entities) == 1 for named in self.tables)


def block(sql: n.Sql, ctx: Context) -> Block:
    """The reading of an `sql` block."""
    key = (block, sql)
    found: Block | None = ctx.memo.get(key)
    if found is None:
        from atl.postgres.statement import parse

        parsed = parse(sql.sql.text)
        tables = tuple(NamedTable(table, ctx.scope.tables(table.schema, table.name)) for table in parsed.tables)
        found = ctx.memo[key] = Block(parsed, tables)
    return found


def place_in(sql: n.Sql, ctx: Context, start: int, end: int) -> Place:
    """The place of a span of a block's SQL."""
    return ctx.at(sql.sql.start + start, sql.sql.start + end)


def columns_of(ctx: Context, schema: str | None, name: str) -> Collection[str] | None:
    """The columns of the table that SQL calls `[schema.]name`; None when they are not known for certain."""
    found = ctx.scope.tables(schema, name)
    symbol = found[0].symbol if len(found) == 1 else None
    if type(symbol) is not EntitySymbol or symbol.lost:
        return None
    return list(dict.fromkeys(field.name for field in symbol.fields))


def unknown_columns(sql: n.Sql, ctx: Context) -> list[ColumnProblem]:
    """The columns of a block that certainly do not exist."""
    key = (unknown_columns, sql)
    found: list[ColumnProblem] | None = ctx.memo.get(key)
    if found is None:
        from atl.postgres import statement

        parsed = block(sql, ctx).parsed
        found = statement.unknown_columns(parsed, lambda schema, name: columns_of(ctx, schema, name))
        ctx.memo[key] = found
    return found


def touched(sql: n.Sql, ctx: Context) -> list[tuple[n.Ref, EntitySymbol | None]]:
    """What `touches` names, in its order; None where the name is unknown or ambiguous."""
    return [
        (ref, ctx.scope.entity(None if ref.namespace is None else ref.namespace.text, ref.name.text))
        for ref in sql.touches
    ]


def identity(entity: EntitySymbol) -> str:
    """The entity's id, `namespace.Name`."""
    return f"{entity.namespace}.{entity.name}"


def spelling(entity: EntitySymbol, ctx: Context) -> str:
    """The shortest name that means the entity where the declaration stands."""
    here = ctx.scope.entity(None, entity.name)
    plain = here is not None and here.namespace == entity.namespace
    return entity.name if plain else identity(entity)


def add_touches(sql: n.Sql, ctx: Context, names: list[str]) -> Change | None:
    """The edit that puts entities at the end of `touches`; None where its brackets cannot be made out."""
    text = ctx.unit.chunk.text
    listed = ", ".join(names)
    if not sql.touches:
        bracket = skip_blanks(text, sql.word.end)
        return (ctx.insertion(bracket + 1), listed) if text[bracket : bracket + 1] == "(" else None
    end = sql.touches[-1].end
    comma = skip_blanks(text, end)
    if text[comma : comma + 1] == ",":
        return ctx.insertion(comma + 1), f" {listed}"
    return ctx.insertion(end), f", {listed}"


def quoted(name: str) -> str:
    """A column's name as SQL reads it: in quotes where it would mean something else without."""
    from atl.postgres.scan import quote_identifier
    from atl.postgres.statement import parse, selected

    returned = selected(parse(f"SELECT 1 AS {name}, t.x FROM {name} t ORDER BY {name}"), lambda schema, table: None)
    plain = returned is not None and returned[0].name == name
    return name if plain else quote_identifier(name)
