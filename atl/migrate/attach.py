"""Keys, foreign keys and indexes of tables that stay, and what needs them: built first, then put in place at once."""

from __future__ import annotations

from atl.migrate.fates import Fate
from atl.migrate.making import EXCLUSIVE, Attach, Making, set_sequence
from atl.migrate.model import Lock
from atl.migrate.physical import Constraint
from atl.migrate.putup import late_columns, validate
from atl.migrate.sides import TableSides
from atl.migrate.sqltext import name_list, qualified, quote, quote_literal
from atl.migrate.stages import Phase

__all__ = ["attach"]


def attach(mk: Making) -> None:
    for table in mk.sides.tables.values():
        _drop(mk, table)
        for constraint in mk.fates.tables[table.id].made_constraints:
            if constraint.kind in ("primary", "unique"):
                _key(mk, table, constraint)
            elif constraint.kind == "foreign":
                _reference(mk, table, constraint)
        _indexes(mk, table)
        _counted(mk, table)
        _partition(mk, table)
        _chunks(mk, table)


def _drop(mk: Making, table: TableSides) -> None:
    mine = mk.fates.tables[table.id]
    for key, constraint in table.old.constraints.items():
        if mine.constraints[key] is not Fate.LAST:
            continue
        foreign = constraint.kind == "foreign"
        place = table.id if foreign else table.new.schema
        name = mk.aside.get((place, constraint.name), constraint.name)
        called = Constraint(
            constraint.key, constraint.kind, name, constraint.definition, constraint.columns, constraint.meaning
        )
        step = Attach.FOREIGN_KEYS if foreign else Attach.KEYS
        cause = mk.cause_of_constraint(table, constraint)
        mk.drop_constraint(Phase.ATTACH, step, table.new.sql, called, cause)


def _key(mk: Making, table: TableSides, constraint: Constraint) -> None:
    sql, name, cause = table.new.sql, quote(constraint.name), mk.cause_of_constraint(table, constraint)
    word = "PRIMARY KEY" if constraint.kind == "primary" else "UNIQUE"
    drop = f"ALTER TABLE {sql} DROP CONSTRAINT {name}"
    if table.hyper:
        made, comment = constraint.definition, f"{word.lower()} over its columns"
    else:
        columns = f"USING btree ({name_list(constraint.columns)})"
        mk.build_index(Phase.BUILD, table.new, constraint.name, columns, True, cause)
        made, comment = f"{word} USING INDEX {name}", f"the index becomes the constraint `{constraint.name}`"
    mk.out.add(
        Phase.ATTACH,
        Attach.NEW_KEYS,
        f"ALTER TABLE {sql} ADD CONSTRAINT {name} {made}",
        comment,
        lock=EXCLUSIVE,
        reverse=drop,
        change=cause,
    )


def _reference(mk: Making, table: TableSides, constraint: Constraint) -> None:
    cause, name = mk.cause_of_constraint(table, constraint), quote(constraint.name)
    later = "" if table.hyper else " NOT VALID"
    mk.out.add(
        Phase.ATTACH,
        Attach.REFERENCES,
        f"ALTER TABLE {table.new.sql} ADD CONSTRAINT {name} {constraint.definition}{later}",
        f"values of `{constraint.columns[0]}` to come exist in `{constraint.target[0]}`",
        lock=Lock.SHARE_ROW_EXCLUSIVE,
        reverse=f"ALTER TABLE {table.new.sql} DROP CONSTRAINT {name}",
        change=cause,
    )
    if later:
        validate(mk, table, constraint, cause)


def _indexes(mk: Making, table: TableSides) -> None:
    mine = mk.fates.tables[table.id]
    late = late_columns(table)
    for index in mine.made_indexes:
        cause = mk.cause_of_index(table, index)
        if not table.hyper:
            mk.build_index(Phase.BUILD, table.new, index.name, index.definition, index.unique, cause)
        elif late & set(index.columns):
            mk.create_index(Phase.ATTACH, Attach.NEW_KEYS, table.new, index, cause)
    for key, index in table.old.indexes.items():
        if mine.indexes[key] is Fate.LAST:
            name = mk.aside.get((table.new.schema, index.name), index.name)
            phase = Phase.FINISH if table.hyper else Phase.LATE_DROPS
            mk.drop_index(phase, 0, table.new, name, index, mk.cause_of_index(table, index), plain=table.hyper)


def _counted(mk: Making, table: TableSides) -> None:
    """A serial or identity column on what was there: it goes on after the greatest value."""
    schema, sql = table.new.schema, table.new.sql
    for name, sides in table.columns.items():
        generated = sides.new.generated
        if not generated or generated == sides.old.generated:
            continue
        cause = mk.causes.column(table.id, name, f"field_{generated}_set", "field_added")
        where = qualified(schema, sides.new.sequence)
        alter = f"ALTER TABLE {sql} ALTER COLUMN {quote(name)}"
        again = set_sequence(sql, name, schema, sides.new.sequence)
        if generated == "identity":
            steps = [
                (
                    f"{alter} ADD GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME {where})",
                    f"`{name}` is counted",
                    f"{alter} DROP IDENTITY",
                )
            ]
        else:
            default = f"nextval({quote_literal(where)}::regclass)"
            steps = [
                (f"CREATE SEQUENCE {where} AS {sides.new.type}", f"the sequence of `{name}`", f"DROP SEQUENCE {where}"),
                (
                    f"ALTER SEQUENCE {where} OWNED BY {sql}.{quote(name)}",
                    "it goes when its column goes",
                    f"ALTER SEQUENCE {where} OWNED BY NONE",
                ),
                (f"{alter} SET DEFAULT {default}", f"`{name}` is counted", f"{alter} DROP DEFAULT"),
            ]
        for statement, comment, reverse in steps:
            mk.out.add(Phase.ATTACH, Attach.COUNTED, statement, comment, lock=EXCLUSIVE, reverse=reverse, change=cause)
        mk.out.add(
            Phase.ATTACH,
            Attach.COUNTED,
            again,
            "it goes on after the greatest value",
            lock=Lock.ACCESS_SHARE,
            no_reverse="the sequence itself goes away",
            change=cause,
        )


def _partition(mk: Making, table: TableSides) -> None:
    """The policies change in one transaction, so that no row is seen in between by who may not."""
    followed = mk.diff.followed.entities.get(table.id)
    was = followed.partition if followed is not None else ""
    now, cause = table.new.partition, mk.causes.find(table.id, "partition_", "field_", "entity_")
    if was == now:
        return
    # They went with their column, when it was parked or got another type.
    there = was in table.columns and was not in table.retyped
    if there:
        mk.drop_policies(Phase.ATTACH, Attach.POLICIES, table.new.sql, was, cause, switch=not now)
    if now:
        mk.create_policies(Phase.ATTACH, Attach.POLICIES, table.new.sql, now, cause, switch=not was)


def _chunks(mk: Making, table: TableSides) -> None:
    """Chunks to come get their size; TimescaleDB's own default is seven days."""
    if not table.hyper or table.old.chunk_interval_ms == table.new.chunk_interval_ms:
        return
    literal = quote_literal(table.new.sql)

    def size(ms: int | None) -> str:
        return f"SELECT set_chunk_time_interval({literal}, INTERVAL '{ms or 604_800_000} milliseconds')"

    mk.out.add(
        Phase.ATTACH,
        Attach.COUNTED,
        size(table.new.chunk_interval_ms),
        "new chunks get another size",
        reverse=size(table.old.chunk_interval_ms),
        change=mk.causes.find(table.id, "chunk_"),
    )
