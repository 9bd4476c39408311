"""What has to hold of a change from one random world to another, on a real server."""

from __future__ import annotations

from random import Random

import psycopg

from atl.diff import Diff, diff
from atl.diff.model import Class
from atl.findings import Severity
from atl.migrate.model import Plan
from atl.postgres.scan import quote_identifier
from atl.schema import model as m
from tests.check.checking import check_text
from tests.migrate.changing import change
from tests.migrate.executing import Database, dump, snapshot
from tests.migrate.spelling import spell
from tests.migrate.worlds import World, make, rows

__all__ = ["Refused", "check_pair", "pair"]

# Of so many pairs one is dumped too: a process of its own costs as much as all the rest.
_DUMPED = 5


class Refused(Exception):
    """The rows do not allow the change, and the server or a guard said so; nothing is wrong."""


def valid(world: World) -> bool:
    return not any(f.severity is Severity.ERROR for f in check_text(world.text(), hints=False))


def pair(seed: int, spelling: str = "plain") -> tuple[World, World, World, list[str]]:
    """Three worlds, each changed from the one before, and rows of the first."""
    for again in range(50):
        random = Random(f"{seed} {again}")
        first = make(random)
        first.spelling = spelling
        if not valid(first):
            continue
        second = change(random, first)
        third = change(random, second)
        if valid(second) and valid(third):
            return first, second, third, rows(random, first)
    raise AssertionError("no world makes sense")


def check_pair(database: Database, fresh: Database, seed: int, spelling: str = "plain") -> None:
    """Raises AssertionError or Refused."""
    first, second, third, inserts = pair(seed, spelling)
    a, b, c = first.schema, second.schema, third.schema
    database.reset()
    database.apply(a)
    for insert in inserts:
        database.run(insert)
    before = contents(database, first)
    parked = list(database.parked)
    taken = carried_out(database, second)
    _same(database, fresh, b, "A to B")
    if seed % _DUMPED == 0 and spelling == "plain":
        assert dump(database) == dump(fresh)
    if undone(database, taken):
        _same(database, fresh, a, "undone", schemas=False)
        database.parked = parked
        taken = carried_out(database, second)
    survive(database, before, diff(a, b))
    database.relocate()
    back = first.back_from(second)
    if valid(back) and not diff(b, back.schema).manual:
        carried_out(database, back)
        _same(database, fresh, back.schema, "B back to A")
        if not lossy(taken.diff) and understood(back, diff(b, back.schema)):
            returned(database, before, first, taken.diff)
        database.relocate()
        carried_out(database, second)
    if not diff(b, c).manual:
        carried_out(database, third)
        _same(database, fresh, c, "A to B to C")


def carried_out(database: Database, world: World) -> Plan:
    plan = database.plan(world.schema)
    if plan.by_hand:
        raise Refused("by hand")
    for guard in database.guards(plan):
        count = database.one(guard.sql)
        shown = database.rows(guard.some) if guard.some else []
        assert bool(shown) == bool(count) or not guard.some, guard
        if count:
            raise Refused(guard.message)
    try:
        database.stages(plan)
    except (psycopg.DataError, psycopg.IntegrityError) as problem:
        raise Refused(str(problem)) from problem
    database.schema = world.schema
    return plan


def undone(database: Database, plan: Plan) -> bool:
    """Whether the plan could be undone; a label, what a cast dropped, and a bit string of any length do not go back."""
    reasons = {s.no_reverse for s in plan.statements if s.reverse is None}
    if any(word in reason for reason in reasons for word in ("label", "cast", "bit string")):
        return False
    try:
        database.undo(plan)
    except (psycopg.DataError, psycopg.IntegrityError) as problem:
        raise Refused(f"back: {problem}") from problem
    database.schema = plan.diff.old
    return True


def _same(database: Database, fresh: Database, schema: m.Schema, what: str, schemas: bool = True) -> None:
    """schemas: PostgreSQL's schemas count too; those that a plan creates stay when it is undone."""
    fresh.reset()
    fresh.apply(schema)
    found, wanted = (
        [line for line in snapshot(each) if schemas or not line.startswith("schema ")] for each in (database, fresh)
    )
    missing = [f"- {line}" for line in wanted if line not in found]
    extra = [f"+ {line}" for line in found if line not in wanted]
    assert found == wanted, "\n".join([what, *missing, *extra])


def _at(entity: m.Entity) -> str:
    return ".".join(map(quote_identifier, entity.table))


Rows = dict[str, dict[str, dict[str, str | None]]]
"""Entity id -> row's mark -> column -> text. Rows are told apart by the number that each was made from."""


def contents(database: Database, world: World) -> Rows:
    found: Rows = {}
    for id, entity in world.schema.entities.items():
        names = [*entity.fields]
        shown = ", ".join(f"{quote_identifier(n)}::text" for n in names)
        first = quote_identifier(spell(world.spelling, "id"))
        listed = database.rows(f"SELECT {shown} FROM {_at(entity)} ORDER BY {first}::text")
        found[id] = {str(at): dict(zip(names, row, strict=True)) for at, row in enumerate(listed)}
    return found


def survive(database: Database, before: Rows, found: Diff) -> None:
    """Every row is still there, and every value whose column was not changed."""
    for id, was in before.items():
        new_id = found.renames.entities.get(id, id)
        entity = found.new.entities.get(new_id)
        if entity is None:
            continue
        renamed = found.renames.of_fields(new_id)
        followed = found.followed.entities[new_id]
        kept = {
            old: new
            for old in found.old.entities[id].fields
            if (new := renamed.get(old, old)) in entity.fields
            and (old in renamed or new not in renamed.values())
            and new in followed.fields
            and followed.fields[new].type == entity.fields[new].type
            and not (entity.fields[new].not_null and not followed.fields[new].not_null)
        }
        quoted = [quote_identifier(new) for new in kept.values()]
        shown = ", ".join(["count(*)", *(f"array_agg({new}::text ORDER BY {new}::text)" for new in quoted)])
        (row,) = database.rows(f"SELECT {shown} FROM {_at(entity)}")
        assert row[0] == len(was), f"rows of {new_id}"
        for (old, new), values in zip(kept.items(), row[1:], strict=True):
            labels = found.renames.labels.get(entity.fields[new].type.enum, {})
            wanted = [labels.get(v, v) if v is not None else v for v in (r[old] for r in was.values())]
            assert sorted(map(str, values or [])) == sorted(map(str, wanted)), f"values of {new_id}.{new}"


def understood(back: World, found: Diff) -> bool:
    """Whether all hints were taken. A swap that is taken back has the hints that it had, which are carried out."""
    wanted = sum(f.was != "" for e in back.entities.values() for f in e.fields.values())
    return wanted == sum(map(len, found.renames.fields.values()))


def lossy(found: Diff) -> bool:
    return any(c.cls is Class.DESTRUCTIVE and c.kind not in ("entity_removed", "field_removed") for c in found.changes)


def returned(database: Database, before: Rows, world: World, found: Diff) -> None:
    """After the way there and back: rows and values that were parked are there again."""
    changed = {(c.id, c.member) for c in found.changes if "type" in c.kind or "not_null" in c.kind}
    for id, was in before.items():
        entity = world.schema.entities[id]
        new_id = found.renames.entities.get(id, id)
        renamed = found.renames.of_fields(new_id)
        for name in entity.fields:
            if (new_id, renamed.get(name, name)) in changed:
                continue
            (row,) = database.rows(f"SELECT array_agg({quote_identifier(name)}::text) FROM {_at(entity)}")
            assert sorted(map(str, row[0] or [])) == sorted(str(r[name]) for r in was.values()), f"{id}.{name} is back"
