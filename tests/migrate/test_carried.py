"""What a plan does on a real server beside changing the catalog: rows are filled, touched, hidden, counted."""

from __future__ import annotations

import psycopg
import pytest

from atl.diff import diff
from atl.migrate.plan import make_plan
from tests.diff.reading import schema
from tests.migrate.executing import Database, dump, snapshot

TOUCHED = """
entity T in s {{
  id    bigint primary
  made  timestamptz not null
  {}
  touch_on_update by made
}}
"""


def test_a_backfill_does_not_touch(database: Database) -> None:
    database.apply(schema(TOUCHED.format("")))
    database.run("INSERT INTO atlantis.s_t SELECT i, '2020-01-01' FROM generate_series(1, 10) i")
    database.apply(schema(TOUCHED.format('n int not null backfill "id * 2"')))
    assert database.rows("SELECT id, n FROM atlantis.s_t WHERE made = '2020-01-01' ORDER BY id") == [
        (i, 2 * i) for i in range(1, 11)
    ]
    database.run("UPDATE atlantis.s_t SET n = 0 WHERE id = 1")
    assert database.one("SELECT count(*) FROM atlantis.s_t WHERE made > now() - interval '1 minute'") == 1


@pytest.mark.parametrize(
    ("key", "columns", "values"),
    [
        ("id bigint primary", "id", "i"),
        ("id text primary", "id", "i::text"),
        ("id uuid primary", "id", "md5(i::text)::uuid"),
        ("id timestamptz primary", "id", "timestamptz '2020-01-01' + i * interval '1 microsecond'"),
        ("id double primary", "id", "i / 3.0"),
        ("id bytea primary", "id", "int4send(i)"),
        ("id numeric(8, 3) not null\n k char(2) not null\n primary by k, id", "id, k", "i / 7, chr(65 + i)"),
        ("id bigint not null\n keyless", "id", "i"),
    ],
)
def test_batches_reach_every_row(database: Database, key: str, columns: str, values: str) -> None:
    text = "entity T in s {{ {}\n {} }}"
    database.apply(schema(text.format(key, "")))
    database.run(f"INSERT INTO atlantis.s_t ({columns}) SELECT {values} FROM generate_series(1, 10) i")
    plan = database.apply(schema(text.format(key, "n text not null backfill \"'x'\"")))
    assert database.one("SELECT count(*) FROM atlantis.s_t WHERE n = 'x'") == 10
    # The script fills as well, in one statement that commits its batches.
    fills = [s.backfill for s in plan.statements if s.backfill is not None]
    if fills:
        database.run("ALTER TABLE atlantis.s_t ALTER n DROP NOT NULL")
        database.run("UPDATE atlantis.s_t SET n = NULL")
        database.run(fills[0].block(3))
        assert database.one("SELECT count(*) FROM atlantis.s_t WHERE n = 'x'") == 10


def test_tenants_see_their_rows(database: Database) -> None:
    text = "entity T in s {{ id bigint primary\n tenant {} not null\n n int {}\n {} }}"
    database.apply(schema(text.format("int", "", "")))
    database.run("INSERT INTO atlantis.s_t VALUES (1, 7, NULL), (2, 8, NULL)")
    # Rows are filled and checked although the policies hide them all.
    database.apply(schema(text.format("int", "", "partition by tenant")))
    database.apply(schema(text.format("int", 'not null check "n > 0" backfill "tenant"', "partition by tenant")))
    database.run("DROP ROLE IF EXISTS teller")
    database.run("CREATE ROLE teller")
    database.run("GRANT USAGE ON SCHEMA atlantis TO teller")
    database.run("GRANT ALL ON atlantis.s_t TO teller")
    with database.connection.transaction(force_rollback=True):
        database.run("SET LOCAL ROLE teller")
        database.run("SET LOCAL row_security = on")
        assert database.rows("SELECT id FROM atlantis.s_t") == []
        database.run("SET LOCAL atlantis.tenant = '8'")
        assert database.rows("SELECT id FROM atlantis.s_t") == [(2,)]
        with pytest.raises(psycopg.errors.InsufficientPrivilege), database.connection.transaction():
            database.run("INSERT INTO atlantis.s_t VALUES (3, 7, 1)")
    database.run("DROP OWNED BY teller")
    database.run("DROP ROLE teller")


def test_a_policy_moves_in_one_transaction(database: Database) -> None:
    text = "entity T in s {{ id bigint primary\n a text not null\n b text not null\n partition by {} }}"
    plan = make_plan(diff(schema(text.format("a")), schema(text.format("b"))))
    stages = [[s.sql.split(" ON ")[0] for s in stage.statements if "POLICY" in s.sql] for stage in plan.stages]
    (moved,) = [stage for stage in stages if stage]
    assert [sql.split(" ")[0] for sql in moved] == ["DROP", "DROP", "CREATE", "CREATE"]


def test_an_invalid_index_is_dropped_and_built_again(database: Database) -> None:
    text = "entity T in s {{ id bigint primary\n n int not null {} }}"
    database.apply(schema(text.format("")))
    database.run("INSERT INTO atlantis.s_t VALUES (1, 1), (2, 1)")
    with pytest.raises(psycopg.errors.UniqueViolation):
        database.apply(schema(text.format("unique")), guarded=False)
    assert database.one("SELECT NOT indisvalid FROM pg_index WHERE indexrelid = 'atlantis.s_t_n_key'::regclass")
    database.run("UPDATE atlantis.s_t SET n = id")
    database.apply(schema(text.format("unique")))
    assert database.one("SELECT indisvalid FROM pg_index WHERE indexrelid = 'atlantis.s_t_n_key'::regclass")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("", "n int not null", "3 rows of `s.T` have no value for `n`, which is not null"),
        ("n int", "n int not null", "2 rows of `s.T` have null for `n`, which becomes not null"),
        ("n int", 'n int not null backfill "nullif(id, 2)"', "1 rows of `s.T` get null for `n` from its `backfill`"),
        ("n int", 'n int check "n > 5"', "1 rows of `s.T` do not pass the check `s_t_n_check`"),
        ("n int\n m int", "n int\n m int\n unique by m, n", ""),
        ("m int", "m int unique", "3 rows of `s.T` share `m` with another row"),
        ("m int", "m int references s.U.id", "3 rows of `s.T` have a `m` that is no `id` of `s.U`"),
        ("v text", "v varchar(2)", "3 rows of `s.T` hold a value of `v` that is too large for VARCHAR(2)"),
        ("m int", "m smallint", "3 rows of `s.T` hold a value of `m` that is too large for SMALLINT"),
        (
            "m int\n v text",
            'm int\n v text\n unique index partial by m where v = "abc"',
            "3 rows of `s.T` that the unique index `s_t_m_idx` takes in share `m` with another row",
        ),
        (
            "n int",
            '// atl: renamed-from n\n k int check "k > 5"',
            "1 rows of `s.T` do not pass the check `s_t_k_check`",
        ),
        (
            "n int",
            '// atl: renamed-from n\n k bigint check "k > 5"',
            "1 rows of `s.T` do not pass the check `s_t_k_check`",
        ),
        ("n smallint", "n int references s.U.id", "1 rows of `s.T` have a `n` that is no `id` of `s.U`"),
        ("", 'k int not null default 4 check "k > 5"', ""),
    ],
)
def test_guards(database: Database, old: str, new: str, message: str) -> None:
    text = "entity U in s {{ id int primary }}\nentity T in s {{ id int primary\n {} }}"
    database.apply(schema(text.format(old)))
    for number in (1, 2, 3):
        values = {"id": str(number), "n": "5" if number == 1 else "NULL", "m": "70000", "v": "'abc'"}
        there = [name for name in values if name == "id" or f"{name} " in old]
        shown = ", ".join(values[name] for name in there)
        database.run(f"INSERT INTO atlantis.s_t ({', '.join(there)}) VALUES ({shown})")
    before = snapshot(database)
    plan = database.plan(schema(text.format(new)))
    counts = [guard.message.replace("{rows}", str(n)) for guard in plan.guards if (n := database.one(guard.sql))]
    assert any(each.startswith(message) for each in counts) if message else len(counts) <= 1
    assert snapshot(database) == before


SIZE = "enum Size in s { small, large }"
NEW_NAMES = {
    "label": ("enum Size in s { small, large, huge }", "size Size check \"size <> 'huge'\""),
    "label of another field": (
        "enum Size in s { small, large, huge }",
        "size Size\n n int check \"n > 0 or size = 'huge'\"",
    ),
    "label in a predicate": (
        "enum Size in s { small, large, huge }",
        'size Size\n unique index partial by n where size = "huge"',
    ),
    "label in a backfill": (
        "enum Size in s { small, large, huge }",
        "size Size\n n int not null backfill \"case when size = 'huge' then 2 else 1 end\"",
    ),
    "label in a cast": (
        "enum Size in s { small, large, huge }",
        "size Size\n n int check \"n <> 0 or 'huge'::Atlantis.S_Size is null\"",
    ),
    "label with another name": (
        "enum Size in s { small,\n // atl: renamed-from large\n huge }",
        "size Size check \"size <> 'huge'\"",
    ),
    "labels exchanged": (
        "enum Size in s {\n // atl: renamed-from large\n small,\n // atl: renamed-from small\n large }",
        "size Size check \"size <> 'small'\"",
    ),
    "type": (SIZE + "\nenum Other in s { a }", "size Size\n n int check \"n <> 0 or 'a'::atlantis.s_other is null\""),
    "type in a default": (
        SIZE + "\nenum Other in s { a }",
        "size Size\n v text default raw \"'a'::atlantis.s_other::text\" check \"v <> 'b'\"",
    ),
    "type with another name": (
        "// atl: renamed-from Size\nenum Extent in s { small, large }",
        "size Extent check \"size <> 'large'::atlantis.s_extent\"",
    ),
}


@pytest.mark.parametrize("name", NEW_NAMES)
def test_nothing_is_asked_by_names_that_are_to_come(database: Database, name: str) -> None:
    enum, fields = NEW_NAMES[name]
    rest = "" if " n int" in fields else "\n n int"
    database.apply(schema(SIZE + "\nentity T in s { id int primary\n size Size\n n int }"))
    database.run("INSERT INTO atlantis.s_t VALUES (1, 'small', 5)")
    database.apply(schema(f"{enum}\nentity T in s {{ id int primary\n {fields}{rest} }}"))
    said = "large" if "exchanged" in name else "small"
    assert database.rows("SELECT size::text, n FROM atlantis.s_t") == [(said, 5)]


def test_a_label_that_becomes_text_is_asked_by_no_old_name(database: Database) -> None:
    database.apply(schema(SIZE + "\nentity T in s { id int primary\n size Size }"))
    database.run("INSERT INTO atlantis.s_t VALUES (1, 'large')")
    renamed = "enum Size in s { small,\n // atl: renamed-from large\n huge }"
    database.apply(schema(f"{renamed}\nentity T in s {{ id int primary\n size text check \"size <> 'large'\" }}"))
    assert database.rows("SELECT size FROM atlantis.s_t") == [("huge",)]


def test_what_names_no_label_to_come_is_still_asked(database: Database) -> None:
    text = "enum Size in s {{ {} }}\nentity T in s {{ id int primary\n size Size {}\n v text {} }}"
    database.apply(schema(text.format("small", "", "")))
    database.run("INSERT INTO atlantis.s_t VALUES (1, 'small', 'huge')")
    checks = """check "size <> 'small'" """, """check "v <> 'huge'" """
    asked = database.plan(schema(text.format("small, huge", *checks))).guards
    assert [database.one(guard.sql) for guard in asked] == [1, 1]


@pytest.mark.parametrize("was", ["uuid", "bigint", "date", "inet", "varchar(40)"])
def test_a_reference_to_what_becomes_text_is_counted(database: Database, was: str) -> None:
    values = {"uuid": "00000000-0000-0000-0000-000000000001", "date": "2024-01-02", "inet": "10.0.0.1"}
    value = values.get(was, "1")
    database.apply(schema(f"entity T in s {{ id {was} primary\n v text }}"))
    database.run(f"INSERT INTO atlantis.s_t VALUES ('{value}', 'other')")
    wanted = schema("entity T in s { id text primary\n v text references s.T.id }")
    (guard,) = database.plan(wanted).guards
    assert database.one(guard.sql) == 1
    assert "that is no `id` of `s.T`" in guard.message
    database.run("UPDATE atlantis.s_t SET v = id::text")
    database.apply(wanted)
    assert database.rows("SELECT v = id FROM atlantis.s_t") == [(True,)]


def test_a_guard_names_what_repeats(database: Database) -> None:
    text = "entity T in s {{ id int primary\n a text not null\n b int\n v text\n {} }}"
    database.apply(schema(text.format("")))
    database.run(
        "INSERT INTO atlantis.s_t VALUES (1, 'x', 1, 'on'), (2, 'x', 1, 'on'), (3, 'x', 1, 'off'), (4, 'y', 2, 'on'),"
        " (5, 'y', NULL, 'on'), (6, 'y', NULL, 'on')"
    )
    for clause in ('unique index partial by b, a where v = "on"', "unique by a, b"):
        (guard,) = database.plan(schema(text.format(clause))).guards
        partial = "partial" in clause
        assert database.one(guard.sql) == (2 if partial else 3)
        assert database.one(guard.some) == ("b = 1, a = x (2 times)" if partial else "a = x, b = 1 (3 times)")


def test_pg_dump_says_the_same(databases: tuple[Database, Database]) -> None:
    """One rich pair through `pg_dump` itself; everything else is compared by the catalog."""
    database, fresh = databases
    old = """
    enum Size in s { small, large }
    entity A in s { id int primary serial
      name varchar(9) not null unique
      size Size default "small"
      gone text }
    entity B in s { id bigint primary identity
      a int references s.A.id on delete cascade
      at timestamptz
      tenant text not null
      index by at desc
      touch_on_update by at
      partition by tenant }
    """
    new = """
    enum Size in s { tiny, small, large }
    // atl: renamed-from A
    entity Alpha in s { id bigint primary serial
      // atl: renamed-from name
      title text not null unique check "title <> ''"
      size Size not null default "tiny" backfill "'small'"
      more int default 3 }
    entity B in s { id bigint primary
      // atl: renamed-from a
      alpha bigint references s.Alpha.id on delete set null
      // atl: renamed-from at
      seen timestamptz
      tenant text not null
      index by seen
      unique index partial by alpha where tenant = "x"
      touch_on_update by seen
      partition by tenant }
    """
    database.apply(schema(old))
    database.run("INSERT INTO atlantis.s_a (name, size, gone) VALUES ('x', NULL, 'y')")
    plan = database.apply(schema(new))
    fresh.apply(schema(new))
    assert dump(database) == dump(fresh)
    assert snapshot(database) == snapshot(fresh)
    database.undo(plan) if all("label" not in s.no_reverse for s in plan.statements) else None
