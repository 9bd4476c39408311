"""Values for rows that are there, and columns that become not null.

A column becomes not null without a long lock: a check is added unverified, so that no further null gets in; rows are
filled once before it, and those written meanwhile once more; the check is verified while others write; and a verified
check spares PostgreSQL the scan when the column itself becomes not null.
"""

from __future__ import annotations

from atl.diff import Change
from atl.migrate.fates import Fate
from atl.migrate.making import EXCLUSIVE, Making
from atl.migrate.model import Backfill, Lock
from atl.migrate.putup import filled_later
from atl.migrate.sides import TableSides
from atl.migrate.sqltext import quote
from atl.migrate.stages import Phase
from atl.schema.naming import physical_name

__all__ = ["fill", "filler"]

BATCH = 1000
"""Rows that one transaction of the script fills."""


def fill(mk: Making) -> None:
    for table in mk.sides.tables.values():
        for name, sides in table.columns.items():
            if sides.new.not_null and not sides.old.not_null:
                cause = mk.causes.column(table.id, name, "field_not_null", "field_added", "key_", "entity_keyless")
                _column(mk, table, name, filler(table, name), cause)
        for column in table.added:
            if filled_later(table, column):
                cause = mk.causes.find(table.id, "field_added", member=column.name)
                _column(mk, table, column.name, filler(table, column.name), cause)


def filler(table: TableSides, name: str) -> str:
    """What fills the nulls of a column that becomes not null, in SQL; "" when nothing does. A default fills only what
    a column that was away has missed."""
    f = table.entity.fields[name]
    if f.backfill:
        return f.backfill
    sides = table.columns.get(name)
    if sides is not None and sides.unpark is not None:
        return sides.new.default
    return ""


def _column(mk: Making, table: TableSides, name: str, value: str, cause: Change | None) -> None:
    sql, column = table.new.sql, quote(name)
    check = physical_name(f"{table.new.name}_{name}_filled", {c.name for c in table.new.constraints.values()})
    if value:
        _fill(mk, Phase.FILL, table, name, value, f"fill `{name}`", cause)
    if table.hyper:
        _set(mk, table, name, cause)
        return
    mk.out.add(
        Phase.NULLS_ADD,
        0,
        f"ALTER TABLE {sql} ADD CONSTRAINT {quote(check)} CHECK ({column} IS NOT NULL) NOT VALID",
        f"no further null gets into `{name}`",
        lock=EXCLUSIVE,
        reverse=f"ALTER TABLE {sql} DROP CONSTRAINT {quote(check)}",
        change=cause,
    )
    if value:
        _fill(mk, Phase.REFILL, table, name, value, f"fill what was written meanwhile without `{name}`", cause)
    mk.out.add(
        Phase.NULLS_VALIDATE,
        0,
        f"ALTER TABLE {sql} VALIDATE CONSTRAINT {quote(check)}",
        f"no row is without `{name}`",
        lock=Lock.SHARE_UPDATE_EXCLUSIVE,
        no_reverse="to be verified is nothing that could be undone",
        change=cause,
    )
    _set(mk, table, name, cause)
    mk.out.add(
        Phase.NULLS_SET,
        1,
        f"ALTER TABLE {sql} DROP CONSTRAINT {quote(check)}",
        "the column says it itself now",
        lock=EXCLUSIVE,
        reverse=f"ALTER TABLE {sql} ADD CONSTRAINT {quote(check)} CHECK ({column} IS NOT NULL) NOT VALID",
        change=cause,
    )


def _set(mk: Making, table: TableSides, name: str, cause: Change | None) -> None:
    alter = f"ALTER TABLE {table.new.sql} ALTER COLUMN {quote(name)}"
    mk.out.add(
        Phase.NULLS_SET,
        0,
        f"{alter} SET NOT NULL",
        f"`{name}` is not null",
        lock=EXCLUSIVE,
        reverse=f"{alter} DROP NOT NULL",
        change=cause,
    )


def _fill(
    mk: Making, phase: Phase, table: TableSides, name: str, value: str, comment: str, cause: Change | None
) -> None:
    sql, assign, pending = table.new.sql, f"{quote(name)} = ({value})", f"{quote(name)} IS NULL"
    no_reverse = "the nulls that were there are not kept"
    key = _key(mk, table)
    if not key:
        mk.out.add(
            phase,
            0,
            f"UPDATE {sql} SET {assign} WHERE {pending}",
            comment,
            lock=Lock.ROW_EXCLUSIVE,
            no_reverse=no_reverse,
            change=cause,
        )
        return
    backfill = Backfill(table.id, name, sql, key, assign, pending)
    mk.out.add(
        phase,
        0,
        backfill.block(BATCH),
        comment,
        lock=Lock.ROW_EXCLUSIVE,
        no_reverse=no_reverse,
        change=cause,
        backfill=backfill,
    )


def _key(mk: Making, table: TableSides) -> tuple[tuple[str, str], ...]:
    """(column, type), in SQL, of the key that the table has while it is filled; () without one."""
    constraint = table.old.constraints.get(("primary",))
    if constraint is None or mk.fates.constraint(table, ("primary",)) is Fate.FIRST:
        return ()
    return tuple((quote(name), table.columns[name].new.type) for name in constraint.columns)
