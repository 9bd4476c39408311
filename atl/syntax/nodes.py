"""The typed syntax tree.

Every node has `start` and `end`, offsets relative to its declaration's anchor (`atl.source.Anchor`), so a tree is a
pure function of the declaration's own text. A node that the parser could not complete is left out (and its
declaration marked `lost`), except where a field says `| None`. Nothing here is resolved: names are as written.
Nodes compare by identity; only the parser makes or changes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

_node = dataclass(slots=True, eq=False)


@_node
class Node:
    start: int
    end: int


# ---------------------------------------------------------------- names and values


@_node
class Name(Node):
    """An identifier as written. `reserved`: it is a reserved word (reported, then taken as a name all the same)."""

    text: str
    reserved: bool = False


@_node
class Ref(Node):
    """`[namespace.]Name`: an entity or a job."""

    namespace: Name | None
    name: Name


@_node
class Str(Node):
    """A string with its quotes; `value` is unescaped. `syntax.strings.offset_in` maps value offsets to the source."""

    value: str


@_node
class Int(Node):
    """A whole number; the span holds the sign. `value` is exact, whatever its size."""

    value: int


@_node
class Decimal(Node):
    """`1.5`, which no place accepts; kept so that rules can say what to write instead."""

    text: str


@_node
class Bool(Node):
    value: bool


@_node
class Now(Node):
    """`now()`, or `now` where expressions allow it."""

    called: bool


@_node
class Raw(Node):
    """`raw "..."`, only as a default."""

    sql: Str


@_node
class Call(Node):
    """`f(...)` as a default, which is always wrong; arguments are not kept."""

    name: Name


@_node
class Duration(Node):
    """`text` as written. `ms` is None when it is no valid duration (the parser has reported ATL008)."""

    text: str
    ms: int | None


@_node
class Parameter(Node):
    """`$name`; `name` is without the dollar."""

    name: str


@_node
class Word(Node):
    """A bare word as a default or another value's place holder: never right, kept for the message."""

    name: Name


@_node
class Column(Node):
    """A field's name as a value in an expression."""

    name: Name


Literal: TypeAlias = Str | Int | Decimal | Bool | Now | Duration
DefaultValue: TypeAlias = Str | Int | Decimal | Bool | Now | Raw | Call | Word | Duration
Value: TypeAlias = Str | Int | Decimal | Bool | Now | Duration | Parameter | Column


@_node
class Comparison(Node):
    """`left op right`, or `left` alone: then `op` and `right` are None."""

    left: Value
    op: str | None
    right: Value | None


@_node
class Expr(Node):
    """Comparisons joined by `and`; at least one."""

    terms: list[Comparison]


@_node
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


@_node
class RawSql(Node):
    """Raw SQL between the braces of an `sql` block, or a partial index's predicate. The span is that of `text`."""

    text: str


# ---------------------------------------------------------------- fields


@_node
class Flag(Node):
    """`primary`, `identity`, `serial`, `not null` or `unique` as a modifier; `word` is that spelling."""

    word: str


@_node
class Default(Node):
    value: DefaultValue


@_node
class Action(Node):
    """`on delete cascade`. event: `delete` or `update`; action: `cascade`, `restrict` or `set null`."""

    event: str
    action: str


@_node
class References(Node):
    """`references a.b.c` and its actions. `path` has one to three names; three when it is right."""

    path: list[Name]
    actions: list[Action]


@_node
class FieldCheck(Node):
    sql: Str


@_node
class Backfill(Node):
    sql: Str


Modifier: TypeAlias = Flag | Default | References | FieldCheck | Backfill


@_node
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


@_node
class PrimaryBy(Node):
    fields: list[Name]


@_node
class UniqueBy(Node):
    """deferrable: the word, when it is there."""

    fields: list[Name]
    deferrable: Name | None


@_node
class IndexColumn(Node):
    """A field or an `expr "..."`. direction: `asc`, `desc` or None as written."""

    field: Name | None
    expr: Str | None
    direction: str | None


@_node
class Index(Node):
    """`index by`, `index partial by` and `unique index partial by`; partial ones have a predicate."""

    columns: list[IndexColumn]
    unique: bool
    predicate: RawSql | None


@_node
class HnswIndex(Node):
    """ops: `cosine`, `l2` or `ip`."""

    field: Name
    ops: str


@_node
class GinIndex(Node):
    field: Name


@_node
class Relation(Node):
    """kind: `has_many` or `has_one`."""

    kind: str
    name: Name
    target: Name
    via: Name


@_node
class FieldClause(Node):
    """word: `soft_delete`, `touch_on_update`, `partition` or `ttl_field`."""

    word: str
    field: Name


@_node
class TableClause(Node):
    table: Str


@_node
class QueryTimeout(Node):
    duration: Duration


@_node
class Keyless(Node):
    pass


@_node
class EntityCheck(Node):
    sql: Str
    name: Name | None


@_node
class ChunkInterval(Node):
    duration: Duration


@_node
class ReadThrough(Node):
    ttl: Duration
    tag: Str | None


@_node
class Write(Node):
    """`write(self)`: entity None. `write(Entity [where field = self.own])`."""

    entity: Name | None
    field: Name | None
    own: Name | None


@_node
class InvalidateOn(Node):
    writes: list[Write]


@_node
class Consistency(Node):
    """value: `strict` or `eventual`."""

    value: str


@_node
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


@_node
class Param(Node):
    """An input or output."""

    name: Name
    type: TypeRef | None
    default: Default | None


@_node
class Input(Node):
    params: list[Param]


@_node
class Output(Node):
    """`output as E` (entity) or `output { ... }` (params)."""

    entity: Ref | None
    params: list[Param] | None


@_node
class Sql(Node):
    """`sql touches(...) { ... }`, a query's block or a procedure's step. `word` is the span of `touches`."""

    touches: list[Ref]
    word: Name
    sql: RawSql


@_node
class Set(Node):
    field: Name
    value: Value


@_node
class Update(Node):
    entity: Ref
    sets: list[Set]
    where: Expr


@_node
class Delete(Node):
    entity: Ref
    where: Expr


@_node
class Insert(Node):
    entity: Ref
    sets: list[Set]


@_node
class Arg(Node):
    """`name: value`. The value is an Expr when the author wrote a comparison (ATL454), else a plain value."""

    name: Name
    value: Value | Expr


@_node
class Enqueue(Node):
    """`args_end` is the offset of the closing bracket: where a fix inserts a missing argument."""

    job: Ref
    args: list[Arg]
    args_end: int


StepNode: TypeAlias = Sql | Update | Delete | Insert | Enqueue


@_node
class Steps(Node):
    steps: list[StepNode]


@_node
class Invalidate(Node):
    tag: Str


# ---------------------------------------------------------------- job clauses


@_node
class Args(Node):
    """A job's `args { fields }`."""

    fields: list[Field]


@_node
class Retries(Node):
    value: Literal | Word


@_node
class Timeout(Node):
    """value is None for `none`; anything but a Duration is wrong (ATL403)."""

    value: Literal | Word | None


@_node
class Heartbeat(Node):
    value: Literal | Word


@_node
class Queue(Node):
    value: Str


@_node
class Schedule(Node):
    value: Str


@_node
class VisibleTo(Node):
    value: Str


Clause: TypeAlias = Args | Retries | Timeout | Heartbeat | Queue | Schedule | VisibleTo


# ---------------------------------------------------------------- workflow parts


@_node
class State(Node):
    fields: list[Field]


@_node
class JobUse(Node):
    """`job Name` inside a step or compensation."""

    job: Ref


@_node
class StepArgs(Node):
    """`args { name: value }` of a step or compensation; `close` is the offset of its `}`."""

    args: list[Arg]
    close: int


@_node
class Step(Node):
    name: Name
    parts: list[JobUse | StepArgs]


@_node
class Compensate(Node):
    step: Name
    parts: list[JobUse | StepArgs]


@_node
class Ttl(Node):
    duration: Duration


@_node
class EnumLabel(Node):
    """`text` is the label itself; `quoted` when it was written as a string."""

    text: str
    quoted: bool


# ---------------------------------------------------------------- declarations


@_node
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


@_node
class EntityDecl(Decl):
    """An entity, or a hypertable when `on` is given."""

    namespace: Name | None
    on: Name | None
    hyper: bool
    members: list[Member]


@_node
class EnumDecl(Decl):
    namespace: Name | None
    labels: list[EnumLabel]


@_node
class QueryDecl(Decl):
    owner: Ref | None
    parts: list[Input | Output | Sql | Cache]


@_node
class ProcedureDecl(Decl):
    owner: Ref | None
    parts: list[Input | Steps | Invalidate]


@_node
class JobDecl(Decl):
    namespace: Name | None
    clauses: list[Clause]


@_node
class WorkflowDecl(Decl):
    namespace: Name | None
    parts: list[State | Step | Compensate]


@_node
class EphemeralDecl(Decl):
    namespace: Name | None
    members: list[Field | Ttl]


@_node
class BrokenDecl(Decl):
    """A declaration whose header could not be read: of no known kind, but a name it may well declare."""

    namespace: Name | None


Declaration: TypeAlias = (
    EntityDecl | EnumDecl | QueryDecl | ProcedureDecl | JobDecl | WorkflowDecl | EphemeralDecl | BrokenDecl
)
