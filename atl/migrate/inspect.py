"""What a database has against what a schema says, both in PostgreSQL's own words.

What the schema says is built beside what is there, in PostgreSQL schemas of other names, in a transaction that is
rolled back; the catalog is then asked the same questions of both.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple

from atl.migrate import shared
from atl.migrate.catalog import Facts, Name, labels_of, read_tables
from atl.migrate.database import one, rows, run
from atl.migrate.errors import MigrateError
from atl.migrate.failures import LOCKS
from atl.migrate.physical import EnumType, Physical, Table, physical
from atl.migrate.sqltext import quote, quote_literal
from atl.schema import model as m

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["Difference", "drift", "inspect"]

# What it takes to build something beside what is there, although nothing of it stays; by SQLSTATE.
_NEEDS = {
    "42501": "the role has to be able to create schemas in this database",
    "25006": "it is built in a transaction that is undone, which takes a session that may write",
    "53200": LOCKS,
}


class Difference(NamedTuple):
    """where: the table or type. what, name: as `catalog.Fact`. expected, found: "" where there is none."""

    where: str
    what: str
    name: str
    expected: str
    found: str

    @property
    def text(self) -> str:
        thing = f"{self.what} `{self.name}`" if self.name else self.what
        if not self.found:
            return f"{self.where}: there is no {thing}" + (f" ({self.expected})" if self.expected != "there" else "")
        if not self.expected:
            return f"{self.where}: {thing} is not declared" + (f" ({self.found})" if self.found != "there" else "")
        return f"{self.where}: {thing} is {self.found}, expected {self.expected}"


def inspect(connection: Connection[Any], schema: m.Schema, tables: Collection[Name] | None = None) -> list[Difference]:
    """Everything in which the database is not what a schema says, sorted; with `tables`, of these tables and the types.
    Raises MigrateError when that cannot be told."""
    return _compare(connection, schema, tables, True)


def drift(connection: Connection[Any], schema: m.Schema, tables: Collection[Name]) -> list[Difference]:
    """The differences in columns, types, checks and unique indexes of some tables."""
    return _compare(connection, schema, tables, False) if tables else []


def _compare(
    connection: Connection[Any], schema: m.Schema, only: Collection[Name] | None, full: bool
) -> list[Difference]:
    from psycopg import Error

    wanted = physical(schema)
    if full:
        there = {name for (name,) in rows(connection, "SELECT extname FROM pg_extension")}
        missing = [name for name in wanted.extensions if name not in there]
        if missing:
            return [Difference("database", "extension", name, "there", "") for name in missing]
    aliases = _aliases(connection, schema)
    labels = labels_of(connection, [(e.schema, e.name) for e in wanted.enums.values()])
    # An expression may name an enum with its schema, so one that has all the labels is what the columns get.
    standing = {id for id, e in wanted.enums.items() if {*e.labels}.issubset(labels.get((e.schema, e.name), ()))}
    built = physical(_moved(schema, aliases, standing))
    names = {(t.schema, t.name) for t in wanted.tables.values()}
    if only is not None:
        names &= set(only)
    chosen = [id for id, table in wanted.tables.items() if (table.schema, table.name) in names]
    try:
        with _undone(connection):
            made = [enum for id, enum in built.enums.items() if id not in standing]
            _build(connection, built, made, chosen, aliases.values(), full)
            run(connection, "SET LOCAL search_path = ''")
            expected = read_tables(
                connection, [(built.tables[id].schema, built.tables[id].name) for id in chosen], full
            )
            found = read_tables(connection, names, full)
            spelled = {alias: one(connection, "SELECT quote_ident(%s)", name) for name, alias in aliases.items()}
    except Error as problem:
        raise MigrateError(
            f"what is declared cannot be built for comparison: {problem.diag.message_primary or problem}",
            *([_NEEDS[problem.sqlstate]] if problem.sqlstate in _NEEDS else []),
        ) from None
    differences: list[Difference] = []
    for id in chosen:
        table, alias = wanted.tables[id], built.tables[id]
        said = _unaliased(expected.get((alias.schema, alias.name), {}), spelled)
        differences += _between(f"{table.schema}.{table.name}", said, found.get((table.schema, table.name)), table)
    if full:
        differences += _labels(wanted, labels)
    return sorted(differences)


def _aliases(connection: Connection[Any], schema: m.Schema) -> dict[str, str]:
    """For each PostgreSQL schema the name of the one that is built beside it; the token can stand in no other text."""
    token = secrets.token_hex(6)
    used = {e.table[0] for e in schema.entities.values()} | {e.type_name[0] for e in schema.enums.values()}
    return {name: f"atl_{token}_{at}" for at, name in enumerate(sorted(used))}


def _moved(schema: m.Schema, aliases: Mapping[str, str], standing: Collection[str]) -> m.Schema:
    """standing: ids of the enums that stay where they are."""
    return replace(
        schema,
        entities={
            id: replace(e, table=(aliases[e.table[0]], e.table[1]), hyper=False) for id, e in schema.entities.items()
        },
        enums={
            id: e if id in standing else replace(e, type_name=(aliases[e.type_name[0]], e.type_name[1]))
            for id, e in schema.enums.items()
        },
    )


@contextmanager
def _undone(connection: Connection[Any]) -> Iterator[None]:
    """A transaction that is rolled back in any case."""
    from psycopg import Rollback

    with connection.transaction() as transaction:
        yield
        raise Rollback(transaction)


def _build(
    connection: Connection[Any],
    built: Physical,
    enums: Iterable[EnumType],
    chosen: Collection[str],
    schemas: Iterable[str],
    full: bool,
) -> None:
    """Create the tables with what hangs on them: first all that foreign keys and defaults name."""
    for name in schemas:
        run(connection, f"CREATE SCHEMA {quote(name)}")
    for enum in enums:
        labels = ", ".join(map(quote_literal, enum.labels))
        run(connection, f"CREATE TYPE {enum.sql} AS ENUM ({labels})")
    tables = [built.tables[id] for id in chosen]
    for table in tables:
        columns = ", ".join(
            f"{quote(c.name)} {c.type}{f' DEFAULT {c.default}' if full and c.default else ''}{' NOT NULL' * c.not_null}"
            for c in table.columns.values()
        )
        run(connection, f"CREATE TABLE {table.sql} ({columns})")
    for kinds in (("primary", "unique", "check"), ("foreign",) if full else ()):
        for table in tables:
            for constraint in table.constraints.values():
                if constraint.kind in kinds:
                    added = f"ADD CONSTRAINT {quote(constraint.name)} {constraint.definition}"
                    run(connection, f"ALTER TABLE {table.sql} {added}")
    for table in tables:
        for index in table.indexes.values():
            if full or index.unique:
                unique = " UNIQUE" if index.unique else ""
                run(connection, f"CREATE{unique} INDEX {quote(index.name)} ON {table.sql} {index.definition}")
        if full:
            _hang(connection, table)


def _hang(connection: Connection[Any], table: Table) -> None:
    if table.touch:
        if one(connection, "SELECT to_regprocedure(%s) IS NULL", f"{shared.TOUCH_FUNCTION}()"):
            run(connection, 'CREATE SCHEMA IF NOT EXISTS "atlantis"')
            run(connection, shared.create_touch_function)
        run(connection, shared.touch_trigger(table.sql, table.touch))
    if table.partition:
        if one(connection, "SELECT to_regprocedure(%s) IS NULL", f"{shared.PARTITION_FUNCTION}()"):
            run(connection, 'CREATE SCHEMA IF NOT EXISTS "atlantis"')
            run(connection, shared.create_partition_function)
        run(connection, f"ALTER TABLE {table.sql} ENABLE ROW LEVEL SECURITY, FORCE ROW LEVEL SECURITY")
        run(connection, shared.partition_policy(table.sql, table.partition))
        run(connection, shared.access_policy(table.sql))


def _unaliased(facts: Facts, spelled: Mapping[str, str]) -> Facts:
    plain: Facts = {}
    for fact, text in facts.items():
        for alias, name in spelled.items():
            text = text.replace(f"{alias}.", f"{name}.")
        plain[fact] = text
    return plain


def _between(where: str, expected: Facts, found: Facts | None, table: Table) -> Iterator[Difference]:
    if found is None:
        yield Difference(where, "table", "", "there", "")
        return
    for column in table.columns.values():
        if column.generated and ("default", column.name) in expected:
            expected["default", column.name] = column.generated
    for what, name in sorted({*expected, *found}):
        said, is_there = expected.get((what, name), ""), found.get((what, name), "")
        # A hypertable has indexes and checks of the extension's own.
        if said != is_there and not (table.time_field and not said):
            yield Difference(where, what, name, said, is_there)


def _labels(wanted: Physical, labels: Mapping[Name, tuple[str, ...]]) -> Iterator[Difference]:
    for enum in wanted.enums.values():
        where = f"{enum.schema}.{enum.name}"
        found = labels.get((enum.schema, enum.name))
        if found is None:
            yield Difference(where, "type", "", "there", "")
            continue
        for label in sorted({*enum.labels} ^ {*found}):
            is_there = label in found
            yield Difference(where, "label", label, "" if is_there else "there", "there" if is_there else "")
