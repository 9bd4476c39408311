"""What is taken out of a schema is kept, and comes back with its rows."""

from __future__ import annotations

import json

from atl.migrate.model import Parked
from tests.diff.reading import schema
from tests.migrate.executing import Database, snapshot

WITH = """
enum Mood in s {{ calm, wild }}
entity Cow in s {{
  id    bigint primary
  tag   varchar(8) not null
  {}
}}
"""
FULL = WITH.format(
    """mood  Mood not null default "calm" check "mood <> 'wild'" unique
  n     bigint serial
  owner bigint references s.Cow.id
  index by mood, tag"""
)
BARE = WITH.format("").replace("enum Mood in s { calm, wild }", "")


def filled(database: Database) -> None:
    database.apply(schema(FULL))
    database.run("INSERT INTO atlantis.s_cow (id, tag, mood, owner) VALUES (1, 'a', 'calm', 1)")


def same_as_fresh(databases: tuple[Database, Database], text: str) -> None:
    databases[1].apply(schema(text))
    assert snapshot(databases[0]) == snapshot(databases[1])


def test_a_column_and_its_enum(databases: tuple[Database, Database]) -> None:
    database, _ = databases
    filled(database)
    plan = database.apply(schema(BARE))
    assert [p.kind for p in plan.parks] == ["column", "column", "column", "enum"]
    assert all(Parked.load(json.loads(json.dumps(p.dump()))) == p for p in plan.parks)
    mood = next(p for p in plan.parks if p.member == "mood")
    assert any("UNIQUE" in sql for sql in mood.dropped) and any("CREATE INDEX" in sql for sql in mood.dropped)
    database.run("INSERT INTO atlantis.s_cow (id, tag) VALUES (2, 'b')")
    database.apply(schema(WITH.format("")))
    back = database.plan(schema(WITH.format("mood Mood\n n bigint\n owner bigint")))
    assert sorted(p.member for p in back.unparks) == ["mood", "n", "owner"]
    database.apply(schema(WITH.format("mood Mood\n n bigint\n owner bigint")))
    found = database.rows("SELECT id, mood::text, n, owner FROM atlantis.s_cow ORDER BY id")
    assert found == [(1, "calm", 1, 1), (2, None, None, None)]
    assert database.parked == []
    same_as_fresh(databases, WITH.format("mood Mood\n n bigint\n owner bigint"))


def test_rows_written_meanwhile_get_the_default(databases: tuple[Database, Database]) -> None:
    database, _ = databases
    text = WITH.format("grade int not null default 3")
    database.apply(schema(text))
    database.run("INSERT INTO atlantis.s_cow (id, tag, grade) VALUES (1, 'a', 9)")
    database.apply(schema(WITH.format("")))
    database.run("INSERT INTO atlantis.s_cow (id, tag) VALUES (2, 'b')")
    plan = database.apply(schema(text))
    assert [p.member for p in plan.unparks] == ["grade"]
    assert database.rows("SELECT id, grade FROM atlantis.s_cow ORDER BY id") == [(1, 9), (2, 3)]
    same_as_fresh(databases, text)


def test_a_serial_goes_on_after_the_greatest(database: Database) -> None:
    filled(database)
    database.run("UPDATE atlantis.s_cow SET n = 41")
    database.apply(schema(BARE))
    database.apply(schema(BARE + "\nenum Mood in s { calm, wild }"))
    database.apply(schema(WITH.format("n bigint serial")))
    database.run("INSERT INTO atlantis.s_cow (id, tag) VALUES (2, 'b')")
    assert database.rows("SELECT n FROM atlantis.s_cow ORDER BY id") == [(41,), (42,)]


def test_another_type_is_added_anew(database: Database) -> None:
    database.apply(schema(WITH.format("grade int")))
    database.apply(schema(WITH.format("")))
    plan = database.apply(schema(WITH.format("grade text")))
    assert plan.unparks == ()
    assert len(database.parked) == 1
    database.apply(schema(WITH.format("")))
    assert len({p.name for p in database.parked}) == 2


def test_parked_twice_under_two_names(database: Database) -> None:
    database.apply(schema(WITH.format("grade int")))
    first = database.apply(schema(WITH.format(""))).parks[0]
    database.parked.clear()  # as if nobody remembered it, and yet it is there
    database.apply(schema(WITH.format("grade int")))
    database.parked.append(first)
    second = database.apply(schema(WITH.format(""))).parks[0]
    assert first.name != second.name


def test_a_table_comes_back_with_rows_and_what_hung_on_it(databases: tuple[Database, Database]) -> None:
    database, _ = databases
    text = (
        FULL
        + """
entity Note in s {
  id     bigint primary identity
  cow    bigint not null references s.Cow.id on delete cascade
  mood   Mood default "wild"
  words  text not null check "words <> ''"
  made   timestamptz
  tenant text not null
  index by cow
  touch_on_update by made
  partition by tenant
}
"""
    )
    database.apply(schema(text))
    database.run("INSERT INTO atlantis.s_cow (id, tag) VALUES (1, 'a')")
    database.run("INSERT INTO atlantis.s_note (cow, words, tenant) VALUES (1, 'x', 'n'), (1, 'y', 'n')")
    plan = database.apply(schema(FULL))
    (parked,) = plan.parks
    assert (parked.kind, parked.was) == ("table", ("atlantis", "s_note"))
    assert (
        database.one("SELECT relrowsecurity FROM pg_class WHERE relnamespace = 'atlantis_parked'::regnamespace")
        is False
    )
    assert database.one("SELECT to_regclass('atlantis.s_note') IS NULL")
    back = database.apply(schema(text))
    assert back.unparks == (parked,)
    same_as_fresh(databases, text)
    assert database.rows("SELECT id, words FROM atlantis.s_note ORDER BY id") == [(1, "x"), (2, "y")]
    database.run("INSERT INTO atlantis.s_note (cow, words, tenant) VALUES (1, 'z', 'n')")
    assert database.one("SELECT max(id) FROM atlantis.s_note") == 3


def test_a_table_of_other_columns_is_made_anew(database: Database) -> None:
    two = "entity Note in s {{ id bigint primary\n words {} }}"
    database.apply(schema(two.format("text")))
    database.apply(schema(""))
    plan = database.apply(schema(two.format("int")))
    assert plan.unparks == ()
    assert [p.kind for p in database.parked] == ["table"]


def test_a_parked_column_in_a_table_that_is_renamed(databases: tuple[Database, Database]) -> None:
    database, _ = databases
    database.apply(schema(WITH.format("grade int")))
    database.run("INSERT INTO atlantis.s_cow (id, tag, grade) VALUES (1, 'a', 9)")
    database.apply(schema(WITH.format("")))
    renamed = WITH.replace("entity Cow", "// atl: renamed-from Cow\nentity Ox")
    database.apply(schema(renamed.format("")))
    database.relocate()
    database.apply(schema(renamed.format("grade int")))
    assert database.rows("SELECT id, grade FROM atlantis.s_ox") == [(1, 9)]
    same_as_fresh(databases, renamed.format("grade int"))


def test_an_enum_that_comes_back_with_another_label(databases: tuple[Database, Database]) -> None:
    database, _ = databases
    filled(database)
    database.apply(schema(BARE))
    more = FULL.replace("{ calm, wild }", "{ calm, odd, wild }")
    database.apply(schema(more))
    assert database.rows("SELECT mood::text FROM atlantis.s_cow") == [("calm",)]
    same_as_fresh(databases, more)


def test_an_enum_that_comes_back_with_a_label_less(database: Database) -> None:
    filled(database)
    database.apply(schema(BARE))
    fewer = WITH.format("mood Mood").replace("{ calm, wild }", "{ calm }")
    plan = database.apply(schema(fewer))
    # The type is another one, so the column that has the parked type stays parked.
    assert plan.unparks == ()
    assert database.one("SELECT count(*) FROM atlantis.s_cow WHERE mood IS NULL") == 1


def test_nulls_of_rows_written_meanwhile_are_counted_first(database: Database) -> None:
    text = WITH.format("grade int not null")
    database.apply(schema(text))
    database.apply(schema(WITH.format("")))
    database.run("INSERT INTO atlantis.s_cow (id, tag) VALUES (2, 'b')")
    (guard,) = database.plan(schema(text)).guards
    assert database.one(guard.sql) == 1
    assert guard.message == "{rows} rows of `s.Cow` have null for `grade`, which becomes not null"


FARM = "entity Farm in s { id int primary }"
HERD = (
    FARM
    + """
entity Cow in s {
  id    int primary
  farm  int references s.Farm.id
  tag   text unique
  grade int check "grade > 0"
}"""
)


def counts(database: Database, text: str) -> dict[str, int]:
    """What stands against a change, by the member of its cause."""
    guards = database.plan(schema(text)).guards
    return {guard.change.member: count for guard in guards if (count := database.one(guard.sql))}


def test_what_no_longer_fits_is_counted_before_a_column_comes_back(database: Database) -> None:
    bare = FARM + "entity Cow in s { id int primary }"
    database.apply(schema(HERD))
    database.run("INSERT INTO atlantis.s_farm VALUES (1), (2)")
    database.run("INSERT INTO atlantis.s_cow VALUES (1, 1, 'a', 1), (2, 2, 'b', 2), (3, 2, NULL, NULL)")
    database.apply(schema(bare))
    assert counts(database, HERD) == {}
    database.run("DELETE FROM atlantis.s_farm WHERE id = 2")
    assert counts(database, HERD) == {"farm": 2}
    assert counts(database, HERD.replace("grade > 0", "grade > 1")) == {"farm": 2, "grade": 1}
    assert counts(database, HERD.replace("references s.Farm.id", "unique")) == {"farm": 2}
    database.run("INSERT INTO atlantis.s_farm VALUES (2)")
    database.apply(schema(HERD))
    assert database.one("SELECT count(*) FROM atlantis.s_cow WHERE farm = 2") == 2


def test_what_no_longer_fits_is_counted_before_a_table_comes_back(database: Database) -> None:
    database.apply(schema(HERD))
    database.run("INSERT INTO atlantis.s_farm VALUES (1), (2)")
    database.run("INSERT INTO atlantis.s_cow VALUES (1, 1, 'a', 1), (2, 2, 'b', 2)")
    database.apply(schema(FARM))
    assert counts(database, HERD) == {}
    database.run("DELETE FROM atlantis.s_farm WHERE id = 2")
    assert counts(database, HERD) == {"": 1}
    database.apply(schema(""))
    assert counts(database, HERD) == {"": 1}
    (name,) = (parked.at[1] for parked in database.parked if parked.was[1] == "s_cow")
    database.run(f"UPDATE atlantis_parked.{name} SET farm = NULL WHERE farm = 2")
    assert counts(database, HERD) == {}
    database.apply(schema(HERD))
    assert database.rows("SELECT id, farm FROM atlantis.s_cow ORDER BY id") == [(1, 1), (2, None)]
