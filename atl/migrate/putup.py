"""What comes without a scan of anything: types, functions, tables, columns, defaults, checks that are verified later.

Everything has its new name. Tables that the plan creates are empty, so what they have is made at once, in plain DDL.
"""

from __future__ import annotations

from atl.diff import Change
from atl.diff.fields import fills_each_row
from atl.diff.text import default_meaning
from atl.migrate.fates import Fate
from atl.migrate.making import (
    EXCLUSIVE,
    Attach,
    Fresh,
    Making,
    Rewrite,
    Shape,
    column_sql,
    do,
    do_block,
    sequence_default,
    set_sequence,
)
from atl.migrate.model import Lock
from atl.migrate.physical import Column, Constraint, Table
from atl.migrate.shared import (
    PARTITION_FUNCTION,
    TOUCH_FUNCTION,
    create_partition_function,
    create_touch_function,
)
from atl.migrate.sides import ColumnSides, TableSides
from atl.migrate.sqltext import default_sql, qualified, quote, quote_literal
from atl.migrate.stages import Phase

__all__ = ["add_check", "default_of", "filled_later", "late_columns", "old_default", "put_up", "validate"]


def put_up(mk: Making) -> None:
    _functions(mk)
    for id, enum in sorted(mk.sides.created_enums.items()):
        labels = ", ".join(map(quote_literal, enum.labels))
        mk.out.add(
            Phase.SHAPE,
            Shape.MADE,
            f"CREATE TYPE {enum.sql} AS ENUM ({labels})",
            f"the enum `{id}`",
            reverse=f"DROP TYPE {enum.sql}",
            change=mk.causes.find(id, "enum_added"),
        )
    for id, table in sorted(mk.sides.created.items()):
        _create(mk, id, table)
    for sides in mk.sides.tables.values():
        _unset(mk, sides)
        _add(mk, sides)
        _set(mk, sides)


def _functions(mk: Making) -> None:
    old, new = mk.sides.old.tables.values(), mk.sides.new.tables.values()
    for name, sql, had, has, comment in (
        (
            TOUCH_FUNCTION,
            create_touch_function,
            any(t.touch for t in old),
            any(t.touch for t in new),
            "what the touch triggers of all tables run",
        ),
        (
            PARTITION_FUNCTION,
            create_partition_function,
            any(t.partition for t in old),
            any(t.partition for t in new),
            "who the caller is, from the setting `atlantis.tenant`",
        ),
    ):
        if has and not had:
            mk.out.add(Phase.SHAPE, Shape.MADE, sql, comment, reverse=f"DROP FUNCTION {name}()")
        elif had and not has:
            drop = do(
                f"BEGIN DROP FUNCTION IF EXISTS {name}(); EXCEPTION WHEN dependent_objects_still_exist THEN NULL; END"
            )
            mk.out.add(Phase.FINISH, 0, drop, f"no longer used, unless by others: {comment}", reverse=sql)


# ---------------------------------------------------------------- new tables


def _create(mk: Making, id: str, table: Table) -> None:
    cause = mk.causes.find(id, "entity_added")
    add = mk.out.add
    serials = [column for column in table.columns.values() if column.generated == "serial"]
    for column in serials:
        _sequence(mk, Phase.TABLES, Fresh.TABLES, table, column, cause)
    parts = [column_sql(table.schema, c, not_null=c.not_null) for c in table.columns.values()]
    parts += [f"CONSTRAINT {quote(c.name)} {c.definition}" for c in table.constraints.values() if c.kind != "foreign"]
    body = ",\n  ".join(parts)
    add(
        Phase.TABLES,
        Fresh.TABLES,
        f"CREATE TABLE {table.sql} (\n  {body}\n)" if parts else f"CREATE TABLE {table.sql} ()",
        f"the table of `{id}`",
        reverse=f"DROP TABLE {table.sql}",
        change=cause,
    )
    for column in serials:
        _own_sequence(mk, Phase.TABLES, Fresh.TABLES, table, column, cause)
    if table.time_field:
        add(
            Phase.TABLES,
            Fresh.TABLES,
            _hypertable(table),
            "in chunks of time",
            no_reverse="it goes with its table",
            change=cause,
        )
    for index in table.indexes.values():
        mk.create_index(Phase.TABLES, Fresh.INDEXES, table, index, cause)
    if table.touch:
        mk.create_trigger(Phase.TABLES, Fresh.TRIGGERS, table.sql, table.touch, cause)
    if table.partition:
        mk.create_policies(Phase.TABLES, Fresh.TRIGGERS, table.sql, table.partition, cause)
    for constraint in table.constraints.values():
        if constraint.kind == "foreign":
            phase = Phase.TABLES if _target_stands(mk, constraint) else Phase.ATTACH
            step = int(Fresh.REFERENCES if phase is Phase.TABLES else Attach.REFERENCES)
            name = quote(constraint.name)
            add(
                phase,
                step,
                f"ALTER TABLE {table.sql} ADD CONSTRAINT {name} {constraint.definition}",
                f"values of `{constraint.columns[0]}` exist in `{constraint.target[0]}`",
                lock=Lock.SHARE_ROW_EXCLUSIVE,
                reverse=f"ALTER TABLE {table.sql} DROP CONSTRAINT {name}",
                change=cause,
            )


def _hypertable(table: Table) -> str:
    interval = ""
    if table.chunk_interval_ms is not None:
        interval = f", chunk_time_interval => INTERVAL '{table.chunk_interval_ms} milliseconds'"
    return (
        f"SELECT create_hypertable({quote_literal(table.sql)}, {quote_literal(table.time_field)}{interval},"
        " create_default_indexes => FALSE)"
    )


def _target_stands(mk: Making, foreign: Constraint) -> bool:
    """Whether what a foreign key points at is unique already when tables are created."""
    id, column = foreign.target
    table = mk.sides.tables.get(id)
    if table is None:
        return True
    if column not in table.columns or column in table.retyped:
        return False
    mine = mk.fates.tables[id]
    return any(
        c.kind in ("primary", "unique") and c.columns == (column,) and mine.constraints[key] is Fate.KEPT
        for key, c in table.old.constraints.items()
    )


def _sequence(
    mk: Making, phase: Phase, step: int, table: Table, column: Column, cause: Change | None, group: str = ""
) -> None:
    where = qualified(table.schema, column.sequence)
    mk.out.add(
        phase,
        step,
        f"CREATE SEQUENCE {where} AS {column.type}",
        f"the sequence of `{column.name}`",
        reverse=f"DROP SEQUENCE {where}",
        change=cause,
        group=group,
    )


def _own_sequence(
    mk: Making, phase: Phase, step: int, table: Table, column: Column, cause: Change | None, group: str = ""
) -> None:
    where = qualified(table.schema, column.sequence)
    mk.out.add(
        phase,
        step,
        f"ALTER SEQUENCE {where} OWNED BY {table.sql}.{quote(column.name)}",
        "it goes when its column goes",
        lock=EXCLUSIVE,
        reverse=f"ALTER SEQUENCE {where} OWNED BY NONE",
        change=cause,
        group=group,
    )


# ---------------------------------------------------------------- tables that stay


def late_columns(table: TableSides) -> set[str]:
    """Columns that have their final form only after `Phase.REWRITE`."""
    return {*table.retyped, *(c.name for c in table.added if fills_each_row(table.entity.fields[c.name]))}


def filled_later(table: TableSides, column: Column) -> bool:
    """Whether an added column is null at first, and filled by its backfill rather than by its default."""
    f = table.entity.fields[column.name]
    return f.not_null and f.backfill != "" and not f.generated


def default_of(column: Column, table: Table) -> str:
    return sequence_default(table.schema, column.sequence) if column.generated == "serial" else column.default


def old_default(mk: Making, table: TableSides, sides: ColumnSides) -> str:
    """The default that a column had, under the new names, and with its enum where it is by now; "" without one."""
    if sides.before is None:
        return ""
    if sides.old.generated == "serial":
        name = mk.aside.get((table.new.schema, sides.old.sequence), sides.new.sequence or sides.old.sequence)
        return sequence_default(table.new.schema, name)
    if sides.old.generated:
        return ""
    default, parked = default_sql(sides.before, mk.diff.followed), mk.parked_enums.get(sides.old.type)
    return default if parked is None else default.replace(sides.old.type, parked)


def _unset(mk: Making, table: TableSides) -> None:
    sql, mine = table.new.sql, mk.fates.tables[table.id]
    for key, constraint in table.old.constraints.items():
        if mine.constraints[key] is Fate.DROPPED:
            named = mk.aside.get((table.id, constraint.name), constraint.name)
            cause = mk.cause_of_constraint(table, constraint)
            mk.drop_constraint(Phase.SHAPE, Shape.UNSET, sql, _called(constraint, named), cause)
    keys = {name for c in table.old.constraints.values() if c.kind == "primary" for name in c.columns}
    replaced = mine.constraints.get(("primary",)) is Fate.LAST
    for name, sides in table.columns.items():
        _unset_generated(mk, table, name, sides)
        alter = f"ALTER TABLE {sql} ALTER COLUMN {quote(name)}"
        if sides.default_before is not None and sides.default_after is None and not sides.retyped:
            mk.out.add(
                Phase.SHAPE,
                Shape.UNSET,
                f"{alter} DROP DEFAULT",
                f"`{name}` has no default",
                lock=EXCLUSIVE,
                reverse=f"{alter} SET DEFAULT {old_default(mk, table, sides)}",
                change=mk.causes.column(table.id, name, "field_default", "field_serial_set", "field_identity_set"),
            )
        if sides.old.not_null and not sides.new.not_null:
            in_key = replaced and name in keys
            mk.out.add(
                Phase.ATTACH if in_key else Phase.SHAPE,
                int(Attach.NULLS if in_key else Shape.UNSET),
                f"{alter} DROP NOT NULL",
                f"`{name}` may be null",
                lock=EXCLUSIVE,
                reverse=f"{alter} SET NOT NULL",
                change=mk.causes.column(table.id, name, "field_not_null"),
            )


def _called(constraint: Constraint, name: str) -> Constraint:
    from dataclasses import replace

    return replace(constraint, name=name)


def _unset_generated(mk: Making, table: TableSides, name: str, sides: ColumnSides) -> None:
    old, schema = sides.old, table.new.schema
    if not old.generated or old.generated == sides.new.generated:
        return
    alter = f"ALTER TABLE {table.new.sql} ALTER COLUMN {quote(name)}"
    sequence = mk.aside.get((schema, old.sequence), old.sequence)
    cause = mk.causes.column(table.id, name, f"field_{old.generated}_unset")
    again = set_sequence(table.new.sql, name, schema, sequence)
    if old.generated == "identity":
        create = f"{alter} ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME {qualified(schema, sequence)})"
        reverse = do_block(create, again)
        mk.out.add(
            Phase.SHAPE,
            Shape.UNSET,
            f"{alter} DROP IDENTITY",
            f"`{name}` is no longer counted",
            lock=EXCLUSIVE,
            reverse=reverse,
            change=cause,
        )
        return
    mk.out.add(
        Phase.SHAPE,
        Shape.UNSET,
        f"{alter} DROP DEFAULT",
        f"`{name}` is no longer counted",
        lock=EXCLUSIVE,
        reverse=f"{alter} SET DEFAULT {sequence_default(schema, sequence)}",
        change=cause,
    )
    where = qualified(schema, sequence)
    mk.out.add(
        Phase.SHAPE,
        Shape.UNSET,
        f"DROP SEQUENCE {where}",
        f"drop the sequence `{sequence}`",
        reverse=do_block(f"CREATE SEQUENCE {where} AS {old.type} OWNED BY {table.new.sql}.{quote(name)}", again),
        change=cause,
    )


def _add(mk: Making, table: TableSides) -> None:
    late = late_columns(table)
    for column in table.added:
        cause = mk.causes.find(table.id, "field_added", member=column.name)
        each_row = column.name in late
        phase, step, group = (
            (Phase.REWRITE, int(Rewrite.ADD), table.id) if each_row else (Phase.SHAPE, int(Shape.ADD), "")
        )
        waits = filled_later(table, column)
        if column.generated == "serial":
            _sequence(mk, phase, step, table.new, column, cause, group)
        spelled = column_sql(table.new.schema, column, not_null=column.not_null and not waits, default=not waits)
        mk.out.add(
            phase,
            step,
            f"ALTER TABLE {table.new.sql} ADD COLUMN {spelled}",
            f"add the column `{column.name}`" + (", with a value of its own for each row" if each_row else ""),
            lock=EXCLUSIVE,
            reverse=f"ALTER TABLE {table.new.sql} DROP COLUMN {quote(column.name)}",
            change=cause,
            group=group,
        )
        if column.generated == "serial":
            _own_sequence(mk, phase, step, table.new, column, cause, group)
        if waits and column.default:
            _set_default(mk, table, column.name, column.default, "", cause)


def _set_default(mk: Making, table: TableSides, name: str, default: str, before: str, cause: Change | None) -> None:
    alter = f"ALTER TABLE {table.new.sql} ALTER COLUMN {quote(name)}"
    mk.out.add(
        Phase.SHAPE,
        Shape.SET,
        f"{alter} SET DEFAULT {default}",
        f"`{name}` has another default for rows to come",
        lock=EXCLUSIVE,
        reverse=f"{alter} SET DEFAULT {before}" if before else f"{alter} DROP DEFAULT",
        change=cause,
    )


def _set(mk: Making, table: TableSides) -> None:
    for name, sides in table.columns.items():
        after = sides.default_after
        changed = default_meaning(after) != default_meaning(sides.default_before)
        if after is not None and changed and not sides.retyped:
            cause = mk.causes.column(table.id, name, "field_default", "field_added")
            _set_default(mk, table, name, sides.new.default, old_default(mk, table, sides), cause)
    late = late_columns(table)
    for constraint in mk.fates.tables[table.id].made_constraints:
        if constraint.kind == "check" and not late & set(constraint.columns):
            add_check(mk, Phase.SHAPE, Shape.CHECKS, table, constraint)
    if table.hyper:
        for index in mk.fates.tables[table.id].made_indexes:
            if not late & set(index.columns):
                mk.create_index(Phase.SHAPE, Shape.NEW_INDEXES, table.new, index, mk.cause_of_index(table, index))
    followed = mk.diff.followed.entities.get(table.id)
    was = table.old.touch if followed is None or followed.touch_on_update == table.old.touch else ""
    if table.new.touch and table.new.touch != was:
        cause = mk.causes.find(table.id, "touch_", "field_renamed", "entity_", "field_")
        mk.create_trigger(Phase.SHAPE, Shape.NEW_TRIGGERS, table.new.sql, table.new.touch, cause)


def add_check(mk: Making, phase: Phase, step: int, table: TableSides, check: Constraint, group: str = "") -> None:
    """Unverified, and verified in a later stage; at once on a hypertable, which cannot do the one after the other."""
    cause = mk.cause_of_constraint(table, check)
    name = quote(check.name)
    later = "" if table.hyper else " NOT VALID"
    mk.out.add(
        phase,
        step,
        f"ALTER TABLE {table.new.sql} ADD CONSTRAINT {name} {check.definition}{later}",
        f"rows to come pass `{check.name}`",
        lock=EXCLUSIVE,
        reverse=f"ALTER TABLE {table.new.sql} DROP CONSTRAINT {name}",
        change=cause,
        group=group,
    )
    if later:
        validate(mk, table, check, cause)


def validate(mk: Making, table: TableSides, constraint: Constraint, cause: Change | None) -> None:
    mk.out.add(
        Phase.VALIDATE,
        0,
        f"ALTER TABLE {table.new.sql} VALIDATE CONSTRAINT {quote(constraint.name)}",
        f"rows that are there are verified: `{constraint.name}`",
        lock=Lock.SHARE_UPDATE_EXCLUSIVE,
        no_reverse="to be verified is nothing that could be undone",
        change=cause,
    )
