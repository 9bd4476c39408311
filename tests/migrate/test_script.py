"""The script, forwards and backwards, through `psql` itself."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from atl.diff import diff
from atl.migrate.plan import make_plan
from atl.migrate.script import down_script, up_script
from tests.diff.reading import schema
from tests.migrate.executing import Database
from tests.migrate.executing import snapshot as catalog
from tests.server import program

OLD = """
enum Size in s { small, large }
entity A in s { id bigint primary
  name varchar(20) not null
  size Size
  note text }
entity B in s { id bigint primary
  a bigint }
"""
NEW = """
enum Size in s { small, large }
entity A in s { id bigint primary serial
  // atl: renamed-from name
  title varchar(8) not null unique check "title <> ''"
  size Size not null default "large" backfill "'small'"
  rank int not null backfill "id * 2"
  index by rank desc }
entity B in s { id bigint primary
  a bigint references s.A.id }
"""


def psql(database: Database, script: str) -> str:
    client = program("psql")
    if client is None:
        pytest.skip("there is no psql")
    info = database.connection.info
    command = [str(client), "-X", "-q", "-v", "ON_ERROR_STOP=1", "-h", info.host, "-U", info.user, "-d", info.dbname]
    done = subprocess.run([*command, "-f", "-"], input=script, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stderr


def test_there_and_back(databases: tuple[Database, Database]) -> None:
    database, fresh = databases
    old, new = schema(OLD), schema(NEW)
    database.apply(old)
    database.run("INSERT INTO atlantis.s_a SELECT i, 'n' || i FROM generate_series(1, 2500) i")
    before = catalog(database)
    plan = make_plan(diff(old, new))
    psql(database, up_script(plan))
    fresh.apply(new)
    assert catalog(database) == catalog(fresh)
    assert database.one("SELECT count(*) FROM atlantis.s_a WHERE rank = id * 2 AND size = 'small'") == 2500
    psql(database, down_script(plan))
    assert catalog(database) == before


def test_text(snapshot: object, tmp_path: Path) -> None:
    plan = make_plan(diff(schema(OLD), schema(NEW)))
    assert up_script(plan) == snapshot
    assert down_script(plan) == snapshot
    again = make_plan(diff(schema(OLD), schema(NEW)))
    assert up_script(again) == up_script(plan)


def test_what_is_done_by_hand_is_said() -> None:
    old = 'entity A in s { id bigint primary\n  table "a" }'
    text = up_script(make_plan(diff(schema(old), schema(old.replace('"a"', '"b"')))))
    assert "-- by hand: s.A: the entity lives in `public.b`, no longer in `public.a`" in text.splitlines()
    assert "ALTER" not in text and "CREATE" not in text
