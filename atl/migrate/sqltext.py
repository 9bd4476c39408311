"""Small pieces of SQL text."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from atl.postgres.expression import expression
from atl.postgres.scan import quote_identifier as quote
from atl.postgres.scan import quote_literal
from atl.schema import model as m

__all__ = ["columns_of", "default_sql", "name_list", "qualified", "quote", "quote_literal"]


@lru_cache(maxsize=1 << 14)
def columns_of(sql: str) -> tuple[str, ...]:
    """The names of the columns that an expression reads, sorted."""
    return tuple(sorted({column.name for column in expression(sql).columns}))


def qualified(schema: str, name: str) -> str:
    return f"{quote(schema)}.{quote(name)}"


def name_list(names: Iterable[str]) -> str:
    return ", ".join(map(quote, names))


def default_sql(f: m.Field, schema: m.Schema) -> str:
    """A field's default as SQL, "" without one. An enum's label is cast, so that it is read as PostgreSQL keeps it."""
    value = f.default
    if value is None:
        return ""
    match value.kind:
        case "string":
            text = quote_literal(value.text)
            enum = schema.enums.get(f.type.enum)
            return f"{text}::{qualified(*enum.type_name)}" if enum is not None else text
        case "now":
            return "now()"
        case "raw":
            return f"({value.text})"
        case _:
            return value.text
