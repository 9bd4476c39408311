"""More tables than a transaction has locks for, on a server that has room for 1,280 of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from atl.migrate.plan import make_plan
from tests.databases import Subject
from tests.diff.reading import compare
from tests.server import Unavailable, binaries, running

TABLES = 500

# Each refers to the next one and the last to the first; each has a table, two indexes and a sequence at least.
TABLE = """entity T{number} in many {{
  id bigint primary identity
  code text not null unique
  state many.State not null default "on"
  next bigint references many.T{next}.id
  changed timestamptz not null default now()
  touch_on_update by changed
  index by state
}}
"""


def many(count: int) -> str:
    tables = (TABLE.format(number=number, next=(number + 1) % count) for number in range(count))
    return 'enum State in many { "on", "off" }\n' + "".join(tables)


@pytest.fixture(scope="module")
def small_server() -> Iterator[str]:
    for folder in binaries():
        try:
            with running(folder, "-c max_connections=20 -c max_locks_per_transaction=64") as address:
                yield address
            return
        except Unavailable:
            continue
    pytest.skip("no PostgreSQL can be started")


def test_a_first_apply_goes_on_where_it_was_killed_and_what_goes_at_once_says_what_it_needs(
    small_server: str, tmp_path: Path
) -> None:
    subject = Subject(tmp_path, small_server)
    subject.write(many(TABLES))
    assert subject.atl("apply", fault="kill:500").code == -9
    done = subject.atl("apply")
    assert (done.code, "stopped behind stage 3 of " in done.said) == (0, True), done.said
    assert subject.atl("inspect") == (0, "no difference\n")
    assert subject.sql("SELECT count(*) FROM pg_constraint WHERE contype = 'f'") == [(TABLES,)]

    subject.write("")
    gone = subject.atl("apply", "--allow", "destructive")
    assert gone.code != 0
    assert "a transaction locks each table and index that it makes or changes" in gone.said, gone.said
    assert "raise max_locks_per_transaction" in gone.said


def test_stages_of_many_tables() -> None:
    few, more = (make_plan(compare("", many(count))) for count in (30, 100))
    assert len(few.stages) == 1
    sizes = [len(stage.statements) for stage in more.stages]
    assert max(sizes) <= 200
    assert len(sizes) > 2
    assert all(stage.transactional for stage in more.stages)
    order = [statement.sql.split("\n")[0].split(" ", 3)[:3] for stage in more.stages for statement in stage.statements]
    words = [" ".join(each[:2]) for each in order]
    last = {word: len(words) - words[::-1].index(word) for word in set(words)}
    assert words.index("CREATE TABLE") > last["CREATE TYPE"] - 1
    assert words.index("ALTER TABLE") > last["CREATE TABLE"] - 1
