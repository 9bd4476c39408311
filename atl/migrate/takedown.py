"""What goes away: what is in the way is dropped, columns, tables and enums are parked. Everything has its old name."""

from __future__ import annotations

from atl.diff import Change
from atl.migrate.fates import Fate
from atl.migrate.making import EXCLUSIVE, Making, Shape, do, do_block, sequence_default, set_sequence
from atl.migrate.model import PARKING, Lock, Parked
from atl.migrate.physical import Column, Constraint, Index, Physical, Table
from atl.migrate.sides import TableSides
from atl.migrate.sqltext import qualified, quote
from atl.migrate.stages import Phase
from atl.schema.naming import SCHEMA

__all__ = ["take_down"]


def take_down(mk: Making) -> None:
    _schemas(mk)
    for table in mk.sides.tables.values():
        _in_the_way(mk, table)
    for id, gone in sorted(mk.sides.gone.items()):
        _park_table(mk, id, gone)
    for id, enum in sorted(mk.sides.gone_enums.items()):
        name = mk.parked_name(enum.name)
        parked = Parked("enum", id, "", (enum.schema, enum.name), (PARKING, name), labels=enum.labels)
        mk.parked_enums[enum.sql] = qualified(*parked.at)
        _move(mk, "TYPE", parked, mk.causes.find(id, "enum_removed"), Lock.NONE)


def _schemas(mk: Making) -> None:
    there = _used(mk.sides.old) | {"public"}
    wanted = _used(mk.sides.new)
    if mk.sides.gone or mk.sides.gone_enums:
        wanted.add(PARKING)
    for schema in sorted(wanted - there):
        mk.out.add(
            Phase.SHAPE,
            Shape.SCHEMAS,
            f"CREATE SCHEMA IF NOT EXISTS {quote(schema)}",
            f"the schema `{schema}`",
            no_reverse="it may have been there before, and hold other things",
        )
    for schema in sorted(there - wanted - {"public"}):
        mk.out.add(
            Phase.FINISH,
            1,
            do(
                f"BEGIN DROP SCHEMA IF EXISTS {quote(schema)};"
                " EXCEPTION WHEN dependent_objects_still_exist THEN NULL; END"
            ),
            f"the schema `{schema}`, unless something else is in it",
            reverse=f"CREATE SCHEMA IF NOT EXISTS {quote(schema)}",
        )


def _used(side: Physical) -> set[str]:
    """The PostgreSQL schemas that a side needs, that of the shared functions among them."""
    tables = side.tables.values()
    shared = {SCHEMA} if any(table.touch or table.partition for table in tables) else set()
    return {table.schema for table in tables} | {enum.schema for enum in side.enums.values()} | shared


# ---------------------------------------------------------------- tables that stay


def _in_the_way(mk: Making, table: TableSides) -> None:
    plain, old_sql = table.plain, table.plain.sql
    by_name = {constraint.name: constraint for constraint in plain.constraints.values()}
    index_by_name = {index.name: index for index in plain.indexes.values()}
    mine = mk.fates.tables[table.id]
    dropped: list[tuple[tuple[str, ...], str]] = []
    removed = {column.name for column in table.removed}
    for key, constraint in table.old.constraints.items():
        if mine.constraints[key] is Fate.FIRST:
            was = by_name[constraint.name]
            step = Shape.FOREIGN_KEYS if was.kind == "foreign" else Shape.CONSTRAINTS
            cause = mk.cause_of_constraint(table, constraint)
            dropped.append((was.columns, mk.drop_constraint(Phase.SHAPE, step, old_sql, was, cause)))
    for key, index in table.old.indexes.items():
        if mine.indexes[key] is Fate.FIRST:
            was_index = index_by_name[index.name]
            phase = Phase.SHAPE if table.hyper else Phase.EARLY_DROPS
            cause = mk.cause_of_index(table, index)
            reverse = mk.drop_index(phase, Shape.INDEXES, plain, index.name, was_index, cause, plain=table.hyper)
            dropped.append((was_index.columns, reverse))
    if plain.touch and (plain.touch in removed or _touched(mk, table) != plain.touch or table.new.touch != plain.touch):
        cause = mk.causes.find(table.id, "touch_", "field_renamed", "entity_", "field_")
        reverse = mk.drop_trigger(Shape.TRIGGERS, old_sql, plain.touch, cause)
        dropped.append(((plain.touch,), reverse))
    if plain.partition in removed:
        cause = mk.causes.find(table.id, "partition_")
        off = not table.new.partition
        for reverse in mk.drop_policies(Phase.SHAPE, Shape.TRIGGERS, old_sql, plain.partition, cause, switch=off):
            dropped.append(((plain.partition,), reverse))
    for column in table.removed:
        back = [reverse for columns, reverse in dropped if column.name in columns]
        _park_column(mk, table, column, back)


def _touched(mk: Making, table: TableSides) -> str:
    """The old touch column under its new name."""
    followed = mk.diff.followed.entities.get(table.id)
    return followed.touch_on_update if followed is not None else ""


def _park_column(mk: Making, table: TableSides, column: Column, dropped: list[str]) -> None:
    plain = table.plain
    cause = mk.causes.find(table.id, "field_removed", member=column.name) or mk.causes.find(table.id, "entity_")
    dropped = dropped + _bare(mk, plain, column, cause)
    if column.not_null:
        dropped.append(f"ALTER TABLE {plain.sql} ALTER COLUMN {quote(column.name)} SET NOT NULL")
        mk.out.add(
            Phase.SHAPE,
            Shape.PARK,
            f"ALTER TABLE {plain.sql} ALTER COLUMN {quote(column.name)} DROP NOT NULL",
            f"rows to come have no `{column.name}`",
            lock=EXCLUSIVE,
            reverse=dropped[-1],
            change=cause,
        )
    name = mk.parked_name(column.name)
    place = (plain.schema, plain.name)
    mk.out.add(
        Phase.SHAPE,
        Shape.PARK,
        f"ALTER TABLE {plain.sql} RENAME COLUMN {quote(column.name)} TO {quote(name)}",
        f"park the column `{column.name}` with its values",
        lock=EXCLUSIVE,
        reverse=f"ALTER TABLE {plain.sql} RENAME COLUMN {quote(name)} TO {quote(column.name)}",
        change=cause,
        parks=Parked(
            "column",
            plain.id,
            column.name,
            place,
            (table.new.schema, table.new.name),
            name,
            ((column.name, column.type, column.not_null),),
            dropped=tuple(dropped),
        ),
    )


def _bare(mk: Making, table: Table, column: Column, cause: Change | None) -> list[str]:
    """Take a column's default, identity or sequence away; the statements that put it back."""
    alter = f"ALTER TABLE {table.sql} ALTER COLUMN {quote(column.name)}"
    comment = f"`{column.name}` is no longer filled"
    if column.generated == "identity":
        where = qualified(table.schema, column.sequence)
        reverse = do_block(
            f"{alter} ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME {where})",
            set_sequence(table.sql, column.name, table.schema, column.sequence),
        )
        _add(mk, f"{alter} DROP IDENTITY", comment, reverse, cause)
        return [reverse]
    if column.generated == "serial":
        default = f"{alter} SET DEFAULT {sequence_default(table.schema, column.sequence)}"
        _add(mk, f"{alter} DROP DEFAULT", comment, default, cause)
        sequence = qualified(table.schema, column.sequence)
        create = do_block(
            f"CREATE SEQUENCE {sequence} AS {column.type} OWNED BY {table.sql}.{quote(column.name)}",
            set_sequence(table.sql, column.name, table.schema, column.sequence),
        )
        _add(mk, f"DROP SEQUENCE {sequence}", f"drop the sequence `{column.sequence}`", create, cause)
        return [create, default]
    if column.default:
        reverse = f"{alter} SET DEFAULT {column.default}"
        _add(mk, f"{alter} DROP DEFAULT", comment, reverse, cause)
        return [reverse]
    return []


def _add(mk: Making, sql: str, comment: str, reverse: str, cause: Change | None) -> None:
    mk.out.add(Phase.SHAPE, Shape.DEFAULTS, sql, comment, lock=EXCLUSIVE, reverse=reverse, change=cause)


# ---------------------------------------------------------------- tables that go


def _park_table(mk: Making, id: str, table: Table) -> None:
    cause = mk.causes.find(id, "entity_removed")
    dropped: list[str] = []
    foreign_keys: list[Constraint] = [c for c in table.constraints.values() if c.kind == "foreign"]
    others = [c for c in table.constraints.values() if c.kind != "foreign"]
    for constraint in foreign_keys:
        dropped.append(mk.drop_constraint(Phase.SHAPE, Shape.FOREIGN_KEYS, table.sql, constraint, cause))
    if table.touch:
        dropped.append(mk.drop_trigger(Shape.TRIGGERS, table.sql, table.touch, cause))
    if table.partition:
        dropped += mk.drop_policies(Phase.SHAPE, Shape.TRIGGERS, table.sql, table.partition, cause)
    for constraint in others:
        dropped.append(mk.drop_constraint(Phase.SHAPE, Shape.CONSTRAINTS, table.sql, constraint, cause))
    for index in table.indexes.values():
        dropped.append(_drop_index(mk, table, index, cause))
    for column in table.columns.values():
        dropped += _bare(mk, table, column, cause)
    name = mk.parked_name(table.name)
    columns = tuple((column.name, column.type, column.not_null) for column in table.columns.values())
    place = (table.schema, table.name)
    parked = Parked("table", id, "", place, (PARKING, name), columns=columns, dropped=tuple(dropped))
    _move(mk, "TABLE", parked, cause, EXCLUSIVE)


def _drop_index(mk: Making, table: Table, index: Index, cause: Change | None) -> str:
    return mk.drop_index(Phase.SHAPE, Shape.INDEXES, table, index.name, index, cause, plain=True)


def _move(mk: Making, kind: str, parked: Parked, cause: Change | None, lock: Lock) -> None:
    """Into the parking schema, under a name of its own there."""
    (schema, name), (parking, parked_name) = parked.was, parked.at
    aside = qualified(schema, parked_name)
    mk.out.add(
        Phase.SHAPE,
        Shape.PARK,
        f"ALTER {kind} {qualified(schema, name)} RENAME TO {quote(parked_name)}",
        f"park the {kind.lower()} `{name}`",
        lock=lock,
        reverse=f"ALTER {kind} {aside} RENAME TO {quote(name)}",
        change=cause,
    )
    mk.out.add(
        Phase.SHAPE,
        Shape.PARK,
        f"ALTER {kind} {aside} SET SCHEMA {quote(parking)}",
        "out of the way, as it is" if parked.kind == "enum" else "with all its rows",
        lock=lock,
        reverse=f"ALTER {kind} {qualified(parking, parked_name)} SET SCHEMA {quote(schema)}",
        change=cause,
        parks=parked,
    )
