"""Changes of entities: the table, the key, constraints, indexes, settings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TypeAlias

from atl.diff.context import Collector, quoted
from atl.diff.fields import compare_field, field_added, field_removed
from atl.diff.model import Class, Hazard
from atl.diff.renames import GONE
from atl.diff.text import canonical, index_text
from atl.schema import model as m
from atl.schema.facts import duration_text

__all__ = ["compare_entities"]


def compare_entities(out: Collector, old: m.Schema, new: m.Schema) -> None:
    """`old` under its new names."""
    before_at, after_at = _pointed_at(old), _pointed_at(new)
    # Referenced before and after: the key has to stand meanwhile.
    held = {id for id in before_at.keys() & after_at.keys() if before_at[id] & after_at[id]}

    def changed(out: Collector, id: str, before: m.Entity, after: m.Entity) -> None:
        hazards = (Hazard.REMOVES_RPC, Hazard.CLIENTS_CHANGE)
        out.renamed("entity", out.renames.entities, before, after, *hazards)
        _compare(out, before, after, id in held)

    out.each(old.entities, new.entities, _added, changed, _removed)


def _added(out: Collector, id: str, entity: m.Entity) -> None:
    message = f"the table {_table(entity)} is created"
    out.add("entity_added", Class.ADDITIVE, id, message=message, where=entity.where, new=entity)


def _removed(out: Collector, id: str, entity: m.Entity) -> None:
    out.add(
        "entity_removed",
        Class.DESTRUCTIVE,
        id.removesuffix(GONE),
        message="the table is parked with its rows",
        reason="its rows are no longer served",
        hazards=(Hazard.REMOVES_RPC, Hazard.CLIENTS_CHANGE),
        old=entity,
    )


def _table(entity: m.Entity) -> str:
    return f"`{entity.table[0]}.{entity.table[1]}`"


def _compare(out: Collector, old: m.Entity, new: m.Entity, held: bool) -> None:
    id, where = new.id, new.where
    if old.table != new.table:
        out.add(
            "entity_table_changed",
            Class.CROSS_CALLER_BREAKING,
            id,
            message=f"the entity lives in {_table(new)}, no longer in {_table(old)}",
            reason="where the rows are is for hands to settle",
            before=".".join(old.table),
            after=".".join(new.table),
            manual=True,
            where=where,
            old=old,
            new=new,
        )
    _time(out, old, new)
    _key(out, old, new, held)
    renamed = out.renames.of_fields(id)
    for name, f in new.fields.items():
        was = old.fields.get(name)
        if was is None:
            field_added(out, new, f)
            continue
        if name in renamed.values():
            old_name = next(a for a, b in renamed.items() if b == name)
            out.add(
                "field_renamed",
                Class.CROSS_CALLER_BREAKING,
                id,
                name,
                f"`{old_name}` is called `{name}` from now on",
                reason="callers know it by the old name",
                before=old_name,
                after=name,
                hazards=(Hazard.CLIENTS_CHANGE,),
                where=f.where,
                old=was,
                new=f,
            )
        compare_field(out, new, was, f)
    for name, f in old.fields.items():
        if name not in new.fields:
            field_removed(out, new, replace(f, name=name.removesuffix(GONE)))
    _uniques(out, old, new)
    _checks(out, old, new)
    _indexes(out, old, new)
    _settings(out, old, new)


def _time(out: Collector, old: m.Entity, new: m.Entity) -> None:
    if old.hyper != new.hyper:
        out.add(
            "entity_kind_changed",
            Class.CROSS_CALLER_BREAKING,
            new.id,
            message="an entity becomes a hypertable" if new.hyper else "a hypertable becomes an entity",
            reason="its rows have to move into chunks, or out of them",
            manual=True,
            where=new.where,
            old=old,
            new=new,
            before="hypertable" if old.hyper else "entity",
            after="hypertable" if new.hyper else "entity",
        )
        return
    if old.time_field != new.time_field:
        out.add(
            "entity_time_field_changed",
            Class.CROSS_CALLER_BREAKING,
            new.id,
            message="chunks run along another time",
            reason="every row belongs to another chunk",
            before=old.time_field,
            after=new.time_field,
            manual=True,
            where=new.where,
            old=old,
            new=new,
        )
    if old.chunk_interval_ms != new.chunk_interval_ms:
        out.add(
            "chunk_time_interval_changed",
            Class.ADDITIVE,
            new.id,
            message="new chunks get another size",
            before=_optional(old.chunk_interval_ms),
            after=_optional(new.chunk_interval_ms),
            where=new.where,
            old=old,
            new=new,
        )


def _optional(ms: int | None) -> str:
    return "" if ms is None else duration_text(ms)


def _key(out: Collector, old: m.Entity, new: m.Entity, held: bool) -> None:
    if old.keyless == new.keyless:
        if old.key == new.key:
            return
        out.add(
            "key_changed",
            Class.CROSS_CALLER_BREAKING,
            new.id,
            message=f"the key goes from {quoted(old.key)} to {quoted(new.key)}",
            reason="calls by key take other arguments",
            before=", ".join(old.key),
            after=", ".join(new.key),
            hazards=(
                Hazard.REMOVES_RPC,
                Hazard.CLIENTS_CHANGE,
                Hazard.MAY_FAIL_ON_DATA,
                Hazard.SCANS_TABLE,
                Hazard.NOT_TRANSACTIONAL,
            ),
            manual=held,
            where=new.where,
            old=old,
            new=new,
        )
    elif new.keyless:
        out.add(
            "entity_keyless_set",
            Class.CROSS_CALLER_BREAKING,
            new.id,
            message="the entity gives up its key",
            reason="calls by key go away",
            before=", ".join(old.key),
            after="keyless",
            hazards=(Hazard.REMOVES_RPC, Hazard.CLIENTS_CHANGE),
            where=new.where,
            old=old,
            new=new,
        )
    else:
        out.add(
            "entity_keyless_unset",
            Class.BACKFILL_REQUIRED,
            new.id,
            message=f"the key becomes {quoted(new.key)}",
            reason="rows may be doubled",
            before="keyless",
            after=", ".join(new.key),
            hazards=(Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA, Hazard.NOT_TRANSACTIONAL),
            where=new.where,
            old=old,
            new=new,
        )


def _pointed_at(schema: m.Schema) -> dict[str, set[tuple[str, str]]]:
    """By entity, the fields of others that reference it."""
    found: dict[str, set[tuple[str, str]]] = {}
    for entity in schema.entities.values():
        for f in entity.fields.values():
            if f.reference is not None and f.reference.entity != entity.id:
                found.setdefault(f.reference.entity, set()).add((entity.id, f.name))
    return found


def _uniques(out: Collector, old: m.Entity, new: m.Entity) -> None:
    for columns in new.unique_by:
        if columns not in old.unique_by:
            out.add(
                "unique_by_added",
                Class.BACKFILL_REQUIRED,
                new.id,
                ", ".join(columns),
                f"{quoted(columns)} have to be unique together",
                reason="rows that are there may repeat them",
                hazards=(Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA, Hazard.NOT_TRANSACTIONAL),
                where=new.where,
                old=old,
                new=columns,
            )
    back = {b: a for a, b in out.renames.of_fields(new.id).items()}
    for columns in old.unique_by:
        if columns not in new.unique_by:
            was = tuple(sorted(back.get(name, name) for name in columns))
            out.add(
                "unique_by_removed",
                Class.ADDITIVE,
                new.id,
                ", ".join(was),
                f"{quoted(was)} may repeat",
                where=new.where,
                old=was,
                new=new,
            )


def _checks(out: Collector, old: m.Entity, new: m.Entity) -> None:
    """Named checks are paired by name, unnamed ones by expression."""

    def followed(sql: str) -> str:
        return out.following.expression(new.id, sql)

    before = {(c.name, "" if c.name else followed(c.expression)): c for c in old.checks}
    after = {(c.name, "" if c.name else canonical(c.expression)): c for c in new.checks}
    hazards = (Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA)
    for key, check in after.items():
        was = before.get(key)
        if was is None or (check.name and followed(was.expression) != canonical(check.expression)):
            out.add(
                "check_added" if was is None else "check_changed",
                Class.BACKFILL_REQUIRED,
                new.id,
                check.name or check.expression,
                "every row has to pass the check",
                reason="rows that are there may not",
                before=was.expression if was else "",
                after=check.expression,
                hazards=hazards,
                where=check.where,
                old=was,
                new=check,
            )
    for key, check in before.items():
        if key not in after:
            out.add(
                "check_removed",
                Class.ADDITIVE,
                new.id,
                check.name or check.expression,
                "the check is dropped",
                before=check.expression,
                where=new.where,
                old=check,
            )


Compared: TypeAlias = Callable[[str], str]
"""SQL in the form in which it is compared, on the old side under its new names."""


def _members(index: m.Index, compared: Compared) -> tuple[str, ...]:
    return tuple(c.field or compared(c.expression) for c in index.columns)


def _meaning(index: m.Index, compared: Compared) -> tuple[object, ...]:
    directions = tuple(c.descending for c in index.columns)
    members = _members(index, compared)
    return index.kind, members, directions, index.unique, compared(index.predicate), index.ops


def _indexes(out: Collector, old: m.Entity, new: m.Entity) -> None:
    """Equal ones are paired first; then two with the same members, when each side has exactly one such left."""

    def followed(sql: str) -> str:
        return out.following.expression(new.id, sql)

    before = list(old.indexes)
    after: list[m.Index] = []
    for index in new.indexes:
        same = next((i for i in before if _meaning(i, followed) == _meaning(index, canonical)), None)
        if same is None:
            after.append(index)
        else:
            before.remove(same)
    left = Counter(_members(i, followed) for i in before)
    right = Counter(_members(i, canonical) for i in after)
    for index in after:
        members = _members(index, canonical)
        hazards = (Hazard.MAY_FAIL_ON_DATA,) if index.unique else ()
        if left[members] == right[members] == 1:
            was = next(i for i in before if _members(i, followed) == members)
            before.remove(was)
            out.add(
                "index_changed",
                Class.ADDITIVE,
                new.id,
                index_text(index),
                "the index is built anew",
                before=_index(was),
                after=_index(index),
                hazards=(*hazards, Hazard.NOT_TRANSACTIONAL),
                where=index.where,
                old=was,
                new=index,
            )
        else:
            out.add(
                "index_added",
                Class.ADDITIVE,
                new.id,
                index_text(index),
                "an index is built",
                after=_index(index),
                hazards=(*hazards, Hazard.NOT_TRANSACTIONAL),
                where=index.where,
                new=index,
            )
    back = {b: a for a, b in out.renames.of_fields(new.id).items()}
    for index in before:
        was = replace(index, columns=tuple(replace(c, field=back.get(c.field, c.field)) for c in index.columns))
        out.add(
            "index_removed",
            Class.ADDITIVE,
            new.id,
            index_text(was),
            "the index is dropped",
            before=_index(was),
            hazards=(Hazard.NOT_TRANSACTIONAL,),
            where=new.where,
            old=was,
        )


def _index(index: m.Index) -> str:
    if index.kind != "btree":
        return f"index {index.kind} on {index_text(index)}" + (f" ops {index.ops}" if index.ops else "")
    columns = ", ".join(
        (c.field or f'expr "{c.expression}"') + (" desc" if c.descending else "") for c in index.columns
    )
    partial = " partial" if index.predicate else ""
    where = f" where {index.predicate}" if index.predicate else ""
    return f"{'unique ' if index.unique else ''}index{partial} by {columns}{where}"


def _settings(out: Collector, old: m.Entity, new: m.Entity) -> None:
    id, where = new.id, new.where
    a, b = old.soft_delete, new.soft_delete
    if a != b:
        what = "set" if not a else "unset" if not b else "moved"
        out.add(
            f"soft_delete_{what}",
            Class.ADDITIVE if what == "set" else Class.CROSS_CALLER_BREAKING,
            id,
            message="marked rows vanish from reads" if what == "set" else "rows that were hidden show again",
            reason="" if what == "set" else "callers see rows that they did not see",
            before=a,
            after=b,
            hazards=(Hazard.HIDES_ROWS,) if what == "set" else (Hazard.SHOWS_ROWS,),
            where=where,
            old=old,
            new=new,
        )
    a, b = old.ttl_field, new.ttl_field
    if a != b:
        what = "set" if not a else "unset" if not b else "moved"
        out.add(
            f"ttl_field_{what}",
            Class.ADDITIVE if what == "unset" else Class.DESTRUCTIVE,
            id,
            message="rows no longer expire" if what == "unset" else f"rows expire at `{b}`",
            reason="" if what == "unset" else "rows past their time are deleted",
            before=a,
            after=b,
            hazards=() if what == "unset" else (Hazard.LOSES_DATA,),
            where=where,
            old=old,
            new=new,
        )
    if old.partition != new.partition:
        out.add(
            "partition_changed",
            Class.CROSS_CALLER_BREAKING,
            id,
            message=f"each caller sees the rows of its own `{new.partition}`"
            if new.partition
            else "every caller sees all rows",
            reason="what a caller sees of the table changes",
            before=old.partition,
            after=new.partition,
            hazards=(Hazard.HIDES_ROWS, Hazard.NOT_TRANSACTIONAL) if new.partition else (Hazard.SHOWS_ROWS,),
            where=where,
            old=old,
            new=new,
        )
    if old.touch_on_update != new.touch_on_update:
        out.add(
            "touch_on_update_changed",
            Class.ADDITIVE,
            id,
            message="what an update touches changes",
            before=old.touch_on_update,
            after=new.touch_on_update,
            where=where,
            old=old,
            new=new,
        )
    if old.cache != new.cache:
        out.add("cache_changed", Class.ADDITIVE, id, message="how it is cached changes", where=where, old=old, new=new)
    if old.query_timeout_ms != new.query_timeout_ms:
        out.add(
            "query_timeout_changed",
            Class.ADDITIVE,
            id,
            message="the time limit of its queries changes",
            before=_optional(old.query_timeout_ms),
            after=_optional(new.query_timeout_ms),
            where=where,
            old=old,
            new=new,
        )
    before = {r.name: r for r in old.relations}
    after = {r.name: r for r in new.relations}
    for name in sorted(before.keys() | after.keys()):
        if before.get(name) != after.get(name):
            out.add(
                "relation_changed",
                Class.ADDITIVE,
                id,
                name,
                "the relation changes, which has no effect on rows",
                where=where,
                old=before.get(name),
                new=after.get(name),
            )
