"""What a schema is in PostgreSQL: tables, columns, constraints, indexes, types, each with its name and definition.

`physical(schema)` is a pure function; two equal schemas give equal objects. Every object has a key that says what it is
("the unique constraint over these columns of this entity") apart from what it is called, so that a renamed object is
found on the other side and renamed rather than built anew.

Names that the author chose stay; the others follow the table of `naming` and are unique in their PostgreSQL schema:
tables, indexes, sequences and types share one space, and of several that want one name the first by key has it and
the others get a hash.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from atl.migrate.sqltext import default_sql, name_list, qualified, quote
from atl.postgres.expression import canonical_expression, expression
from atl.schema import model as m
from atl.schema.naming import physical_name
from atl.schema.types import postgres_type

__all__ = ["Column", "Constraint", "EnumType", "Index", "Key", "Physical", "Table", "physical"]

Key: TypeAlias = tuple[str, ...]
"""What an object is within its table: ("primary",), ("unique", "a", "b"), ("foreign", "a"), ("check", "a"), ..."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column. default: SQL or "". sequence: name of the sequence behind a serial or identity column, or ""."""

    name: str
    type: str
    not_null: bool
    default: str
    generated: str
    sequence: str


@dataclass(frozen=True, slots=True)
class Constraint:
    """kind: `primary`, `unique`, `foreign` or `check`. definition: what follows `CONSTRAINT name`. columns: of this
    table; of a check those that it reads. target: (schema, table) of a foreign key."""

    key: Key
    kind: str
    name: str
    definition: str
    columns: tuple[str, ...]
    target: tuple[str, str] | None = None


@dataclass(frozen=True, slots=True)
class Index:
    """definition: what follows the table's name in CREATE INDEX (`USING btree ("a" DESC) WHERE ...`)."""

    key: Key
    name: str
    unique: bool
    definition: str
    columns: tuple[str, ...]


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
    constraints: Mapping[Key, Constraint]
    indexes: Mapping[Key, Index]
    touch: str
    partition: str
    time_field: str
    chunk_interval_ms: int | None

    @property
    def sql(self) -> str:
        return qualified(self.schema, self.name)


@dataclass(frozen=True, slots=True)
class Physical:
    """tables and enums by id. extensions: those that types and hypertables need, sorted."""

    tables: Mapping[str, Table]
    enums: Mapping[str, EnumType]
    extensions: tuple[str, ...] = ()


@dataclass(slots=True)
class _Names:
    """Gives names out, schema by schema. What the author chose is taken before anything else."""

    taken: dict[str, set[str]] = field(default_factory=dict)

    def reserve(self, schema: str, name: str) -> None:
        self.taken.setdefault(schema, set()).add(name)

    def give(self, schema: str, wanted: str) -> str:
        taken = self.taken.setdefault(schema, set())
        name = physical_name(wanted, taken)
        taken.add(name)
        return name


Follow: TypeAlias = Callable[[str, str], str]
"""The name under which a field of an entity (by its own id) is known on the other side."""


def physical(schema: m.Schema, follow: Follow | None = None) -> Physical:
    """The objects of a schema. `follow` maps field names for the keys alone: objects of the old side carry the keys of
    the new one, and the names and definitions that they have in the database."""
    same: Follow = follow or (lambda _, name: name)
    names = _Names()
    for entity in schema.entities.values():
        names.reserve(*entity.table)
    for enum in schema.enums.values():
        names.reserve(*enum.type_name)
    enums = {id: EnumType(id, *e.type_name, e.labels) for id, e in schema.enums.items()}
    tables = {id: _table(schema.entities[id], schema, names, same) for id in sorted(schema.entities)}
    return Physical(tables, enums, _extensions(schema))


def _extensions(schema: m.Schema) -> tuple[str, ...]:
    needed = {"timescaledb" for e in schema.entities.values() if e.hyper}
    for entity in schema.entities.values():
        needed |= {f.type.base for f in entity.fields.values() if f.type.base in ("citext", "vector")}
    return tuple(sorted(needed))


def _table(entity: m.Entity, schema: m.Schema, names: _Names, same: Follow) -> Table:
    where, table = entity.table
    columns = {}
    for name in entity.fields:
        f = entity.fields[name]
        sequence = names.give(where, f"{table}_{name}_seq") if f.generated else ""
        columns[name] = Column(name, _type(f, schema), f.not_null, default_sql(f, schema), f.generated, sequence)
    constraints = {c.key: c for c in _constraints(entity, schema, names, lambda name: same(entity.id, name))}
    indexes = {i.key: i for i in _indexes(entity, names, lambda name: same(entity.id, name))}
    return Table(
        entity.id,
        where,
        table,
        columns,
        constraints,
        indexes,
        entity.touch_on_update,
        entity.partition,
        entity.time_field,
        entity.chunk_interval_ms,
    )


def _type(f: m.Field, schema: m.Schema) -> str:
    enum = schema.enums.get(f.type.enum)
    return postgres_type(f.type, enum.type_name if enum is not None else None)


def _constraints(entity: m.Entity, schema: m.Schema, names: _Names, same: Callable[[str], str]) -> list[Constraint]:
    where, table = entity.table
    found: list[Constraint] = []
    own: set[str] = {check.name for check in entity.checks if check.name}

    def give(wanted: str) -> str:
        """A name unique within the table, for constraints that are no relations."""
        name = physical_name(wanted, own)
        own.add(name)
        return name

    if entity.key:
        name = names.give(where, f"{table}_pkey")
        own.add(name)
        found.append(
            Constraint(("primary",), "primary", name, f"PRIMARY KEY ({name_list(entity.key)})", tuple(entity.key))
        )
    alone = [(f.name,) for f in entity.fields.values() if f.unique]
    for columns in sorted([*alone, *entity.unique_by]):
        name = names.give(where, f"{table}_{'_'.join(columns)}_key")
        own.add(name)
        key = ("unique", *sorted(map(same, columns)))
        found.append(Constraint(key, "unique", name, f"UNIQUE ({name_list(columns)})", columns))
    for f in sorted(entity.fields.values(), key=lambda f: f.name):
        if f.reference is not None and f.reference.entity in schema.entities:
            target = schema.entities[f.reference.entity].table
            definition = f"FOREIGN KEY ({quote(f.name)}) REFERENCES {qualified(*target)} ({quote(f.reference.field)})"
            for event, action in (("DELETE", f.reference.on_delete), ("UPDATE", f.reference.on_update)):
                if action:
                    definition += f" ON {event} {action.upper()}"
            name = give(f"{table}_{f.name}_fkey")
            found.append(Constraint(("foreign", same(f.name)), "foreign", name, definition, (f.name,), target))
    for f in sorted(entity.fields.values(), key=lambda f: f.name):
        if f.check:
            name = give(f"{table}_{f.name}_check")
            found.append(_check(("check", "field", same(f.name)), name, f.check, entity))
    for check in sorted(entity.checks, key=lambda c: (c.name, c.expression)):
        if check.name:
            found.append(_check(("check", "named", check.name), check.name, check.expression, entity))
            continue
        read = sorted({c.name for c in expression(check.expression).columns})
        name = give("_".join([table, *read, "check"]))
        renamed = {n: same(n) for n in entity.fields if same(n) != n}
        key = ("check", "unnamed", canonical_expression(check.expression, renamed))
        found.append(_check(key, name, check.expression, entity))
    return found


def _check(key: Key, name: str, sql: str, entity: m.Entity) -> Constraint:
    read = tuple(sorted({c.name for c in expression(sql).columns if c.name in entity.fields}))
    return Constraint(key, "check", name, f"CHECK ({sql})", read)


def _indexes(entity: m.Entity, names: _Names, same: Callable[[str], str]) -> list[Index]:
    where, table = entity.table
    renamed = {n: same(n) for n in entity.fields if same(n) != n}
    built: dict[Key, tuple[str, bool, str, tuple[str, ...]]] = {}
    for index in entity.indexes:
        columns = [c.field or "expr" for c in index.columns]
        read = {c.field for c in index.columns if c.field}
        for sql in (index.predicate, *(c.expression for c in index.columns)):
            if sql:
                read |= {c.name for c in expression(sql).columns if c.name in entity.fields}
        built.setdefault(
            _index_key(index, same, renamed),
            ("_".join([table, *columns, "idx"]), index.unique, _index_sql(index), tuple(sorted(read))),
        )
    if entity.partition:
        key: Key = ("index", "btree", same(entity.partition), "", "", "")
        definition = f"USING btree ({quote(entity.partition)})"
        built.setdefault(key, (f"{table}_{entity.partition}_idx", False, definition, (entity.partition,)))
    return [
        Index(key, names.give(where, wanted), unique, definition, read)
        for key, (wanted, unique, definition, read) in sorted(built.items())
    ]


def _index_key(index: m.Index, same: Callable[[str], str], renamed: dict[str, str]) -> Key:
    members = ", ".join(
        (same(c.field) if c.field else f"({canonical_expression(c.expression, renamed)})") + (" desc" * c.descending)
        for c in index.columns
    )
    predicate = canonical_expression(index.predicate, renamed) if index.predicate else ""
    return "index", index.kind, members, predicate, index.ops, "unique" * index.unique


def _index_sql(index: m.Index) -> str:
    parts = []
    for column in index.columns:
        text = quote(column.field) if column.field else f"({column.expression})"
        if index.kind == "hnsw":
            text += f" vector_{index.ops}_ops"
        parts.append(text + " DESC" * column.descending)
    where = f" WHERE {index.predicate}" if index.predicate else ""
    return f"USING {index.kind} ({', '.join(parts)}){where}"
