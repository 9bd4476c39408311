"""What a schema is in PostgreSQL: tables, columns, constraints, indexes, types, each with its name and definition.

`physical(schema)` is a pure function; two equal schemas give equal objects. Every object has a key that says what it is
("the unique constraint over these columns of this entity") apart from what it is called, so that a renamed object is
found on the other side and renamed rather than built anew.

Names that the author chose stay; the others follow the table of `naming` and are unique in their PostgreSQL schema:
tables, indexes, sequences and types share one space, and of several that want one name the first by key has it and
the others get a hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeAlias

from atl.diff.text import canonical
from atl.migrate.sqltext import columns_of, default_sql, name_list, qualified, quote
from atl.schema import model as m
from atl.schema.naming import physical_name
from atl.schema.types import postgres_type

__all__ = ["Column", "Constraint", "EnumType", "Index", "Key", "Names", "Physical", "Table", "physical"]

Key: TypeAlias = tuple[str, ...]
"""What an object is within its table: ("primary",), ("unique", "a", "b"), ("foreign", "a"), ("check", "a"), ..."""


class Names(Protocol):
    """What the things of a side are called in keys and definitions; `id` is always a side's own."""

    def id(self, id: str) -> str: ...

    def field(self, id: str, name: str) -> str: ...

    def table(self, id: str) -> tuple[str, str]: ...

    def sql(self, id: str, sql: str) -> str:
        """An expression over the columns of an entity."""
        ...

    def meaning(self, id: str, sql: str) -> str:
        """The same in the form in which it is compared."""
        ...


@dataclass(frozen=True, slots=True)
class Column:
    """A column. default: SQL or "". generated: as the field's. sequence: the name of the sequence behind a serial or
    identity column, in its table's schema, or ""."""

    name: str
    type: str
    not_null: bool
    default: str = ""
    generated: str = ""
    sequence: str = ""


@dataclass(frozen=True, slots=True)
class Constraint:
    """kind: `primary`, `unique`, `foreign` or `check`. definition: what follows `CONSTRAINT name`. columns: of this
    table; of a check those that it reads. target: (entity's id, column) of a foreign key, by `Names`. meaning: equal
    for two of one key that need no change."""

    key: Key
    kind: str
    name: str
    definition: str
    columns: tuple[str, ...]
    meaning: str
    target: tuple[str, str] = ("", "")


@dataclass(frozen=True, slots=True)
class Index:
    """definition: what follows the table's name in CREATE INDEX (`USING btree ("a" DESC) WHERE ...`). columns: all that
    it reads. bound: it holds an expression or a predicate, which are bound to the columns' types."""

    key: Key
    name: str
    unique: bool
    definition: str
    columns: tuple[str, ...]
    bound: bool


@dataclass(frozen=True, slots=True)
class EnumType:
    id: str
    schema: str
    name: str
    labels: tuple[str, ...]

    @property
    def sql(self) -> str:
        return qualified(self.schema, self.name)


@dataclass(frozen=True, slots=True)
class Table:
    """touch: the column that updates touch, or "". partition: the column of row-level tenancy, or "". time_field and
    chunk_interval_ms of a hypertable."""

    id: str
    schema: str
    name: str
    columns: Mapping[str, Column]
    constraints: Mapping[Key, Constraint] = field(default_factory=dict)
    indexes: Mapping[Key, Index] = field(default_factory=dict)
    touch: str = ""
    partition: str = ""
    time_field: str = ""
    chunk_interval_ms: int | None = None

    @property
    def sql(self) -> str:
        return qualified(self.schema, self.name)


@dataclass(frozen=True, slots=True)
class Physical:
    """tables and enums by the side's own id. extensions: those that types and hypertables need, sorted."""

    tables: Mapping[str, Table]
    enums: Mapping[str, EnumType]
    extensions: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Own:
    """A side's own names."""

    schema: m.Schema

    def id(self, id: str) -> str:
        return id

    def field(self, id: str, name: str) -> str:
        return name

    def table(self, id: str) -> tuple[str, str]:
        return self.schema.entities[id].table

    def sql(self, id: str, sql: str) -> str:
        return sql

    def meaning(self, id: str, sql: str) -> str:
        return canonical(sql)


@dataclass(slots=True)
class _Pool:
    """Gives names out, schema by schema. What the author chose is taken before anything else."""

    taken: dict[str, set[str]] = field(default_factory=dict)

    def reserve(self, schema: str, name: str) -> None:
        self.taken.setdefault(schema, set()).add(name)

    def give(self, schema: str, wanted: str) -> str:
        taken = self.taken.setdefault(schema, set())
        name = physical_name(wanted, taken)
        taken.add(name)
        return name


def physical(schema: m.Schema, names: Names | None = None) -> Physical:
    """The objects of a schema. With `names`, keys and definitions have those names, while every object's own name, and
    the names of tables and columns, stay what they are in the database: the old side, ready to be matched."""
    pool = _Pool()
    for entity in schema.entities.values():
        pool.reserve(*entity.table)
    for enum in schema.enums.values():
        pool.reserve(*enum.type_name)
    enums = {id: EnumType(id, *e.type_name, e.labels) for id, e in schema.enums.items()}
    reader = _Reader(schema, pool, names or _Own(schema))
    tables = {id: reader.table(schema.entities[id]) for id in sorted(schema.entities)}
    return Physical(tables, enums, _extensions(schema))


def _extensions(schema: m.Schema) -> tuple[str, ...]:
    needed = {"timescaledb" for e in schema.entities.values() if e.hyper}
    for entity in schema.entities.values():
        needed |= {f.type.base for f in entity.fields.values() if f.type.base in ("citext", "vector")}
    return tuple(sorted(needed))


@dataclass(frozen=True, slots=True)
class _Reader:
    schema: m.Schema
    pool: _Pool
    names: Names

    def table(self, entity: m.Entity) -> Table:
        where, table = entity.table
        columns = {}
        for name, f in entity.fields.items():
            sequence = self.pool.give(where, f"{table}_{name}_seq") if f.generated else ""
            default = "" if f.generated else default_sql(f, self.schema)
            columns[name] = Column(name, self.type(f), f.not_null, default, f.generated, sequence)
        return Table(
            entity.id,
            where,
            table,
            columns,
            {c.key: c for c in self.constraints(entity)},
            {i.key: i for i in self.indexes(entity)},
            entity.touch_on_update,
            entity.partition,
            entity.time_field,
            entity.chunk_interval_ms,
        )

    def type(self, f: m.Field) -> str:
        enum = self.schema.enums.get(f.type.enum)
        return postgres_type(f.type, enum.type_name if enum is not None else None)

    def constraints(self, entity: m.Entity) -> list[Constraint]:
        (where, table), id, names = entity.table, entity.id, self.names
        found: list[Constraint] = []
        own = {check.name for check in entity.checks if check.name}

        def give(wanted: str) -> str:
            """A name unique within the table, for constraints that are no relations."""
            name = physical_name(wanted, own)
            own.add(name)
            return name

        def over(key: Key, kind: str, word: str, name: str, columns: tuple[str, ...]) -> Constraint:
            own.add(name)
            definition = f"{word} ({name_list(columns)})"
            return Constraint(key, kind, name, definition, columns, definition)

        if entity.key:
            columns = tuple(names.field(id, name) for name in entity.key)
            name = self.pool.give(where, f"{table}_pkey")
            found.append(over(("primary",), "primary", "PRIMARY KEY", name, columns))
        alone = [(f.name,) for f in entity.fields.values() if f.unique]
        for each in sorted([*alone, *entity.unique_by]):
            # In the order in which the index has them, which a renamed column keeps.
            columns = tuple(names.field(id, name) for name in each)
            name = self.pool.give(where, f"{table}_{'_'.join(each)}_key")
            found.append(over(("unique", *sorted(columns)), "unique", "UNIQUE", name, columns))
        fields = sorted(entity.fields.values(), key=lambda f: f.name)
        for f in fields:
            if f.reference is not None and f.reference.entity in self.schema.entities:
                found.append(self.foreign(id, f, f.reference, give(f"{table}_{f.name}_fkey")))
        for f in fields:
            if f.check:
                name = give(f"{table}_{f.name}_check")
                found.append(self.check(("check", "field", names.field(id, f.name)), name, f.check, entity))
        for check in sorted(entity.checks, key=lambda c: (c.name, c.expression)):
            if check.name:
                found.append(self.check(("check", "named", check.name), check.name, check.expression, entity))
                continue
            name = give("_".join([table, *columns_of(check.expression), "check"]))
            key = ("check", "unnamed", names.meaning(id, check.expression))
            found.append(self.check(key, name, check.expression, entity))
        return found

    def foreign(self, id: str, f: m.Field, reference: m.Reference, name: str) -> Constraint:
        column = self.names.field(id, f.name)
        table = self.names.table(reference.entity)
        there = self.names.field(reference.entity, reference.field)
        definition = f"FOREIGN KEY ({quote(column)}) REFERENCES {qualified(*table)} ({quote(there)})"
        for event, action in (("DELETE", reference.on_delete), ("UPDATE", reference.on_update)):
            if action:
                definition += f" ON {event} {action.upper()}"
        target = (self.names.id(reference.entity), there)
        return Constraint(("foreign", column), "foreign", name, definition, (column,), definition, target)

    def check(self, key: Key, name: str, sql: str, entity: m.Entity) -> Constraint:
        meaning = self.names.meaning(entity.id, sql)
        definition = f"CHECK ({self.names.sql(entity.id, sql)})"
        return Constraint(key, "check", name, definition, self.read(entity, [sql]), meaning)

    def read(self, entity: m.Entity, sqls: list[str]) -> tuple[str, ...]:
        found = {name for sql in sqls if sql for name in columns_of(sql) if name in entity.fields}
        return tuple(sorted(self.names.field(entity.id, name) for name in found))

    def indexes(self, entity: m.Entity) -> list[Index]:
        (where, table), id, names = entity.table, entity.id, self.names
        own = _Own(self.schema)
        # By the own key, so that names are given out in one order however the keys are spelled.
        built: dict[Key, tuple[str, Index]] = {}
        for index in entity.indexes:
            wanted = "_".join([table, *(c.field or "expr" for c in index.columns), "idx"])
            plain = {names.field(id, c.field) for c in index.columns if c.field}
            expressions = [c.expression for c in index.columns if c.expression]
            read = {*plain, *self.read(entity, [index.predicate, *expressions])}
            bound = bool(expressions or index.predicate)
            made = Index(
                _index_key(index, id, names), "", index.unique, self.index_sql(index, id), tuple(sorted(read)), bound
            )
            built.setdefault(_index_key(index, id, own), (wanted, made))
        if entity.partition:
            column = m.Index("btree", (m.IndexColumn(entity.partition, ""),))
            read_column = (names.field(id, entity.partition),)
            made = Index(_index_key(column, id, names), "", False, self.index_sql(column, id), read_column, False)
            built.setdefault(_index_key(column, id, own), (f"{table}_{entity.partition}_idx", made))
        return [replace(made, name=self.pool.give(where, wanted)) for _, (wanted, made) in sorted(built.items())]

    def index_sql(self, index: m.Index, id: str) -> str:
        parts = []
        for column in index.columns:
            field = column.field
            text = quote(self.names.field(id, field)) if field else f"({self.names.sql(id, column.expression)})"
            if index.kind == "hnsw":
                text += f" vector_{index.ops}_ops"
            parts.append(text + " DESC" * column.descending)
        where = f" WHERE {self.names.sql(id, index.predicate)}" if index.predicate else ""
        return f"USING {index.kind} ({', '.join(parts)}){where}"


def _index_key(index: m.Index, id: str, names: Names) -> Key:
    members = ", ".join(
        (quote(names.field(id, c.field)) if c.field else f"({names.meaning(id, c.expression)})")
        + (" desc" * c.descending)
        for c in index.columns
    )
    predicate = names.meaning(id, index.predicate) if index.predicate else ""
    return "index", index.kind, members, predicate, index.ops, "unique" * index.unique
