"""An apply that is stopped, at any moment and in any way: it is finished by the next one, and no row is lost."""

from __future__ import annotations

import os
import re
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import psycopg
import pytest

from tests.databases import Applied, Subject

OLD = """enum Kind in farm { "field", "wood" }

entity Plot in farm {
  id     bigint primary
  name   text not null
  size   int not null
  kind   Kind not null
  note   text
}
"""
NEW = """enum Kind in farm { "field", "meadow", "wood" }

entity Plot in farm {
  id     bigint primary
  name   varchar(40) not null unique
  size   bigint not null check "size > 0"
  kind   Kind not null default "meadow"
  owner  text not null backfill "'owner of ' || name"
  farm   bigint references farm.Farm.id on delete cascade
  index by size
  unique by owner, name
}

entity Farm in farm {
  id    bigint primary
  name  text not null
}
"""
ROWS = """INSERT INTO atlantis.farm_plot
SELECT g, 'plot ' || g, g, 'wood', 'n' || g FROM generate_series(1, 25) AS g"""
AFTER = "SELECT id, name, size, kind::text, owner, farm FROM atlantis.farm_plot ORDER BY id"
EXPECTED = [(g, f"plot {g}", g, "wood", f"owner of plot {g}", None) for g in range(1, 26)]
FLAGS = ("--backfill", "--allow", "destructive", "--allow", "cross_caller_breaking")


def whole(subject: Subject) -> None:
    """The database is what is declared, with every row."""
    assert subject.sql(AFTER) == EXPECTED
    inspected = subject.atl("inspect")
    assert inspected == (0, "no difference\n"), inspected.said
    assert [len(subject.sql("SELECT 1 FROM atlantis_meta.history WHERE event = 'applied'"))] == [2]
    parked = subject.sql(
        "SELECT (SELECT value FROM jsonb_each_text(to_jsonb(t)) WHERE key LIKE 'parked\\_%\\_note')"
        " FROM atlantis.farm_plot t ORDER BY id"
    )
    assert parked == [(f"n{g}",) for g in range(1, 26)]


@pytest.fixture
def begun(subject: Subject) -> Subject:
    """The old schema applied, with rows; the new one written."""
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.sql(ROWS)
    subject.write(NEW)
    return subject


@contextmanager
def copy_of(subject: Subject, server: str, number: int) -> Iterator[Subject]:
    """The same workspace, a copy of its database."""
    found = re.search(r"dbname=(\S+)", subject.address)
    assert found is not None
    name = f"{found[1]}_{number}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}" TEMPLATE "{found[1]}"'.encode())
        try:
            yield Subject(subject.folder, subject.address.replace(found[1], name))
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


@pytest.mark.slow
def test_killed_at_every_boundary(begun: Subject, server: str) -> None:
    with copy_of(begun, server, 0) as one:
        ran = one.atl("apply", *FLAGS, fault="trace", batch=10)
        assert ran.code == 0, ran.said
        whole(one)
    points = int(re.findall(r"point (\d+)", ran.said)[-1])
    assert points > 20
    # All of them, about eighty, take minutes; the seven of each run are other ones as statements come and go.
    step = 1 if os.environ.get("ATL_THOROUGH") else points // 7
    for number in range(1, points + 1, step):
        with copy_of(begun, server, number) as one:
            killed = one.atl("apply", *FLAGS, fault=f"kill:{number}", batch=10)
            assert killed.code == -signal.SIGKILL, killed.said
            ran = one.atl("apply", *FLAGS)
            assert ran.code == 0, (number, ran.said)
            whole(one)


def test_killed_again_and_again(begun: Subject) -> None:
    for number in range(2, 40):
        ran = begun.atl("apply", *FLAGS, fault=f"kill:{number}", batch=10)
        if ran.code == 0:
            break
        assert ran.code == -signal.SIGKILL, ran.said
    whole(begun)


def test_what_was_begun_is_finished_before_another_plan(begun: Subject) -> None:
    assert begun.atl("apply", *FLAGS, fault="kill:8").code == -signal.SIGKILL
    begun.write(NEW.replace("  index by size\n", ""))
    ran = begun.atl("apply")
    assert (ran.code, "it is finished first" in ran.said) == (0, True), ran.said
    assert begun.sql(AFTER) == EXPECTED
    assert begun.atl("inspect").code == 0


def test_a_plan_by_its_id_while_another_is_under_way(begun: Subject) -> None:
    id = begun.atl("plan").said.split()[1].rstrip(":")
    assert begun.atl("apply", *FLAGS, fault="kill:8").code == -signal.SIGKILL
    before = begun.sql("SELECT event, stage FROM atlantis_meta.history ORDER BY id")
    for command in ("history", "inspect", "plan"):
        assert f"an apply of plan {id} to " in begun.atl(command).said
    for words in (["--plan", "0123"], ["--plan", "0123", "--dry-run"]):
        ran = begun.atl("apply", *FLAGS, *words)
        assert (ran.code, f"plan {id} was stopped halfway and comes first" in ran.said) == (3, True), ran.said
    assert begun.atl("apply", "--plan", id, "--dry-run").said.endswith("nothing was done (--dry-run)\n")
    assert begun.sql("SELECT event, stage FROM atlantis_meta.history ORDER BY id") == before
    begun.write(NEW.replace("  index by size\n", ""))
    ran = begun.atl("apply", "--plan", id)
    assert (ran.code, ran.said.endswith(f"done: plan {id}\n")) == (0, True), ran.said
    assert begun.sql(AFTER) == EXPECTED


def test_two_at_once(begun: Subject) -> None:
    started = [begun.start("apply", *FLAGS, batch=1) for _ in range(2)]
    ran = [begun.wait(each) for each in started]
    assert [each.code for each in ran] == [0, 0], ran
    whole(begun)


def blocking(subject: Subject, sql: str) -> psycopg.Connection[Any]:
    connection = psycopg.connect(subject.address)
    connection.execute(sql.encode())
    return connection


def applying(subject: Subject) -> list[tuple[Any, ...]]:
    """The backends that wait for a lock of a relation, transaction or row."""
    return subject.sql(
        "SELECT pid FROM pg_stat_activity WHERE application_name = 'atl' AND wait_event_type = 'Lock'"
        " AND datname = current_database()"
    )


def until(condition: Callable[[], Any]) -> Any:
    end = time.monotonic() + 30
    while not (found := condition()):
        assert time.monotonic() < end, "it never came so far"
        time.sleep(0.05)
    return found


def test_the_other_applier_is_named(begun: Subject) -> None:
    with blocking(begun, "LOCK TABLE atlantis.farm_plot"):
        first = begun.start("apply", *FLAGS)
        until(lambda: applying(begun))
        second = begun.atl("apply", *FLAGS, "--wait", "0")
        assert (second.code, "another apply is running" in second.said) == (3, True), second.said
        assert re.search(r"process \d+ of `postgres`", second.said)
    assert begun.wait(first).code == 0
    whole(begun)


@pytest.mark.slow
def test_a_table_in_use_is_waited_for(begun: Subject) -> None:
    with blocking(begun, "LOCK TABLE atlantis.farm_plot IN SHARE MODE"):
        started = begun.start("apply", *FLAGS)
        time.sleep(10)
    ran = begun.wait(started)
    assert (ran.code, "a table is in use" in ran.said) == (0, True), ran.said
    whole(begun)


@pytest.mark.parametrize(
    ("bad", "named", "good"),
    [
        ("size = -id WHERE id IN (3, 5)", "id = 3; id = 5", "size = id"),
        ("name = 'plot 4' WHERE id = 5", "plot 4", "name = 'plot 5' WHERE id = 5"),
        ("name = repeat('x', 41) WHERE id = 7", "name", "name = 'plot 7' WHERE id = 7"),
    ],
)
def test_rows_in_the_way_are_named(bad: str, named: str, good: str, begun: Subject) -> None:
    begun.sql(f"UPDATE atlantis.farm_plot SET {bad}")
    ran = begun.atl("apply", *FLAGS)
    assert ran.code == 3, ran.said
    assert named in ran.said, ran.said
    assert begun.sql("SELECT count(*) FROM atlantis.farm_plot") == [(25,)]
    begun.sql(f"UPDATE atlantis.farm_plot SET {good}")
    if begun.sql("SELECT pending IS NOT NULL FROM atlantis_meta.checkpoint") == [(True,)]:
        begun.sql("UPDATE atlantis.farm_plot SET owner = 'owner of ' || name WHERE owner <> 'owner of ' || name")
    again = begun.atl("apply", *FLAGS)
    assert again.code == 0, again.said
    whole(begun)


def test_a_failing_statement_undoes_its_stage(begun: Subject) -> None:
    """In place of a full disk."""
    begun.sql(
        """CREATE FUNCTION full_disk() RETURNS event_trigger LANGUAGE plpgsql AS $$BEGIN
        IF EXISTS (SELECT 1 FROM pg_event_trigger_ddl_commands() WHERE object_identity = 'atlantis.farm_farm') THEN
          RAISE EXCEPTION USING ERRCODE = 'disk_full', MESSAGE = 'could not extend file';
        END IF; END$$""",
        "CREATE EVENT TRIGGER full_disk ON ddl_command_end EXECUTE FUNCTION full_disk()",
    )
    ran = begun.atl("apply", *FLAGS)
    assert (ran.code, "could not extend file" in ran.said, "make room" in ran.said) == (3, True, True), ran.said
    assert begun.sql("SELECT to_regclass('atlantis.farm_farm')") == [(None,)]
    begun.sql("DROP EVENT TRIGGER full_disk")
    assert begun.atl("apply", *FLAGS).code == 0
    whole(begun)


def lost(subject: Subject) -> Applied:
    with blocking(subject, "LOCK TABLE atlantis.farm_plot IN SHARE MODE"):
        started = subject.start("apply", *FLAGS)
        ((pid,),) = until(lambda: applying(subject))
        subject.sql(f"SELECT pg_terminate_backend({pid})")
        return subject.wait(started)


def test_a_lost_connection(begun: Subject) -> None:
    ran = lost(begun)
    assert (ran.code, "the connection was lost in stage" in ran.said) == (3, True), ran.said
    assert begun.atl("apply", *FLAGS).code == 0
    whole(begun)


def test_an_interrupt(begun: Subject) -> None:
    with blocking(begun, "LOCK TABLE atlantis.farm_plot IN SHARE MODE"):
        started = begun.start("apply", *FLAGS)
        until(lambda: applying(begun))
        os.kill(started[0], signal.SIGINT)
        ran = begun.wait(started)
    assert (ran.code, "interrupted" in ran.said) == (130, True), ran.said
    assert begun.atl("apply", *FLAGS).code == 0
    whole(begun)


def test_a_concurrent_build_that_was_cut_off(subject: Subject) -> None:
    """It leaves an invalid index behind, which is cleared away."""
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.sql(ROWS)
    subject.write(OLD.replace("  note   text\n", "  note   text\n  index by size\n"))
    with blocking(subject, "UPDATE atlantis.farm_plot SET size = size WHERE id = 1"):
        started = subject.start("apply")
        ((pid,),) = until(lambda: applying(subject))
        os.kill(started[0], signal.SIGKILL)
        assert subject.wait(started).code == -signal.SIGKILL
        subject.sql(f"SELECT pg_terminate_backend({pid})")
        until(lambda: not applying(subject))
    assert subject.sql("SELECT count(*) FROM pg_index WHERE NOT indisvalid") == [(1,)]
    ran = subject.atl("apply")
    assert (ran.code, "is cleared away" in ran.said) == (0, True), ran.said
    assert subject.atl("inspect").code == 0


def test_a_plan_is_stale_when_someone_was_faster(begun: Subject) -> None:
    from atl.migrate import checkpoint, database
    from atl.migrate.errors import MigrateError

    assert begun.atl("apply", *FLAGS, fault="kill:4").code == -signal.SIGKILL
    with database.connect(begun.address) as connection:
        state = checkpoint.read(connection)
        assert state.pending is not None
        for wrong in (
            lambda: checkpoint.begin(connection, state, state.pending._replace(plan="x")),  # type: ignore[union-attr]
            lambda: checkpoint.advance(connection, state, state.pending, state.pending.stage + 2),  # type: ignore
            lambda: checkpoint.advance(connection, state._replace(digest="0" * 64), state.pending, 1),  # type: ignore
        ):
            with pytest.raises(MigrateError, match="is stale"), connection.transaction():
                wrong()
        assert checkpoint.read(connection) == state


def test_a_begun_plan_can_be_taken_back(subject: Subject) -> None:
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    subject.sql(ROWS)
    subject.write(OLD.replace("size   int not null", 'size   int not null check "size > 0"'))
    # Behind the first stage: the check is there, and not yet validated.
    assert subject.atl("apply", "--backfill", fault="kill:5").code == -signal.SIGKILL
    unchecked = "SELECT count(*) FROM pg_constraint WHERE contype = 'c' AND NOT convalidated"
    assert subject.sql(unchecked) == [(1,)]
    ran = subject.atl("apply", "--back-out")
    assert (ran.code, "was taken back" in ran.said) == (0, True), ran.said
    subject.write(OLD)
    assert subject.atl("inspect").code == 0
    assert subject.atl("apply").said == "the database is what is declared: nothing to do\n"
    assert subject.atl("apply", "--back-out").code == 3
