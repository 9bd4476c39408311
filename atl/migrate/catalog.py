"""What PostgreSQL says of tables and types, as facts that can be compared, each in the server's own spelling."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from atl.migrate.database import rows

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["Fact", "Facts", "Name", "labels_of", "read_tables"]

Name: TypeAlias = "tuple[str, str]"
"""(schema, name)."""
Fact: TypeAlias = "tuple[str, str]"
"""(what, name): `column`, `default`, `check`, `unique`, `primary key`, `foreign key`, `unique index`, `index`,
`trigger`, `policy`, `row-level security`."""
Facts: TypeAlias = "dict[Fact, str]"

PARKED = re.compile(r"parked_[0-9a-f]+_")
"""How the name of a parked column begins."""

_CONSTRAINTS = {"c": "check", "u": "unique", "p": "primary key", "f": "foreign key"}
_WANTED = "SELECT * FROM unnest(%s::text[], %s::text[]) AS wanted (schema, name)"
_TABLES = (
    f"WITH wanted AS ({_WANTED}) SELECT c.oid, wanted.schema, wanted.name, c.relrowsecurity, c.relforcerowsecurity"
    " FROM wanted JOIN pg_namespace n ON n.nspname = wanted.schema"
    " JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = wanted.name AND c.relkind IN ('r', 'p')"
)
_COLUMNS = """SELECT a.attrelid, a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity,
 pg_get_expr(d.adbin, d.adrelid) FROM pg_attribute a LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid
 AND d.adnum = a.attnum WHERE a.attrelid = ANY(%s) AND a.attnum > 0 AND NOT a.attisdropped"""
_CONSTRAINT_ROWS = """SELECT conrelid, conname, contype::text, pg_get_constraintdef(oid) FROM pg_constraint
 WHERE conrelid = ANY(%s) AND contype IN ('c', 'u', 'p', 'f')"""
_INDEXES = """SELECT i.indrelid, c.relname, i.indisunique, i.indisvalid, pg_get_indexdef(i.indexrelid)
 FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = ANY(%s)
 AND NOT EXISTS (SELECT 1 FROM pg_constraint k WHERE k.conindid = i.indexrelid AND k.contype IN ('u', 'p', 'x'))"""
_TRIGGERS = """SELECT tgrelid, tgname, pg_get_triggerdef(oid) FROM pg_trigger
 WHERE tgrelid = ANY(%s) AND NOT tgisinternal AND tgname NOT LIKE 'ts_%%'"""
_POLICIES = """SELECT polrelid, polname, polpermissive, polcmd::text, pg_get_expr(polqual, polrelid),
 pg_get_expr(polwithcheck, polrelid) FROM pg_policy WHERE polrelid = ANY(%s)"""


def read_tables(connection: Connection[Any], tables: Iterable[Name], full: bool = True) -> dict[Name, Facts]:
    """The facts of those tables that there are. full: all of them; else columns, types, checks, unique indexes. The
    caller has made `search_path` empty, so that every name of ours is qualified."""
    wanted = sorted(set(tables))
    found = rows(connection, _TABLES, [schema for schema, _ in wanted], [name for _, name in wanted])
    names: dict[int, Name] = {oid: (schema, name) for oid, schema, name, *_ in found}
    facts: dict[Name, Facts] = {name: {} for name in names.values()}
    oids = list(names)
    for oid, name, kind, not_null, identity, default in rows(connection, _COLUMNS, oids):
        own = facts[names[oid]]
        if PARKED.match(name):
            continue
        own["column", name] = f"{kind} not null" if not_null else kind
        if full:
            own["default", name] = (
                "identity" if identity else "serial" if (default or "").startswith("nextval(") else default or ""
            )
    for oid, name, kind, definition in rows(connection, _CONSTRAINT_ROWS, oids):
        if full or kind != "f":
            facts[names[oid]][_CONSTRAINTS[kind], name] = definition
    for oid, name, unique, valid, definition in rows(connection, _INDEXES, oids):
        if full or unique:
            what = "unique index" if unique else "index"
            facts[names[oid]][what, name] = definition if valid else f"{definition} (a failed build)"
    if full:
        for _, schema, name, enabled, forced in found:
            if enabled or forced:
                facts[schema, name]["row-level security", ""] = "forced" if enabled and forced else "enabled"
        for oid, name, definition in rows(connection, _TRIGGERS, oids):
            facts[names[oid]]["trigger", name] = definition
        for oid, name, permissive, command, using, check in rows(connection, _POLICIES, oids):
            kind = "permissive" if permissive else "restrictive"
            facts[names[oid]]["policy", name] = f"{kind} {command} using {using} with check {check}"
    return facts


def labels_of(connection: Connection[Any], enums: Iterable[Name]) -> Mapping[Name, tuple[str, ...]]:
    """The labels of those enums that there are, sorted: their order is no difference."""
    wanted = sorted(set(enums))
    found = rows(
        connection,
        f"WITH wanted AS ({_WANTED}) SELECT wanted.schema, wanted.name, array_agg(e.enumlabel::text)"
        " FROM wanted JOIN pg_namespace n ON n.nspname = wanted.schema"
        " JOIN pg_type t ON t.typnamespace = n.oid AND t.typname = wanted.name AND t.typtype = 'e'"
        " LEFT JOIN pg_enum e ON e.enumtypid = t.oid GROUP BY 1, 2",
        [schema for schema, _ in wanted],
        [name for _, name in wanted],
    )
    return {(schema, name): tuple(sorted(label for label in labels if label)) for schema, name, labels in found}
