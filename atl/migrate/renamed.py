"""New names for what stays, and a way back for what is parked. Statements are metadata alone: no row is read."""

from __future__ import annotations

from atl.diff import Change
from atl.migrate.fates import Fate
from atl.migrate.making import EXCLUSIVE, Making, Shape, do
from atl.migrate.model import Lock, Parked
from atl.migrate.physical import Table
from atl.migrate.renaming import renames
from atl.migrate.sides import TableSides
from atl.migrate.sqltext import qualified, quote, quote_literal
from atl.migrate.stages import Phase
from atl.schema.naming import MAX_BYTES, physical_name

__all__ = ["rename_all"]


def rename_all(mk: Making) -> None:
    _labels(mk)
    _move_back(mk)
    tables: dict[str, list[TableSides]] = {}
    wanted: dict[str, set[str]] = {}
    for table in mk.sides.tables.values():
        tables.setdefault(table.new.schema, []).append(table)
    for made in mk.sides.new.tables.values():
        wanted.setdefault(made.schema, set()).update(_names(made))
    for enum in mk.sides.new.enums.values():
        wanted.setdefault(enum.schema, set()).add(enum.name)
    for schema in sorted(wanted):
        _relations(mk, schema, tables.get(schema, []), wanted[schema])
    for table in mk.sides.tables.values():
        _columns(mk, table)
        _constraints(mk, table)
        _null_names(mk, table)


# ---------------------------------------------------------------- labels


def _labels(mk: Making) -> None:
    """Under the enum's old name: new labels are committed before everything else."""
    for id, enum in sorted(mk.sides.enums.items()):
        alter = f"ALTER TYPE {enum.old.sql}"
        for a, b in renames(enum.renamed, set(enum.old.labels) - enum.renamed.keys()):
            mk.out.add(
                Phase.LABELS,
                0,
                f"{alter} RENAME VALUE {quote_literal(a)} TO {quote_literal(b)}",
                f"the label `{a}` becomes `{b}`",
                reverse=f"{alter} RENAME VALUE {quote_literal(b)} TO {quote_literal(a)}",
                change=mk.causes.find(id, "enum_label_renamed", member=b) or mk.causes.find(id, "enum_label_renamed"),
            )
        there = [enum.renamed.get(label, label) for label in enum.old.labels]
        for label in enum.added:
            mk.out.add(
                Phase.LABELS,
                1,
                f"{alter} ADD VALUE {quote_literal(label)}{_beside(label, enum.new.labels, there)}",
                f"add the label `{label}`",
                no_reverse="PostgreSQL cannot drop a label",
                change=mk.causes.find(id, "enum_label_added", member=label) or mk.causes.find(id, "enum_"),
            )
            there.append(label)


def _beside(label: str, labels: tuple[str, ...], there: list[str]) -> str:
    """Behind the label before it, or else before the first behind it, of those that are there."""
    at = labels.index(label)
    for before in reversed(labels[:at]):
        if before in there:
            return f" AFTER {quote_literal(before)}"
    for behind in labels[at + 1 :]:
        if behind in there:
            return f" BEFORE {quote_literal(behind)}"
    return ""


# ---------------------------------------------------------------- tables, indexes, sequences, types


def _move_back(mk: Making) -> None:
    """Parked tables and enums, into their schema; their name follows with the others'."""
    for table in mk.sides.tables.values():
        if table.unpark is not None:
            cause = mk.causes.find(table.id, "entity_added")
            _back(mk, "TABLE", table.unpark, table.new.schema, cause, EXCLUSIVE)
    for id, enum in sorted(mk.sides.enums.items()):
        if enum.unpark is not None:
            cause = mk.causes.find(id, "enum_added")
            _back(mk, "TYPE", enum.unpark, enum.new.schema, cause, Lock.NONE)


def _back(mk: Making, kind: str, parked: Parked, schema: str, cause: Change | None, lock: Lock) -> None:
    at = parked.at
    mk.out.add(
        Phase.SHAPE,
        Shape.MOVE,
        f"ALTER {kind} {qualified(*at)} SET SCHEMA {quote(schema)}",
        f"bring the parked {kind.lower()} back" + (" with its rows" if parked.kind == "table" else ""),
        lock=lock,
        reverse=f"ALTER {kind} {qualified(schema, at[1])} SET SCHEMA {quote(at[0])}",
        change=cause,
        unparks=parked,
    )


def _relations(mk: Making, schema: str, tables: list[TableSides], wanted: set[str]) -> None:
    """Tables, indexes, sequences and types of one schema share their names, so they are renamed together. wanted: all
    names that the schema has in the end."""
    moves: dict[str, str] = {}
    kinds: dict[str, tuple[str, Change | None]] = {}
    doomed: dict[str, tuple[str, Change | None]] = {}
    passing: dict[str, tuple[str, Change | None]] = {}

    def move(kind: str, old: str, new: str, cause: Change | None) -> None:
        moves[old] = new
        kinds[old] = (kind, cause)

    for id, enum in mk.sides.enums.items():
        if enum.new.schema == schema:
            move("TYPE", enum.old.name, enum.new.name, mk.causes.find(id, "enum_renamed", "enum_"))
    for table in tables:
        cause = mk.causes.find(table.id, "entity_renamed", "field_renamed", "entity_", "")
        move("TABLE", table.old.name, table.new.name, cause)
        for column in table.columns.values():
            if column.old.sequence and column.new.generated == column.old.generated:
                move("SEQUENCE", column.old.sequence, column.new.sequence, cause)
            elif column.old.sequence:
                passing[column.old.sequence] = ("SEQUENCE", cause)
        mine = mk.fates.tables[table.id]
        for key, constraint in table.old.constraints.items():
            if constraint.kind not in ("primary", "unique"):
                continue
            if mine.constraints[key] is Fate.KEPT:
                move("INDEX", constraint.name, table.new.constraints[key].name, cause)
            elif mine.constraints[key] is Fate.LAST:
                doomed[constraint.name] = ("INDEX", mk.cause_of_constraint(table, constraint))
        for key, index in table.old.indexes.items():
            if mine.indexes[key] in (Fate.KEPT, Fate.REBUILT):
                move("INDEX", index.name, table.new.indexes[key].name, cause)
            elif mine.indexes[key] is Fate.LAST:
                doomed[index.name] = ("INDEX", mk.cause_of_index(table, index))
    _aside(mk, schema, moves, kinds, doomed, passing, wanted)
    standing = (doomed.keys() | passing.keys()) - moves.keys()
    for a, b in renames(moves, standing):
        kind, cause = kinds.pop(a)
        kinds[b] = (kind, cause)
        mk.out.add(
            Phase.SHAPE,
            Shape.RELATIONS,
            f"ALTER {kind} {qualified(schema, a)} RENAME TO {quote(b)}",
            f"the {kind.lower()} `{a}` becomes `{b}`",
            lock=EXCLUSIVE if kind == "TABLE" else Lock.SHARE_UPDATE_EXCLUSIVE if kind == "INDEX" else Lock.NONE,
            reverse=f"ALTER {kind} {qualified(schema, b)} RENAME TO {quote(a)}",
            change=cause,
        )


def _aside(
    mk: Making,
    schema: str,
    moves: dict[str, str],
    kinds: dict[str, tuple[str, Change | None]],
    doomed: dict[str, tuple[str, Change | None]],
    passing: dict[str, tuple[str, Change | None]],
    wanted: set[str],
) -> None:
    """What is dropped later leaves its name when something else needs it before."""
    taken = {*moves, *moves.values(), *doomed, *passing, *wanted}
    leaving = [(name, what) for name, what in doomed.items() if name in wanted]
    finals = set(moves.values())
    leaving += [(name, what) for name, what in passing.items() if name in finals]
    for name, what in leaving:
        aside = physical_name(f"{name}_before", taken)
        taken.add(aside)
        moves[name], kinds[name] = aside, what
        mk.aside[schema, name] = aside


def _names(table: Table) -> set[str]:
    """What a table has in its schema's space of names."""
    names = {table.name, *(c.sequence for c in table.columns.values() if c.sequence)}
    names |= {c.name for c in table.constraints.values() if c.kind in ("primary", "unique")}
    return names | {index.name for index in table.indexes.values()}


# ---------------------------------------------------------------- inside a table, which has its new name by then


def _columns(mk: Making, table: TableSides) -> None:
    moves = {sides.old.name: name for name, sides in table.columns.items()}
    for a, b in renames(moves):
        sides = table.columns.get(b)
        back = sides.unpark if sides is not None and moves.get(a) == b else None
        mk.out.add(
            Phase.SHAPE,
            Shape.COLUMNS,
            f"ALTER TABLE {table.new.sql} RENAME COLUMN {quote(a)} TO {quote(b)}",
            f"bring the parked column `{b}` back with its values" if back else f"the column `{a}` becomes `{b}`",
            lock=EXCLUSIVE,
            reverse=f"ALTER TABLE {table.new.sql} RENAME COLUMN {quote(b)} TO {quote(a)}",
            change=mk.causes.column(table.id, b, "field_added" if back else "field_renamed")
            or mk.causes.find(table.id, "field_renamed"),
            unparks=back,
        )


def _constraints(mk: Making, table: TableSides) -> None:
    """Foreign keys and checks: their names are the table's own."""
    mine = mk.fates.tables[table.id]
    moves: dict[str, str] = {}
    going: dict[str, str] = {}
    for key, constraint in table.old.constraints.items():
        if constraint.kind in ("primary", "unique"):
            continue
        fate = mine.constraints[key]
        if fate in (Fate.KEPT, Fate.REBUILT):
            moves[constraint.name] = table.new.constraints[key].name
        elif fate in (Fate.LAST, Fate.DROPPED):
            same = table.new.constraints.get(key)
            going[constraint.name] = same.name if same is not None and fate is Fate.LAST else ""
    later = {c.name for c in mine.made_constraints}
    taken = {*moves, *moves.values(), *going, *later}
    for name, own in going.items():
        # One that is replaced in one breath may leave its name to its own successor only.
        if name in moves.values() or (own and name in later and name != own):
            aside = physical_name(f"{name}_before", taken)
            taken.add(aside)
            moves[name] = aside
            mk.aside[table.id, name] = aside
    for a, b in renames(moves, going.keys() - moves.keys()):
        mk.out.add(
            Phase.SHAPE,
            Shape.TABLE_CONSTRAINTS,
            f"ALTER TABLE {table.new.sql} RENAME CONSTRAINT {quote(a)} TO {quote(b)}",
            f"the constraint `{a}` becomes `{b}`",
            lock=EXCLUSIVE,
            reverse=f"ALTER TABLE {table.new.sql} RENAME CONSTRAINT {quote(b)} TO {quote(a)}",
            change=mk.causes.find(table.id, "field_renamed", "entity_renamed", "check_", ""),
        )


def _null_names(mk: Making, table: TableSides) -> None:
    """From PostgreSQL 18 on, not null is a constraint with a name, made of the table's and the column's."""
    pairs = []
    for name, sides in table.columns.items():
        was = (table.old.name if table.unpark is None else table.unpark.was[1], sides.old.name)
        if sides.old.not_null and was != (table.new.name, name):
            pairs.append((name, _null_name(*was), _null_name(table.new.name, name)))
    if not pairs:
        return
    values = ", ".join(f"({quote_literal(c)}, {quote_literal(b)})" for c, _, b in pairs)
    back = ", ".join(f"({quote_literal(c)}, {quote_literal(a)})" for c, a, _ in pairs)
    mk.out.add(
        Phase.SHAPE,
        Shape.NULL_NAMES,
        _rename_nulls(table.new.sql, values),
        "names of not-null constraints follow, where they have any",
        lock=EXCLUSIVE,
        reverse=_rename_nulls(table.new.sql, back),
        change=mk.causes.find(table.id, "entity_renamed", "field_renamed", ""),
    )


def _null_name(table: str, column: str) -> str:
    """As PostgreSQL makes it: the longer of the two is cut until all fits."""
    parts = [table.encode("utf-8", "surrogateescape"), column.encode("utf-8", "surrogateescape")]
    room = MAX_BYTES - len("__not_null")
    lengths = [len(part) for part in parts]
    while sum(lengths) > room:
        lengths[0 if lengths[0] > lengths[1] else 1] -= 1
    cut = [part[:length].decode("utf-8", "ignore") for part, length in zip(parts, lengths, strict=True)]
    return f"{cut[0]}_{cut[1]}_not_null"


def _rename_nulls(table: str, values: str) -> str:
    """Two columns may have exchanged their names, so all names are given up before any is given out."""
    literal = quote_literal(table)
    found = (
        f" FROM (VALUES {values}) AS w (column_name, name)"
        f" JOIN pg_catalog.pg_attribute AS a ON a.attname = w.column_name AND a.attrelid = {literal}::regclass"
        " JOIN pg_catalog.pg_constraint AS c ON c.conrelid = a.attrelid AND c.contype = 'n' AND c.conkey[1] = a.attnum"
    )
    rename = f"EXECUTE format('ALTER TABLE %s RENAME CONSTRAINT %I TO %I', {literal}, r.was, r.name)"
    return do(
        f"DECLARE r record; BEGIN FOR r IN SELECT c.conname AS was, format('atl_%s', c.oid) AS name{found}"
        f" WHERE c.conname <> w.name LOOP {rename}; END LOOP;"
        f" FOR r IN SELECT c.conname AS was, w.name{found}"
        f" WHERE c.conname = format('atl_%s', c.oid) LOOP {rename}; END LOOP; END"
    )
