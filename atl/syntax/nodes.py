"""The typed syntax tree.

Every node has `start` and `end`, offsets relative to its declaration's anchor (`atl.source.Anchor`), so a tree is a
pure function of the declaration's own text. A node that the parser could not complete is left out (and its
declaration marked `lost`), except where a field says `| None`. Nothing here is resolved: names are as written.
Nodes compare by identity; only the parser makes or changes them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from dataclasses import dataclass
else:
    from atl.syntax.node_class import dataclass


@dataclass(slots=True, eq=False)
class Node:
    start: int
    end: int


# ---------------------------------------------------------------- names and values


@dataclass(slots=True, eq=False)
class Name(Node):
    """An identifier as written. `reserved`: it is a reserved word (reported, then taken as a name all the same)."""

    text: str
    reserved: bool = False


@dataclass(slots=True, eq=False)
class Ref(Node):
    """`[namespace.]Name`: an entity or a job."""

    namespace: Name | None
    name: Name


@dataclass(slots=True, eq=False)
class Str(Node):
    """A string with its quotes; `value` is unescaped. `syntax.strings.offset_in` maps value offsets to the source."""

    value: str


@dataclass(slots=True, eq=False)
class Int(Node):
    """A whole number; the span holds the sign. `value` is exact, whatever its size."""

    value: int


@dataclass(slots=True, eq=False)
class Decimal(Node):
    """`1.5`, which no place accepts; kept so that rules can say what to write instead."""

    text: str


@dataclass(slots=True, eq=False)
class Bool(Node):
    value: bool


@dataclass(slots=True, eq=False)
class Now(Node):
    """`now()`, or `now` where expressions allow it."""

    called: bool


@dataclass(slots=True, eq=False)
class Raw(Node):
    """`raw "..."`, only as a default."""

    sql: Str


@dataclass(slots=True, eq=False)
class Call(Node):
    """`f(...)` as a default, which is always wrong; arguments are not kept."""

    name: Name


@dataclass(slots=True, eq=False)
class Duration(Node):
    """`text` as written. `ms` is None when it is no valid duration (the parser has reported ATL008)."""

    text: str
    ms: int | None


@dataclass(slots=True, eq=False)
class Parameter(Node):
    """`$name`; `name` is without the dollar."""

    name: str


@dataclass(slots=True, eq=False)
class Word(Node):
    """A bare word as a default or another value's place holder: never right, kept for the message."""

    name: Name


@dataclass(slots=True, eq=False)
class Column(Node):
    """A field's name as a value in an expression."""

    name: Name


Literal: TypeAlias = Str | Int | Decimal | Bool | Now | Duration
DefaultValue: TypeAlias = Str | Int | Decimal | Bool | Now | Raw | Call | Word | Duration
Value: TypeAlias = Str | Int | Decimal | Bool | Now | Duration | Parameter | Column


@dataclass(slots=True, eq=False)
class Comparison(Node):
    """`left op right`, or `left` alone: then `op` and `right` are None."""

    left: Value
    op: str | None
    right: Value | None


@dataclass(slots=True, eq=False)
class Expr(Node):
    """Comparisons joined by `and`; at least one."""

    terms: list[Comparison]


@dataclass(slots=True, eq=False)
class TypeRef(Node):
    """`[][ns.]name(params)`.

    dims: how many `[]` stand before the name. postfix: how many stand behind it (a foreign spelling).
    params: None without brackets. A parameter that is no integer is in it as it was written.
    """

    namespace: Name | None
    name: Name
    params: list[Int | Str | Name | Decimal] | None
    dims: int
    postfix: int


@dataclass(slots=True, eq=False)
class RawSql(Node):
    """Raw SQL between the braces of an `sql` block, or a partial index's predicate. The span is that of `text`."""

    text: str


# ---------------------------------------------------------------- fields


@dataclass(slots=True, eq=False)
class Flag(Node):
    """`primary`, `identity`, `serial`, `not null` or `unique` as a modifier; `word` is that spelling."""

    word: str


@dataclass(slots=True, eq=False)
class Default(Node):
    value: DefaultValue


@dataclass(slots=True, eq=False)
class Action(Node):
    """`on delete cascade`. event: `delete` or `update`; action: `cascade`, `restrict` or `set null`."""

    event: str
    action: str


@dataclass(slots=True, eq=False)
class References(Node):
    """`references a.b.c` and its actions. `path` has one to three names; three when it is right."""

    path: list[Name]
    actions: list[Action]


@dataclass(slots=True, eq=False)
class FieldCheck(Node):
    sql: Str


@dataclass(slots=True, eq=False)
class Backfill(Node):
    sql: Str


Modifier: TypeAlias = Flag | Default | References | FieldCheck | Backfill


@dataclass(slots=True, eq=False)
class Field(Node):
    """A field of an entity or ephemeral, an argument of a job, or a state field of a workflow.

    type is None when it could not be read. A modifier given twice stands in the list twice.
    """

    name: Name
    type: TypeRef | None
    modifiers: list[Modifier]

    def flag(self, word: str) -> Flag | None:
        """The first flag of that spelling."""
        for modifier in self.modifiers:
            if type(modifier) is Flag and modifier.word == word:
                return modifier
        return None

    @property
    def default(self) -> Default | None:
        return next((m for m in self.modifiers if type(m) is Default), None)

    @property
    def references(self) -> References | None:
        return next((m for m in self.modifiers if type(m) is References), None)


# ---------------------------------------------------------------- entity members


@dataclass(slots=True, eq=False)
class PrimaryBy(Node):
    fields: list[Name]


@dataclass(slots=True, eq=False)
class UniqueBy(Node):
    """deferrable: the word, when it is there."""

    fields: list[Name]
    deferrable: Name | None


@dataclass(slots=True, eq=False)
class IndexColumn(Node):
    """A field or an `expr "..."`. direction: `asc`, `desc` or None as written."""

    field: Name | None
    expr: Str | None
    direction: str | None


@dataclass(slots=True, eq=False)
class Index(Node):
    """`index by`, `index partial by` and `unique index partial by`; partial ones have a predicate."""

    columns: list[IndexColumn]
    unique: bool
    predicate: RawSql | None


@dataclass(slots=True, eq=False)
class HnswIndex(Node):
    """ops: `cosine`, `l2` or `ip`."""

    field: Name
    ops: str


@dataclass(slots=True, eq=False)
class GinIndex(Node):
    field: Name


@dataclass(slots=True, eq=False)
class Relation(Node):
    """kind: `has_many` or `has_one`."""

    kind: str
    name: Name
    target: Name
    via: Name


@dataclass(slots=True, eq=False)
class FieldClause(Node):
    """word: `soft_delete`, `touch_on_update`, `partition` or `ttl_field`."""

    word: str
    field: Name


@dataclass(slots=True, eq=False)
class TableClause(Node):
    table: Str


@dataclass(slots=True, eq=False)
class QueryTimeout(Node):
    duration: Duration


@dataclass(slots=True, eq=False)
class Keyless(Node):
    pass


@dataclass(slots=True, eq=False)
class EntityCheck(Node):
    sql: Str
    name: Name | None


@dataclass(slots=True, eq=False)
class ChunkInterval(Node):
    duration: Duration


@dataclass(slots=True, eq=False)
class ReadThrough(Node):
    ttl: Duration
    tag: Str | None


@dataclass(slots=True, eq=False)
class Write(Node):
    """`write(self)`: entity None. `write(Entity [where field = self.own])`."""

    entity: Name | None
    field: Name | None
    own: Name | None


@dataclass(slots=True, eq=False)
class InvalidateOn(Node):
    writes: list[Write]


@dataclass(slots=True, eq=False)
class Consistency(Node):
    """value: `strict` or `eventual`."""

    value: str


@dataclass(slots=True, eq=False)
class Cache(Node):
    parts: list[ReadThrough | InvalidateOn | Consistency]


Member: TypeAlias = (
    Field
    | PrimaryBy
    | UniqueBy
    | Index
    | HnswIndex
    | GinIndex
    | Relation
    | FieldClause
    | TableClause
    | QueryTimeout
    | Keyless
    | EntityCheck
    | ChunkInterval
    | Cache
)


# ---------------------------------------------------------------- query and procedure parts


@dataclass(slots=True, eq=False)
class Param(Node):
    """An input or output."""

    name: Name
    type: TypeRef | None
    default: Default | None


@dataclass(slots=True, eq=False)
class Input(Node):
    params: list[Param]


@dataclass(slots=True, eq=False)
class Output(Node):
    """`output as E` (entity) or `output { ... }` (params)."""

    entity: Ref | None
    params: list[Param] | None


@dataclass(slots=True, eq=False)
class Sql(Node):
    """`sql touches(...) { ... }`, a query's block or a procedure's step. `word` is the span of `touches`."""

    touches: list[Ref]
    word: Name
    sql: RawSql


@dataclass(slots=True, eq=False)
class Set(Node):
    field: Name
    value: Value


@dataclass(slots=True, eq=False)
class Update(Node):
    entity: Ref
    sets: list[Set]
    where: Expr


@dataclass(slots=True, eq=False)
class Delete(Node):
    entity: Ref
    where: Expr


@dataclass(slots=True, eq=False)
class Insert(Node):
    entity: Ref
    sets: list[Set]


@dataclass(slots=True, eq=False)
class Arg(Node):
    """`name: value`. The value is an Expr when the author wrote a comparison (ATL454), else a plain value."""

    name: Name
    value: Value | Expr


@dataclass(slots=True, eq=False)
class Enqueue(Node):
    """`args_end` is the offset of the closing bracket: where a fix inserts a missing argument."""

    job: Ref
    args: list[Arg]
    args_end: int


StepNode: TypeAlias = Sql | Update | Delete | Insert | Enqueue


@dataclass(slots=True, eq=False)
class Steps(Node):
    steps: list[StepNode]


@dataclass(slots=True, eq=False)
class Invalidate(Node):
    tag: Str


# ---------------------------------------------------------------- job clauses


@dataclass(slots=True, eq=False)
class Args(Node):
    """A job's `args { fields }`."""

    fields: list[Field]


@dataclass(slots=True, eq=False)
class Retries(Node):
    value: Literal | Word


@dataclass(slots=True, eq=False)
class Timeout(Node):
    """value is None for `none`; anything but a Duration is wrong (ATL403)."""

    value: Literal | Word | None


@dataclass(slots=True, eq=False)
class Heartbeat(Node):
    value: Literal | Word


@dataclass(slots=True, eq=False)
class Queue(Node):
    value: Str


@dataclass(slots=True, eq=False)
class Schedule(Node):
    value: Str


@dataclass(slots=True, eq=False)
class VisibleTo(Node):
    value: Str


Clause: TypeAlias = Args | Retries | Timeout | Heartbeat | Queue | Schedule | VisibleTo


# ---------------------------------------------------------------- workflow parts


@dataclass(slots=True, eq=False)
class State(Node):
    fields: list[Field]


@dataclass(slots=True, eq=False)
class JobUse(Node):
    """`job Name` inside a step or compensation."""

    job: Ref


@dataclass(slots=True, eq=False)
class StepArgs(Node):
    """`args { name: value }` of a step or compensation; `close` is the offset of its `}`."""

    args: list[Arg]
    close: int


@dataclass(slots=True, eq=False)
class Step(Node):
    name: Name
    parts: list[JobUse | StepArgs]


@dataclass(slots=True, eq=False)
class Compensate(Node):
    step: Name
    parts: list[JobUse | StepArgs]


@dataclass(slots=True, eq=False)
class Ttl(Node):
    duration: Duration


@dataclass(slots=True, eq=False)
class EnumLabel(Node):
    """`text` is the label itself; `quoted` when it was written as a string."""

    text: str
    quoted: bool


# ---------------------------------------------------------------- declarations


@dataclass(slots=True, eq=False)
class Decl(Node):
    """What every declaration has. The span reaches from the first keyword to the closing brace.

    name, namespace: None when they could not be read. open, close: offsets of the braces of the body, -1 when absent.
    lost: recovery dropped text of this declaration, so that what seems absent may have been written; rules that
    report an absence, or an unknown member of this declaration, stay silent then.
    """

    name: Name | None
    open: int
    close: int
    lost: bool


@dataclass(slots=True, eq=False)
class EntityDecl(Decl):
    """An entity, or a hypertable when `on` is given."""

    namespace: Name | None
    on: Name | None
    hyper: bool
    members: list[Member]


@dataclass(slots=True, eq=False)
class EnumDecl(Decl):
    namespace: Name | None
    labels: list[EnumLabel]


@dataclass(slots=True, eq=False)
class QueryDecl(Decl):
    owner: Ref | None
    parts: list[Input | Output | Sql | Cache]


@dataclass(slots=True, eq=False)
class ProcedureDecl(Decl):
    owner: Ref | None
    parts: list[Input | Steps | Invalidate]


@dataclass(slots=True, eq=False)
class JobDecl(Decl):
    namespace: Name | None
    clauses: list[Clause]


@dataclass(slots=True, eq=False)
class WorkflowDecl(Decl):
    namespace: Name | None
    parts: list[State | Step | Compensate]


@dataclass(slots=True, eq=False)
class EphemeralDecl(Decl):
    namespace: Name | None
    members: list[Field | Ttl]


@dataclass(slots=True, eq=False)
class BrokenDecl(Decl):
    """A declaration whose header could not be read: of no known kind, but a name it may well declare."""

    namespace: Name | None


Declaration: TypeAlias = (
    EntityDecl | EnumDecl | QueryDecl | ProcedureDecl | JobDecl | WorkflowDecl | EphemeralDecl | BrokenDecl
)
