"""Types of extensions, where the server has them, and hypertables, as text."""

from __future__ import annotations

import psycopg
import pytest

from atl.diff import diff
from atl.migrate.plan import make_plan
from tests.diff.reading import schema
from tests.migrate.executing import Database, snapshot


def extended(database: Database, name: str) -> None:
    try:
        database.run(f'CREATE EXTENSION IF NOT EXISTS "{name}" SCHEMA public')
    except psycopg.Error as problem:
        pytest.skip(f"no {name}: {problem}")


@pytest.mark.parametrize(("old", "new"), [("text", "citext"), ("citext", "text"), ("varchar(9)", "citext")])
def test_citext(databases: tuple[Database, Database], old: str, new: str) -> None:
    text = 'entity A in s {{ id bigint primary\n c {} not null unique check "c <> \'x\'"\n index by expr "lower(c)" }}'
    for database in databases:
        extended(database, "citext")
    database, fresh = databases
    database.apply(schema(text.format(old)))
    database.run("INSERT INTO atlantis.s_a VALUES (1, 'a'), (2, 'b')")
    plan = database.apply(schema(text.format(new)))
    assert plan.extensions == (("citext",) if new == "citext" else ())
    fresh.apply(schema(text.format(new)))
    assert snapshot(database) == snapshot(fresh)


def test_vectors(databases: tuple[Database, Database]) -> None:
    text = "entity A in s {{ id bigint primary\n v vector(3)\n {} }}"
    for database in databases:
        extended(database, "vector")
    database, fresh = databases
    for index in ("", "index hnsw on v ops cosine", "index hnsw on v ops l2", ""):
        plan = database.apply(schema(text.format(index)))
        assert plan.extensions == ("vector",)
        fresh.reset()
        extended(fresh, "vector")
        fresh.apply(schema(text.format(index)))
        assert snapshot(database) == snapshot(fresh)
    resized = make_plan(diff(database.schema, schema(text.format("").replace("(3)", "(4)"))))
    assert [change.kind for change in resized.by_hand] == ["field_shape_changed"]
    assert resized.stages == ()


TICK = """
hypertable Tick in s on at {{
  at     timestamptz not null
  meter  bigint not null
  watts  int
  primary by meter, at
  {}
}}
"""


def statements(old: str, new: str) -> list[tuple[bool, str]]:
    plan = make_plan(diff(schema(old), schema(new)))
    return [(stage.transactional, statement.sql) for stage in plan.stages for statement in stage.statements]


def test_a_hypertable_is_made() -> None:
    made = [sql for _, sql in statements("", TICK.format("chunk_time_interval 1d\nindex by watts"))]
    assert made[2:] == [
        """SELECT create_hypertable('"atlantis"."s_tick"', 'at', chunk_time_interval => INTERVAL '86400000"""
        """ milliseconds', create_default_indexes => FALSE)""",
        'CREATE INDEX "s_tick_watts_idx" ON "atlantis"."s_tick" USING btree ("watts")',
    ]


def test_a_hypertable_is_changed_in_plain_ddl() -> None:
    new = TICK.replace("watts  int", 'watts  int not null check "watts > 0" backfill "1"').format(
        "index by watts\nunique by at, watts\nchunk_time_interval 30d"
    )
    found = statements(TICK.format("index by meter"), new)
    assert all("NOT VALID" not in sql and "CONCURRENTLY" not in sql and "USING INDEX" not in sql for _, sql in found)
    text = "\n".join(sql for _, sql in found)
    for piece in (
        'ADD CONSTRAINT "s_tick_watts_check" CHECK (watts > 0)',
        'ALTER COLUMN "watts" SET NOT NULL',
        'ADD CONSTRAINT "s_tick_at_watts_key" UNIQUE ("at", "watts")',
        'CREATE INDEX "s_tick_watts_idx"',
        'DROP INDEX "atlantis"."s_tick_meter_idx"',
        "set_chunk_time_interval('\"atlantis\".\"s_tick\"', INTERVAL '2592000000 milliseconds')",
    ):
        assert piece in text
