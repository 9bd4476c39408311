"""Changes of an entity's fields: type, nullability, uniqueness, default, sequence, reference, check."""

from __future__ import annotations

from atl.diff.context import Collector
from atl.diff.model import Class, Hazard
from atl.diff.text import canonical, default_meaning, default_text, reference_text
from atl.diff.types import type_change
from atl.postgres.expression import expression
from atl.postgres.functions import VOLATILE
from atl.schema import model as m
from atl.schema.types import spelled

__all__ = ["compare_field", "field_added", "field_removed", "fills_each_row"]

_STRENGTH = {"cascade": 0, "set null": 1, "restrict": 2, "": 2}


def field_added(out: Collector, entity: m.Entity, f: m.Field, entity_known: bool = True) -> None:
    """A field on an entity that has rows. Its reference is a change of its own."""
    filled = f.default is not None or bool(f.generated)
    hazards: list[Hazard] = []
    if fills_each_row(f):
        hazards.append(Hazard.REWRITES_TABLE)
    cls, reason = Class.ADDITIVE, ""
    if f.default is not None and f.unique:
        cls, reason = Class.BACKFILL_REQUIRED, "every row gets the same default, and the field is unique"
        hazards.append(Hazard.MAY_FAIL_ON_DATA)
    elif f.not_null and not filled:
        cls, reason = Class.BACKFILL_REQUIRED, "existing rows have no value for it"
        hazards += [Hazard.SCANS_TABLE] if f.backfill else [Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA]
    what = f"a column of type {spelled(f.type)} is added"
    out.add(
        "field_added",
        cls,
        entity.id,
        f.name,
        what,
        reason=reason,
        after=spelled(f.type),
        hazards=tuple(hazards),
        where=f.where,
        new=f,
    )
    if f.reference is not None:
        out.add(
            "reference_added",
            Class.ADDITIVE,
            entity.id,
            f.name,
            "the new column references another entity",
            after=reference_text(f.reference),
            where=f.where,
            new=f,
        )


def field_removed(out: Collector, entity: m.Entity, f: m.Field) -> None:
    out.add(
        "field_removed",
        Class.DESTRUCTIVE,
        entity.id,
        f.name,
        "the column is parked: renamed, made nullable, its values kept",
        reason="its values are no longer served",
        before=spelled(f.type),
        hazards=(Hazard.CLIENTS_CHANGE,),
        where=entity.where,
        old=f,
    )


def compare_field(out: Collector, entity: m.Entity, old: m.Field, new: m.Field) -> None:
    """`old` under its new names. A new reference and a new check on it are changes of their own."""
    id, name = entity.id, new.name
    where = new.where
    if old.type != new.type:
        change = type_change(old.type, new.type)
        out.add(
            f"field_{change.kind}"
            if change.kind in ("scale_reduced", "shape_changed")
            else f"field_type_{change.kind}",
            change.cls,
            id,
            name,
            f"the type goes from {spelled(old.type)} to {spelled(new.type)}",
            reason=change.reason,
            before=spelled(old.type),
            after=spelled(new.type),
            hazards=change.hazards,
            manual=change.manual,
            where=where,
            old=old,
            new=new,
        )
    _null(out, id, old, new)
    # A key is unique by itself, and what becomes of it the change of the key says.
    if new.unique and not (old.unique or old.primary):
        out.add(
            "field_unique_set",
            Class.BACKFILL_REQUIRED,
            id,
            name,
            "values have to be unique",
            reason="rows that are there may hold a value twice",
            hazards=(Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA, Hazard.NOT_TRANSACTIONAL),
            where=where,
            old=old,
            new=new,
        )
    elif old.unique and not (new.unique or new.primary):
        out.add("field_unique_unset", Class.ADDITIVE, id, name, "values may repeat", where=where, old=old, new=new)
    if default_meaning(old.default) != default_meaning(new.default):
        out.add(
            "field_default_changed",
            Class.ADDITIVE,
            id,
            name,
            "the default changes for rows to come",
            before=default_text(old.default),
            after=default_text(new.default),
            where=where,
            old=old,
            new=new,
        )
    if out.following.expression(id, old.backfill) != canonical(new.backfill):
        out.add(
            "field_backfill_changed",
            Class.ADDITIVE,
            id,
            name,
            "what fills existing rows changes",
            before=old.backfill,
            after=new.backfill,
            where=where,
            old=old,
            new=new,
        )
    for word in ("serial", "identity"):
        had, has = old.generated == word, new.generated == word
        if had != has:
            what = "the sequence starts after the largest value" if has else f"the column is no longer {word}"
            out.add(
                f"field_{word}_{'set' if has else 'unset'}",
                Class.BACKFILL_REQUIRED,
                id,
                name,
                what,
                reason="inserts get their values elsewhere than before",
                hazards=(Hazard.SCANS_TABLE,) if has else (),
                where=where,
                old=old,
                new=new,
            )
    _reference(out, id, old, new)
    _check(out, id, old, new)


def _null(out: Collector, id: str, old: m.Field, new: m.Field) -> None:
    if new.not_null and not old.not_null:
        hazards: tuple[Hazard, ...] = (Hazard.SCANS_TABLE, Hazard.CLIENTS_CHANGE)
        if not new.backfill:
            hazards = (*hazards, Hazard.MAY_FAIL_ON_DATA)
        out.add(
            "field_not_null_set",
            Class.BACKFILL_REQUIRED,
            id,
            new.name,
            "nulls are no longer allowed",
            reason="a default does not fill the nulls that are there" if new.default else "rows may hold null",
            hazards=hazards,
            where=new.where,
            old=old,
            new=new,
        )
    elif old.not_null and not new.not_null:
        out.add(
            "field_not_null_unset",
            Class.ADDITIVE,
            id,
            new.name,
            "nulls are allowed",
            hazards=(Hazard.CLIENTS_CHANGE,),
            where=new.where,
            old=old,
            new=new,
        )


def _reference(out: Collector, id: str, old: m.Field, new: m.Field) -> None:
    a, b = old.reference, new.reference
    if a == b:
        return
    before, after = reference_text(a), reference_text(b)
    if b is None:
        out.add(
            "reference_removed",
            Class.ADDITIVE,
            id,
            new.name,
            "the foreign key is dropped",
            before=before,
            where=new.where,
            old=old,
            new=new,
        )
    elif a is None:
        out.add(
            "reference_added",
            Class.BACKFILL_REQUIRED,
            id,
            new.name,
            "every value has to exist in the referenced entity",
            reason="rows that are there may point at nothing",
            after=after,
            hazards=(Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA),
            where=new.where,
            old=old,
            new=new,
        )
    elif (a.entity, a.field) != (b.entity, b.field):
        out.add(
            "reference_target_changed",
            Class.CROSS_CALLER_BREAKING,
            id,
            new.name,
            "the reference points elsewhere",
            reason="who follows it arrives at other rows",
            before=before,
            after=after,
            hazards=(Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA),
            where=new.where,
            old=old,
            new=new,
        )
    else:
        stronger = any(_STRENGTH[y] > _STRENGTH[x] for x, y in ((a.on_delete, b.on_delete), (a.on_update, b.on_update)))
        out.add(
            f"reference_action_{'strengthened' if stronger else 'weakened'}",
            Class.BACKFILL_REQUIRED if stronger else Class.ADDITIVE,
            id,
            new.name,
            "what happens to rows that point at a removed or changed one changes",
            reason="deletes and updates that went through may be refused" if stronger else "",
            before=before,
            after=after,
            where=new.where,
            old=old,
            new=new,
        )


def _check(out: Collector, id: str, old: m.Field, new: m.Field) -> None:
    before, after = out.following.expression(id, old.check), canonical(new.check)
    if before == after:
        return
    if not after:
        out.add(
            "check_removed",
            Class.ADDITIVE,
            id,
            new.name,
            "the check is dropped",
            before=old.check,
            where=new.where,
            old=old,
            new=new,
        )
        return
    out.add(
        "check_changed" if before else "check_added",
        Class.BACKFILL_REQUIRED,
        id,
        new.name,
        "every row has to pass the check",
        reason="rows that are there may not",
        before=old.check,
        after=new.check,
        hazards=(Hazard.SCANS_TABLE, Hazard.MAY_FAIL_ON_DATA),
        where=new.where,
        old=old,
        new=new,
    )


def fills_each_row(f: m.Field) -> bool:
    """Whether a column that is added gives each row its own value, so that PostgreSQL rewrites the table. `now()` and
    what else is STABLE is one value a statement; a function that is not known is taken as that. With a backfill, the
    default is for rows to come alone."""
    if f.generated:
        return True
    if f.default is None or f.default.kind != "raw" or (f.not_null and f.backfill):
        return False
    return any(name in VOLATILE or name in _EXTENSIONS for name, _, _ in expression(f.default.text).functions)


# VOLATILE functions of uuid-ossp and pgcrypto that defaults are made of.
_EXTENSIONS = {"uuid_generate_v1", "uuid_generate_v1mc", "uuid_generate_v4", "gen_random_bytes", "gen_salt"}
