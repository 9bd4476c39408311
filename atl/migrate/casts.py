"""How a column's values are carried over when its type changes."""

from __future__ import annotations

from atl.diff.model import Class
from atl.diff.types import type_change
from atl.migrate.sqltext import quote
from atl.schema.types import Type

__all__ = ["TEXT", "cut_check", "reverse_using", "using"]

TEXT = frozenset({"text", "varchar", "char", "citext", "name"})
_DAYS = frozenset({"time", "timetz", "date", "timestamp"})


def using(column: str, old: Type, new: Type, sql_type: str) -> str:
    """The `USING` clause of `ALTER COLUMN ... TYPE sql_type`, or "" where the assignment cast does it. It never cuts:
    into `varchar(n)` and the like values go by way of text, which PostgreSQL assigns only when it fits."""
    name = quote(column)
    if not old.base and not new.base:
        return f"USING {name}::text::{sql_type}"
    if not old.base or (not new.base and old.base in TEXT):
        return f"USING {name}::text" if new.base in TEXT else f"USING {name}::text::{sql_type}"
    if (old.base, new.base) == ("bit", "varbit"):
        return ""
    if old.base in TEXT and new.base in ("bit", "varbit"):
        return f"USING {name}::varbit" + "[]" * new.dims
    if old.dims == 0 and (zoned := _zoned(name, old.base, new.base)):
        return f"USING {zoned}"
    if new.base in ("varchar", "char") and old.base not in TEXT:
        return f"USING {name}::text" + "[]" * new.dims
    if new.base == "name":
        return f"USING {name}::{sql_type}"
    if type_change(old, new).kind == "changed" and not (old.base in TEXT and new.base in TEXT):
        return f"USING {name}::{sql_type}"
    return ""


def _zoned(name: str, old: str, new: str) -> str:
    """A moment read as UTC, whatever the session says."""
    if old == "timestamptz" and new in _DAYS - {"timetz"}:
        moment = f"{name} AT TIME ZONE 'UTC'"
        return moment if new == "timestamp" else f"({moment})::{new}"
    if old == "timestamp" and new == "timestamptz":
        return f"{name} AT TIME ZONE 'UTC'"
    if old == "date" and new == "timestamptz":
        return f"{name}::timestamp AT TIME ZONE 'UTC'"
    return ""


def reverse_using(column: str, old: Type, new: Type, sql_type: str) -> tuple[str | None, str]:
    """The clause of the way back from `new` to `old`, which is `sql_type`; or None, and why there is no way."""
    back = type_change(new, old)
    if back.manual:
        return None, back.reason
    if Class.DESTRUCTIVE in (back.cls, type_change(old, new).cls):
        return None, "what the cast drops does not come back"
    return using(column, new, old, sql_type), ""


def cut_check(column: str, old: Type, new: Type) -> str:
    """A condition that is true of a row whose value the cast would cut or round without a word; "" where none can be.
    `length` counts trailing blanks, which an assignment would cut."""
    item = '"item"' if new.dims else f"{quote(column)}::text"
    if old.base in TEXT and new.base == "numeric":
        condition = rf"{item} ~ '\.[0-9]{{{new.params[1]}}}[0-9]*[1-9][0-9]*[[:space:]]*$'"
    elif new.base == "varchar" and new.params and old.base != "char":
        if old.base == "varchar" and old.params and old.params[0] <= new.params[0]:
            return ""
        condition = f"length({item}) > {new.params[0]}"
    else:
        return ""
    return (
        f'EXISTS (SELECT FROM unnest({quote(column)}::text[]) AS "item" WHERE {condition})' if new.dims else condition
    )
