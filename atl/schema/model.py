"""The resolved model: what a workspace declares, with every default filled in and every name resolved.

It is what `atl schema` prints, what two schemas are compared by, and what hovers show. It is built from trees
(`schema.build`) or from schema JSON (`schema.canonical.load`), and equal meanings give equal models: durations are
milliseconds, a bare table is in `public`, references are ids, `unique by f` is the field's `unique`, what has no order
is sorted. A name that cannot be resolved stays as it is written.

Everything is frozen and compares by value. `where` (file, line from 1) and the order of fields are carried along but
take no part in comparison or in the JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from atl.schema.symbols import Type

Where: TypeAlias = "tuple[str, int]"
"""(path, line): path relative to the workspace's root with `/`, line from 1; ("", 0) when unknown."""

_NOWHERE: Where = ("", 0)


@dataclass(frozen=True, slots=True)
class Reference:
    """entity: id. on_delete, on_update: `cascade`, `restrict`, `set null` or "" when left out."""

    entity: str
    field: str
    on_delete: str = ""
    on_update: str = ""


@dataclass(frozen=True, slots=True)
class Value:
    """A default. kind: `string`, `integer`, `boolean`, `now`, `raw`. text: the string's value, the digits, `true` or
    `false`, "" for now, the SQL for raw."""

    kind: str
    text: str


@dataclass(frozen=True, slots=True)
class Field:
    """A field of an entity or ephemeral, an argument, an input, an output or a state field.

    not_null is what holds: being in the key, identity and serial imply it; an input is never null. primary: it is the
    whole key, by `primary` or a `primary by` of it alone. unique: by the modifier or a `unique by` of it alone; the
    key's field is not marked. renamed_from: the name in its `renamed-from` hint, or "". Of an argument, state field or
    ephemeral field the modifiers for stored rows are left out.
    """

    name: str
    type: Type
    not_null: bool = False
    primary: bool = False
    unique: bool = False
    generated: str = ""  # "identity", "serial" or ""
    default: Value | None = None
    reference: Reference | None = None
    check: str = ""
    backfill: str = ""
    renamed_from: str = ""
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class IndexColumn:
    """field or expression, the other is "". descending: `asc` is the default."""

    field: str
    expression: str
    descending: bool = False


@dataclass(frozen=True, slots=True)
class Index:
    """kind: `btree`, `hnsw`, `gin`. predicate: SQL as PostgreSQL reads it (`"x"` is already `'x'`), or ""."""

    kind: str
    columns: tuple[IndexColumn, ...]
    unique: bool = False
    predicate: str = ""
    ops: str = ""
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


def index_order(index: Index) -> tuple[object, ...]:
    """Sorts indexes by what they are."""
    columns = tuple((column.field, column.expression, column.descending) for column in index.columns)
    return index.kind, columns, index.unique, index.predicate, index.ops


@dataclass(frozen=True, slots=True)
class Check:
    """An entity's check; name "" when it has none."""

    name: str
    expression: str
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Relation:
    kind: str
    name: str
    target: str
    via: str
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class CacheWrite:
    """entity: id, or "self". field, own: `where field = self.own`, or ""."""

    entity: str
    field: str = ""
    own: str = ""


@dataclass(frozen=True, slots=True)
class Cache:
    """ttl_ms, tag: None without `read_through`. invalidate_on: sorted. consistency: "" when left out."""

    ttl_ms: int | None
    tag: str | None
    invalidate_on: tuple[CacheWrite, ...]
    consistency: str


@dataclass(frozen=True, slots=True)
class Entity:
    """time_field is "" for an entity. table: (schema, table). key: fields in order, () when keyless.
    unique_by: each sorted, all sorted, those of one field left out (Field.unique). checks, indexes, relations: sorted.
    """

    id: str
    fields: Mapping[str, Field]
    key: tuple[str, ...]
    table: tuple[str, str]
    keyless: bool = False
    hyper: bool = False
    time_field: str = ""
    chunk_interval_ms: int | None = None
    unique_by: tuple[tuple[str, ...], ...] = ()
    indexes: tuple[Index, ...] = ()
    checks: tuple[Check, ...] = ()
    relations: tuple[Relation, ...] = ()
    soft_delete: str = ""
    touch_on_update: str = ""
    ttl_field: str = ""
    partition: str = ""
    query_timeout_ms: int | None = None
    cache: Cache | None = None
    renamed_from: str = ""
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Enum:
    """labels in declared order, which does not count for equality; label_renames: label -> its old name by hint.
    type_name: (schema, name)."""

    id: str
    labels: tuple[str, ...] = field(compare=False)
    type_name: tuple[str, str]
    label_renames: Mapping[str, str] = field(default_factory=dict)
    renamed_from: str = ""
    where: Where = field(default=_NOWHERE, compare=False, repr=False)
    label_set: frozenset[str] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "label_set", frozenset(self.labels))


@dataclass(frozen=True, slots=True)
class Argument:
    """`name: value` of a call: `$parameter`, or a literal as Value and parameter "". A call's arguments are sorted."""

    name: str
    parameter: str
    value: Value | None


@dataclass(frozen=True, slots=True)
class SqlStep:
    """touches: ids, sorted."""

    touches: tuple[str, ...]
    sql: str


@dataclass(frozen=True, slots=True)
class WriteStep:
    """kind: `update`, `insert` or `delete`. Values are in canonical text (`$id`, `"x"`, `5`, `now()`, `column`); sets
    are sorted by column; a condition that is one value alone has "" for operator and right side."""

    kind: str
    entity: str
    sets: tuple[tuple[str, str], ...]
    conditions: tuple[tuple[str, str, str], ...]


@dataclass(frozen=True, slots=True)
class EnqueueStep:
    job: str
    args: tuple[Argument, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """output_entity: id or ""; then outputs is empty."""

    id: str
    owner: str
    inputs: Mapping[str, Field]
    output_entity: str
    outputs: tuple[Field, ...]
    block: SqlStep
    cache: Cache | None = None
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Procedure:
    id: str
    owner: str
    inputs: Mapping[str, Field]
    steps: tuple[SqlStep | WriteStep | EnqueueStep, ...]
    invalidate_tag: str = ""
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Job:
    """timeout_ms None: `none`. schedule "": never."""

    id: str
    args: Mapping[str, Field]
    retries: int = 0
    timeout_ms: int | None = 1_800_000
    heartbeat_ms: int = 300_000
    queue: str = "default"
    schedule: str = ""
    visible_to: str = "*"
    renamed_from: str = ""
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class WorkflowStep:
    name: str
    job: str
    args: tuple[Argument, ...]
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Workflow:
    """compensations: by step name."""

    id: str
    state: Mapping[str, Field]
    steps: tuple[WorkflowStep, ...]
    compensations: Mapping[str, WorkflowStep]
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Ephemeral:
    """key: the primary field or ""."""

    id: str
    fields: Mapping[str, Field]
    key: str
    ttl_ms: int = 86_400_000
    where: Where = field(default=_NOWHERE, compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Schema:
    """Everything, by id. A query and an entity may share an id; each kind has its own map."""

    entities: Mapping[str, Entity] = field(default_factory=dict)
    enums: Mapping[str, Enum] = field(default_factory=dict)
    queries: Mapping[str, Query] = field(default_factory=dict)
    procedures: Mapping[str, Procedure] = field(default_factory=dict)
    jobs: Mapping[str, Job] = field(default_factory=dict)
    workflows: Mapping[str, Workflow] = field(default_factory=dict)
    ephemerals: Mapping[str, Ephemeral] = field(default_factory=dict)
