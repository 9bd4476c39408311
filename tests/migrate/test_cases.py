"""Each plan case carried out on a real server: what a fresh database gets, there and back, and no row is lost."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from atl.diff import Diff, diff
from atl.postgres.scan import quote_identifier
from atl.schema import model as m
from tests.migrate.executing import Database, dump, snapshot
from tests.plan_cases.reading import CASES, case_diff


def rows_of(database: Database, schema: m.Schema) -> dict[str, int]:
    """Entity id -> the number of its rows."""
    tables = {id: ".".join(map(quote_identifier, entity.table)) for id, entity in schema.entities.items()}
    return {id: database.one(f"SELECT count(*) FROM {table}") for id, table in tables.items()}


def hinted(found: Diff) -> m.Schema:
    """The old side again, with hints that take the names back."""
    entities = {}
    for id, entity in found.old.entities.items():
        now = found.renames.entities.get(id, id)
        names = found.renames.of_fields(now)
        fields = {n: replace(f, renamed_from=names.get(n, "")) for n, f in entity.fields.items()}
        entities[id] = replace(entity, fields=fields, renamed_from=now.rpartition(".")[2] if now != id else "")
    return replace(found.old, entities=entities)


def same(database: Database, fresh: Database, schema: m.Schema) -> None:
    """The database is what a fresh one is after one apply, and another plan finds nothing to do."""
    fresh.reset()
    fresh.apply(schema)
    assert snapshot(database) == snapshot(fresh)
    assert dump(database) == dump(fresh)
    again = database.plan(schema)
    assert (again.stages, again.diff.changes) == ((), ())


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_there_and_back(databases: tuple[Database, Database], case: Path) -> None:
    database, fresh = databases
    found = case_diff(case)
    old, new = found.old, found.new
    for extension in database.plan(new).extensions:
        for each in databases:
            if not each.rows(f"SELECT FROM pg_available_extensions WHERE name = '{extension}'"):
                pytest.skip(f"this server has no {extension}")
            each.run(f"CREATE EXTENSION IF NOT EXISTS {extension}")
    database.apply(old)
    if (case / "rows.sql").exists():
        database.run((case / "rows.sql").read_text("utf-8"))
    before = rows_of(database, old)
    plan = database.plan(new)
    if plan.by_hand:
        assert found.manual
        return
    database.apply(new)
    same(database, fresh, new)
    after = rows_of(database, new)
    kept = {new_id: before[id] for id in before if (new_id := found.renames.entities.get(id, id)) in new.entities}
    assert {id: after[id] for id in kept} == kept
    database.relocate()
    back = hinted(found)
    if diff(new, back).manual:
        return
    database.apply(back)
    same(database, fresh, back)
    assert rows_of(database, back) == before
