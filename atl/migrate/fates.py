"""What becomes of each constraint and index of the tables that stay."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum

from atl.migrate.physical import Constraint, Index, Key, Table
from atl.migrate.sides import Sides, TableSides

__all__ = ["Fate", "Fates", "TableFates", "settle"]


class Fate(Enum):
    """KEPT: it stays, perhaps under another name. FIRST: dropped before anything is renamed, being in the way.
    DROPPED: dropped once things have their new names. REBUILT: put back in the transaction that changes the type of a
    column it reads. LAST: it serves until what replaces it is there, or until nothing needs it."""

    KEPT = "kept"
    FIRST = "first"
    DROPPED = "dropped"
    REBUILT = "rebuilt"
    LAST = "last"


@dataclass(slots=True)
class TableFates:
    """By the key of the old object. made_*: what the new side has, and the old one has not or loses."""

    constraints: dict[Key, Fate] = field(default_factory=dict)
    indexes: dict[Key, Fate] = field(default_factory=dict)
    made_constraints: list[Constraint] = field(default_factory=list)
    made_indexes: list[Index] = field(default_factory=list)


@dataclass(slots=True)
class Fates:
    """tables: of those that stay, by new id."""

    tables: dict[str, TableFates] = field(default_factory=dict)

    def constraint(self, table: TableSides, key: Key) -> Fate | None:
        return self.tables[table.id].constraints.get(key)


def settle(sides: Sides) -> Fates:
    fates = Fates({id: TableFates() for id in sides.tables})
    for table in sides.tables.values():
        mine = fates.tables[table.id]
        for key, constraint in table.old.constraints.items():
            if constraint.kind != "foreign":
                mine.constraints[key] = _constraint(table, constraint)
        for key, index in table.old.indexes.items():
            mine.indexes[key] = _index(table, index)
    for table in sides.tables.values():
        mine = fates.tables[table.id]
        for key, constraint in table.old.constraints.items():
            if constraint.kind == "foreign":
                mine.constraints[key] = _foreign(sides, fates, table, constraint)
        stays = (Fate.KEPT, Fate.REBUILT)
        mine.made_constraints = [
            c for key, c in table.new.constraints.items() if mine.constraints.get(key) not in stays
        ]
        mine.made_indexes = [i for key, i in table.new.indexes.items() if mine.indexes.get(key) not in stays]
    return fates


def _stays(table: TableSides, constraint: Constraint) -> bool:
    new = table.new.constraints.get(constraint.key)
    return new is not None and new.meaning == constraint.meaning


def _constraint(table: TableSides, constraint: Constraint) -> Fate:
    columns = set(constraint.columns)
    if not columns <= table.columns.keys():
        return Fate.FIRST
    stays, retyped = _stays(table, constraint), bool(columns & table.retyped)
    if constraint.kind == "check":
        return Fate.DROPPED if not stays else Fate.REBUILT if retyped else Fate.KEPT
    # PostgreSQL builds the index of a key anew with its column's type, which a type without equality would refuse.
    return Fate.KEPT if stays else Fate.FIRST if retyped else Fate.LAST


def _index(table: TableSides, index: Index) -> Fate:
    columns = set(index.columns)
    stays, retyped = index.key in table.new.indexes, bool(columns & table.retyped)
    if not columns <= table.columns.keys() or (retyped and not stays):
        return Fate.FIRST
    if not stays:
        return Fate.LAST
    if not retyped or not index.bound:
        return Fate.KEPT
    # Uniqueness has to hold all the time; another index may be missing for a while.
    return Fate.REBUILT if index.unique or table.hyper else Fate.FIRST


def _foreign(sides: Sides, fates: Fates, table: TableSides, constraint: Constraint) -> Fate:
    if not set(constraint.columns) <= table.columns.keys() or constraint.columns[0] in table.retyped:
        return Fate.FIRST
    id, column = constraint.target
    target = sides.tables.get(id)
    leans: Fate | None = Fate.KEPT
    if target is not None:
        if column not in target.columns or column in target.retyped:
            return Fate.FIRST
        leans = next(
            (fates.constraint(target, key) for key in _over(target.old, column)),
            None,
        )
    elif id not in sides.followed.values():
        return Fate.FIRST
    if leans is Fate.FIRST:
        return Fate.FIRST
    if constraint.key not in table.new.constraints:
        return Fate.DROPPED
    return Fate.KEPT if leans is Fate.KEPT and _stays(table, constraint) else Fate.LAST


def _over(table: Table, column: str) -> list[Key]:
    """The keys of constraints that make one column unique."""
    return [key for key, c in table.constraints.items() if c.kind in ("primary", "unique") and c.columns == (column,)]
