"""New types for columns, and columns with a value of their own for each row: what makes PostgreSQL rewrite a table.

One transaction a table. What hangs on a column that changes its type is taken off and put back as it is written in the
schema, so that PostgreSQL reads it against the new type; foreign keys went before, and come back later.
"""

from __future__ import annotations

from atl.diff import Change
from atl.migrate.casts import cut_check, reverse_using, using
from atl.migrate.fates import Fate
from atl.migrate.making import EXCLUSIVE, Making, Rewrite, do
from atl.migrate.model import Lock
from atl.migrate.physical import Index
from atl.migrate.putup import add_check, default_of, late_columns, old_default
from atl.migrate.sides import ColumnSides, TableSides
from atl.migrate.sqltext import qualified, quote, quote_literal
from atl.migrate.stages import Phase

__all__ = ["rewrite"]


def rewrite(mk: Making) -> None:
    for table in mk.sides.tables.values():
        late = late_columns(table)
        if not late:
            continue
        if table.retyped:
            _hanging(mk, table)
            for name in sorted(table.retyped):
                _retype(mk, table, name, table.columns[name])
        for constraint in mk.fates.tables[table.id].made_constraints:
            if constraint.kind == "check" and late & set(constraint.columns):
                add_check(mk, Phase.REWRITE, Rewrite.NEW_CHECKS, table, constraint, table.id)


def _hanging(mk: Making, table: TableSides) -> None:
    sql, mine, id = table.new.sql, mk.fates.tables[table.id], table.id
    lengths = [name for name in table.retyped if _cut(table, name)]
    if lengths:
        mk.out.add(
            Phase.REWRITE,
            Rewrite.LOCK,
            f"LOCK TABLE {sql} IN ACCESS EXCLUSIVE MODE",
            "nothing is written between the check of values and the change of type",
            lock=EXCLUSIVE,
            no_reverse="a lock ends with its transaction",
            change=_cause(mk, table, lengths[0]),
            group=id,
        )
    for key, index in table.old.indexes.items():
        if mine.indexes[key] is Fate.REBUILT:
            new, cause = table.new.indexes[key], _cause(mk, table, *sorted(set(index.columns) & table.retyped))
            mk.out.add(
                Phase.REWRITE,
                Rewrite.INDEXES,
                f"DROP INDEX {qualified(table.new.schema, new.name)}",
                f"`{new.name}` is bound to the old type",
                lock=EXCLUSIVE,
                reverse=_plain_index(table, new, index.definition),
                change=cause,
                group=id,
            )
            mk.create_index(Phase.REWRITE, Rewrite.NEW_INDEXES, table.new, new, cause, id)
    for key, check in table.old.constraints.items():
        if check.kind == "check" and mine.constraints[key] is Fate.REBUILT:
            new_check = table.new.constraints[key]
            name, cause = quote(new_check.name), _cause(mk, table, *sorted(set(check.columns) & table.retyped))
            mk.out.add(
                Phase.REWRITE,
                Rewrite.CHECKS,
                f"ALTER TABLE {sql} DROP CONSTRAINT {name}",
                f"`{new_check.name}` is bound to the old type",
                lock=EXCLUSIVE,
                reverse=f"ALTER TABLE {sql} ADD CONSTRAINT {name} {check.definition}",
                change=cause,
                group=id,
            )
            add_check(mk, Phase.REWRITE, Rewrite.NEW_CHECKS, table, new_check, id)
    _policies(mk, table)


def _plain_index(table: TableSides, index: Index, definition: str) -> str:
    return f"CREATE {'UNIQUE ' * index.unique}INDEX {quote(index.name)} ON {table.new.sql} {definition}"


def _policies(mk: Making, table: TableSides) -> None:
    followed = mk.diff.followed.entities.get(table.id)
    was = followed.partition if followed is not None else ""
    if was not in table.retyped:
        return
    cause = mk.causes.find(table.id, "field_type", member=was)
    stays = table.new.partition == was
    mk.drop_policies(
        Phase.REWRITE, Rewrite.POLICIES, table.new.sql, was, cause, table.id, switch=not table.new.partition
    )
    if stays:
        mk.create_policies(Phase.REWRITE, Rewrite.NEW_POLICIES, table.new.sql, was, cause, table.id, switch=False)


def _cause(mk: Making, table: TableSides, *names: str) -> Change | None:
    return mk.causes.column(table.id, names[0], "field_type", "field_scale") if names else None


def _cut(table: TableSides, name: str) -> str:
    sides = table.columns[name]
    assert sides.before is not None
    return cut_check(name, sides.before.type, sides.after.type)


def _retype(mk: Making, table: TableSides, name: str, sides: ColumnSides) -> None:
    assert sides.before is not None
    sql, id, cause = table.new.sql, table.id, _cause(mk, table, name)
    alter = f"ALTER TABLE {sql} ALTER COLUMN {quote(name)}"
    if cut := _cut(table, name):
        message = f"rows of {sql} hold values of {name} that {sides.new.type} would cut"
        mk.out.add(
            Phase.REWRITE,
            Rewrite.LENGTHS,
            _refuse(f"EXISTS (SELECT FROM {sql} WHERE {cut})", message),
            f"no value of `{name}` is cut",
            lock=Lock.ACCESS_SHARE,
            no_reverse="it changes nothing",
            change=cause,
            group=id,
        )
    before, after = old_default(mk, table, sides), default_of(sides.new, table.new)
    counted = sides.old.generated if sides.old.generated == sides.new.generated else ""
    if counted == "identity":
        before = after = ""
    elif sides.old.generated and not counted:
        before = ""  # it went when the sequence did
    if sides.new.generated and not counted:
        after = ""  # it comes when the column is counted
    if before:
        _default(mk, table, f"{alter} DROP DEFAULT", f"{alter} SET DEFAULT {before}", name, Rewrite.DEFAULTS)
    clause = using(name, sides.before.type, sides.after.type, sides.new.type)
    old_type = _old_type(mk, sides)
    back, why = reverse_using(name, sides.before.type, sides.after.type, old_type)
    mk.out.add(
        Phase.REWRITE,
        Rewrite.TYPES,
        f"{alter} TYPE {sides.new.type} {clause}".rstrip(),
        f"`{name}` becomes {sides.new.type}",
        lock=EXCLUSIVE,
        reverse=None if back is None else f"{alter} TYPE {old_type} {back}".rstrip(),
        no_reverse=why,
        change=cause,
        group=id,
    )
    if counted == "serial":
        where = qualified(table.new.schema, sides.new.sequence)
        mk.out.add(
            Phase.REWRITE,
            Rewrite.SEQUENCES,
            f"ALTER SEQUENCE {where} AS {sides.new.type}",
            "its sequence counts as far as the column does",
            lock=EXCLUSIVE,
            reverse=f"ALTER SEQUENCE {where} AS {old_type}",
            change=cause,
            group=id,
        )
    if after:
        _default(mk, table, f"{alter} SET DEFAULT {after}", f"{alter} DROP DEFAULT", name, Rewrite.SET)


def _default(mk: Making, table: TableSides, sql: str, reverse: str, name: str, step: Rewrite) -> None:
    mk.out.add(
        Phase.REWRITE,
        step,
        sql,
        f"the default of `{name}` is read against the new type" if step is Rewrite.SET else f"`{name}` has a default",
        lock=EXCLUSIVE,
        reverse=reverse,
        change=_cause(mk, table, name),
        group=table.id,
    )


def _old_type(mk: Making, sides: ColumnSides) -> str:
    """The old type as it is called by now: an enum that was renamed has its new name, one that went is elsewhere."""
    assert sides.before is not None
    id = sides.before.type.enum
    enum = mk.sides.enums.get(id) if id else None
    if enum is not None:
        return enum.new.sql
    gone = mk.parked_enums.get(sides.old.type) if id else None
    return gone or sides.old.type


def _refuse(condition: str, message: str) -> str:
    raised = f"RAISE EXCEPTION USING ERRCODE = 'string_data_right_truncation', MESSAGE = {quote_literal(message)};"
    body = f"BEGIN IF {condition} THEN {raised} END IF; END"
    return do(body)
