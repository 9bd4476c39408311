"""The two sides of a plan, matched: which table, column and type of the database becomes which of the new schema.

The old side's objects keep the names that they have in the database; their keys and definitions are under the new
names, so that what is the same on both sides is found by its key. What the database has parked and a declaration wants
back stands among the old side's, bare of everything that hung on it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from atl.diff import Diff
from atl.diff.following import Following
from atl.diff.renames import GONE
from atl.migrate.model import Parked
from atl.migrate.physical import Column, EnumType, Physical, Table, physical
from atl.schema import model as m

__all__ = ["ColumnSides", "EnumSides", "Sides", "TableSides", "match"]

_Fields: TypeAlias = "dict[str, tuple[Column, m.Field | None]]"


@dataclass(frozen=True, slots=True)
class ColumnSides:
    """A column that stays. before: the field as it was, under its new names; None of one that is brought back."""

    old: Column
    new: Column
    before: m.Field | None
    after: m.Field
    unpark: Parked | None = None

    @property
    def retyped(self) -> bool:
        return self.before is not None and self.before.type != self.after.type

    @property
    def default_before(self) -> m.Value | None:
        return None if self.before is None or self.old.generated else self.before.default

    @property
    def default_after(self) -> m.Value | None:
        return None if self.new.generated else self.after.default


@dataclass(frozen=True, slots=True)
class TableSides:
    """A table that stays. id: the new one. plain: the old table with keys and definitions under the old names.
    columns: by new name. added: new columns. removed: old ones, by old name. retyped: new names of the columns whose
    type changes. unpark: it is brought back."""

    id: str
    old: Table
    plain: Table
    new: Table
    entity: m.Entity
    columns: dict[str, ColumnSides]
    added: tuple[Column, ...]
    removed: tuple[Column, ...]
    retyped: frozenset[str]
    unpark: Parked | None = None

    @property
    def hyper(self) -> bool:
        return self.entity.hyper


@dataclass(frozen=True, slots=True)
class EnumSides:
    """An enum that stays. renamed: old labels to new ones. added: new labels. unpark: it is brought back."""

    old: EnumType
    new: EnumType
    renamed: dict[str, str]
    added: tuple[str, ...]
    unpark: Parked | None = None


@dataclass(slots=True)
class Sides:
    """old, new: all objects, the old ones by old id and under new names. followed: old ids to new ones, of what stays.
    by_hand: new ids of tables that a change by hand concerns: nothing is done to them. created: tables, enums of the
    new side alone; gone: of the old side alone, under their old names."""

    old: Physical
    new: Physical
    followed: dict[str, str] = field(default_factory=dict)
    by_hand: set[str] = field(default_factory=set)
    tables: dict[str, TableSides] = field(default_factory=dict)
    created: dict[str, Table] = field(default_factory=dict)
    gone: dict[str, Table] = field(default_factory=dict)
    enums: dict[str, EnumSides] = field(default_factory=dict)
    created_enums: dict[str, EnumType] = field(default_factory=dict)
    gone_enums: dict[str, EnumType] = field(default_factory=dict)


class _Followed:
    """The old side under its new names."""

    def __init__(self, diff: Diff) -> None:
        self.renames = diff.renames
        self.schema = diff.followed
        self.following = Following(diff.old, diff.followed, diff.renames)
        self.taken = {**diff.renames.entities, **diff.renames.enums}

    def id(self, id: str) -> str:
        new = self.renames.entities.get(id)
        if new is not None:
            return new
        return f"{id}{GONE}" if id in self.renames.entities.values() else id

    def enum(self, id: str) -> str:
        new = self.renames.enums.get(id)
        if new is not None:
            return new
        return f"{id}{GONE}" if id in self.renames.enums.values() else id

    def field(self, id: str, name: str) -> str:
        own = self.renames.of_fields(self.id(id))
        if name in own:
            return own[name]
        return f"{name}{GONE}" if name in own.values() else name

    def table(self, id: str) -> tuple[str, str]:
        return self.schema.entities[self.id(id)].table

    def sql(self, id: str, sql: str) -> str:
        return self.following.text(self.id(id), sql)

    def meaning(self, id: str, sql: str) -> str:
        return self.following.expression(self.id(id), sql)


def match(diff: Diff, parked: Sequence[Parked]) -> Sides:
    """The sides of a diff; of several parked objects that fit an addition the last one is brought back."""
    names = _Followed(diff)
    plain = physical(diff.old)
    # Without a rename the old side's names are the new ones already.
    sides = Sides(physical(diff.old, names) if diff.renames.any else plain, physical(diff.new))
    sides.by_hand = {change.id for change in diff.changes if change.manual}
    _match_enums(sides, diff, names, parked)
    for id, table in sides.old.tables.items():
        new_id = names.id(id)
        if new_id not in sides.new.tables:
            sides.gone[id] = plain.tables[id]
            continue
        sides.followed[id] = new_id
        if new_id not in sides.by_hand:
            entity, before = diff.new.entities[new_id], diff.followed.entities[new_id]
            known = {names.field(id, name): name for name in table.columns}
            fields: _Fields = {new: (table.columns[old], before.fields[new]) for new, old in known.items()}
            sides.tables[new_id] = _table(sides, entity, table, plain.tables[id], fields, parked)
    standing = set(sides.followed.values())
    for new_id, made in sides.new.tables.items():
        if new_id in standing:
            continue
        back = next((p for p in reversed(parked) if _fits_table(p, made, sides, diff, parked)), None)
        if back is None:
            sides.created[new_id] = made
            continue
        columns = {name: Column(name, type_, not_null) for name, type_, not_null in back.columns}
        was = Table(new_id, *back.at, columns)
        fields = {name: (column, None) for name, column in columns.items()}
        sides.tables[new_id] = _table(sides, diff.new.entities[new_id], was, was, fields, parked, back)
    return sides


def _table(
    sides: Sides,
    entity: m.Entity,
    old: Table,
    plain: Table,
    fields: _Fields,
    parked: Sequence[Parked],
    unpark: Parked | None = None,
) -> TableSides:
    new = sides.new.tables[entity.id]
    columns: dict[str, ColumnSides] = {}
    added: list[Column] = []
    for name, column in new.columns.items():
        after = entity.fields[name]
        if name in fields:
            was, before = fields[name]
            columns[name] = ColumnSides(was, column, before, after)
            continue
        back = next((p for p in reversed(parked) if _fits_column(p, old, column, after, sides, parked)), None)
        if back is None:
            added.append(column)
        else:
            columns[name] = ColumnSides(Column(back.name, column.type, False), column, None, after, back)
    removed = tuple(column for name, (column, _) in fields.items() if name not in new.columns)
    retyped = frozenset(name for name, column in columns.items() if column.retyped)
    return TableSides(entity.id, old, plain, new, entity, columns, tuple(added), removed, retyped, unpark)


def _fits_column(
    back: Parked, table: Table, column: Column, after: m.Field, sides: Sides, parked: Sequence[Parked]
) -> bool:
    return (
        back.kind == "column"
        and back.at == (table.schema, table.name)
        and back.member == column.name
        and back.columns[0][1] == column.type
        and _same_enum(after, sides, parked)
    )


def _fits_table(back: Parked, table: Table, sides: Sides, diff: Diff, parked: Sequence[Parked]) -> bool:
    if back.kind != "table" or back.was != (table.schema, table.name):
        return False
    fields = diff.new.entities[table.id].fields
    return all(
        name in table.columns and table.columns[name].type == type_ and _same_enum(fields[name], sides, parked)
        for name, type_, _ in back.columns
    )


def _same_enum(after: m.Field, sides: Sides, parked: Sequence[Parked]) -> bool:
    """Whether the type of that name is the one that a parked column has: it never went away, or comes back too."""
    if not after.type.enum:
        return True
    enum = sides.enums.get(after.type.enum)
    if enum is None:
        return False
    if enum.unpark is not None:
        return True
    return not any(p.kind == "enum" and p.was == (enum.new.schema, enum.new.name) for p in parked)


def _match_enums(sides: Sides, diff: Diff, names: _Followed, parked: Sequence[Parked]) -> None:
    by_hand = {change.id for change in diff.changes if change.manual and change.kind.startswith("enum_")}
    standing = set()
    for id, enum in sides.old.enums.items():
        new_id = names.enum(id)
        if new_id not in sides.new.enums:
            sides.gone_enums[id] = enum
            continue
        standing.add(new_id)
        new = sides.new.enums[new_id]
        renamed = diff.renames.labels.get(new_id, {})
        kept = {renamed.get(label, label) for label in enum.labels}
        added = tuple(label for label in new.labels if label not in kept)
        if new_id in by_hand:
            # What SQL can do without the labels that have to go is not done either: they go together.
            added, renamed = (), {}
        sides.enums[new_id] = EnumSides(enum, new, renamed, added)
    for id, new in sides.new.enums.items():
        if id in standing:
            continue
        back = next((p for p in reversed(parked) if _fits_enum(p, new)), None)
        if back is None:
            sides.created_enums[id] = new
        else:
            added = tuple(label for label in new.labels if label not in back.labels)
            sides.enums[id] = EnumSides(EnumType(id, *back.at, back.labels), new, {}, added, back)


def _fits_enum(back: Parked, new: EnumType) -> bool:
    return back.kind == "enum" and back.was == (new.schema, new.name) and set(back.labels) <= set(new.labels)
