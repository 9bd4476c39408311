"""Each change of type on a real server: values, what hangs on the column, whether the table is rewritten."""

from __future__ import annotations

import psycopg
import pytest

from atl.diff import Hazard
from tests.diff.reading import schema
from tests.migrate.executing import Database, snapshot

ENUMS = 'enum Size in s {{ small, large }}\nenum Other in s {{ large, small, "x" }}\n'

# old, new, a value before, the same value after as text. `-`: refused.
ROWS = """
smallint        | int             | 7                         | 7
int             | bigint          | 2147483647                | 2147483647
bigint          | int             | 7                         | 7
bigint          | int             | 3000000000                | -
int             | smallint        | -32768                    | -32768
int             | text            | 12                        | 12
int             | varchar(2)      | 12                        | 12
int             | varchar(2)      | 123                       | -
int             | char(4)         | 12                        | 12
int             | numeric(5, 2)   | 12                        | 12.00
int             | double          | 12                        | 12
int             | boolean         | 2                         | true
boolean         | int             | true                      | 1
boolean         | text            | true                      | true
numeric(8, 2)   | numeric(12, 2)  | 1.50                      | 1.50
numeric(6, 2)   | numeric(10, 4)  | 1.50                      | 1.5000
numeric(10, 4)  | numeric(10, 2)  | 12.3450                   | 12.35
numeric(8, 2)   | numeric(5, 2)   | 999.99                    | 999.99
numeric(8, 2)   | numeric(5, 2)   | 1000                      | -
numeric(8, 2)   | int             | 2.6                       | 3
double          | real            | 0.1                       | 0.1
real            | double          | 0.5                       | 0.5
varchar(20)     | varchar(40)     | abc                       | abc
varchar(20)     | varchar         | abc                       | abc
varchar(20)     | text            | abc                       | abc
varchar         | text            | abc                       | abc
text            | varchar         | abc                       | abc
varchar(20)     | varchar(3)      | abc                       | abc
varchar(20)     | varchar(3)      | abcd                      | -
varchar(20)     | varchar(3)      | abc_                      | -
text            | varchar(3)      | abc_                      | -
text            | char(3)         | abcd                      | -
varchar(20)     | char(6)         | abc                       | abc
char(6)         | varchar(6)      | abc                       | abc
char(6)         | text            | abc                       | abc
char(6)         | char(9)         | abc                       | abc
char(6)         | char(3)         | abcd                      | -
text            | int             | 12                        | 12
text            | int             | x                         | -
text            | uuid            | 00000000-0000-0000-0000-000000000001 | 00000000-0000-0000-0000-000000000001
uuid            | text            | 00000000-0000-0000-0000-000000000001 | 00000000-0000-0000-0000-000000000001
uuid            | varchar(36)     | 00000000-0000-0000-0000-000000000001 | 00000000-0000-0000-0000-000000000001
uuid            | varchar(8)      | 00000000-0000-0000-0000-000000000001 | -
text            | name            | abc                       | abc
name            | text            | abc                       | abc
Size            | text            | small                     | small
Size            | varchar(5)      | small                     | small
Size            | varchar(2)      | small                     | -
text            | Size            | small                     | small
text            | Size            | huge                      | -
char(5)         | Size            | small                     | small
Size            | Other           | small                     | small
timestamptz     | timestamp       | 2024-01-01 12:00:00+02    | 2024-01-01 10:00:00
timestamp       | timestamptz     | 2024-01-01 12:00:00       | 2024-01-01 12:00:00+00
timestamptz     | date            | 2024-01-01 00:30:00+02    | 2023-12-31
date            | timestamptz     | 2024-01-01                | 2024-01-01 00:00:00+00
date            | timestamp       | 2024-01-01                | 2024-01-01 00:00:00
timestamptz     | time            | 2024-01-01 12:00:00+02    | 10:00:00
timestamptz     | text            | 2024-01-01 12:00:00+00    | 2024-01-01 12:00:00+00
time            | interval        | 10:00:00                  | 10:00:00
json            | jsonb           | {"a": 1}                  | {"a": 1}
jsonb           | text            | {"a": 1}                  | {"a": 1}
jsonb           | int             | 3                         | 3
text            | jsonb           | {"a": 1}                  | {"a": 1}
text            | bytea           | abc                       | \\x616263
inet            | cidr            | 10.0.0.0/8                | 10.0.0.0/8
bit(4)          | varbit(4)       | 1010                      | 1010
bit(4)          | varbit(2)       | 1010                      | -
varbit(4)       | varbit(8)       | 1010                      | 1010
varbit(8)       | varbit(4)       | 101010                    | -
money           | numeric(8, 2)   | 1.50                      | 1.50
[]int           | []bigint        | {1,2}                     | {1,2}
[]int           | []text          | {1,2}                     | {1,2}
[]text          | []int           | {1,2}                     | {1,2}
[]varchar(9)    | []varchar(3)    | {abc}                     | {abc}
[]varchar(9)    | []varchar(3)    | {abcd}                    | -
[]text          | []varchar(3)    | {abcd}                    | -
[]int           | []varchar(2)    | {123}                     | -
[]timestamp     | []timestamptz   | {"2024-01-01 12:00:00"}   | {"2024-01-01 12:00:00+00"}
"""


@pytest.mark.parametrize("row", ROWS.strip().splitlines(), ids=lambda row: " ".join(row.split()))
def test_type(databases: tuple[Database, Database], row: str) -> None:
    database, fresh = databases
    old, new, value, after = (part.strip().replace("_", " ") for part in row.split(" | "))
    text = ENUMS + "entity T in s {{ id bigint primary\n  c {} }}"
    database.apply(schema(text.format(old)))
    database.connection.execute("INSERT INTO atlantis.s_t VALUES (1, %s)", (value,))
    before = database.one("SELECT pg_relation_filenode('atlantis.s_t')")
    if after == "-":
        with pytest.raises((psycopg.DataError, AssertionError)):
            database.apply(schema(text.format(new)))
        with pytest.raises(psycopg.DataError):
            database.apply(schema(text.format(new)), guarded=False)
        assert database.one("SELECT rtrim(c::text, chr(1)) FROM atlantis.s_t") is not None
        return
    plan = database.apply(schema(text.format(new)))
    assert database.one("SELECT trim(c::text) FROM atlantis.s_t") == after
    fresh.apply(schema(text.format(new)))
    assert snapshot(database) == snapshot(fresh)
    rewritten = database.one("SELECT pg_relation_filenode('atlantis.s_t')") != before
    said = any(Hazard.REWRITES_TABLE in change.hazards for change in plan.diff.changes)
    assert rewritten == said, "rewritten" if rewritten else "not rewritten"


HANGING = (
    ENUMS
    + """
entity Up in s {{ code {} primary }}
entity T in s {{
  id bigint primary
  c  {} not null default {} unique references s.Up.code check "c <> {}"
  d  text
  tenant {}
  unique by c, id
  index by c desc, id
  index by expr "coalesce(c, c)"
  index partial by id where c <> {}
  unique index partial by d where c <> {}
  check "c <> {} or d is null" as other
  {}
}}
"""
)


def hanging(type_: str, default: str, literal: str, predicate: str, tenant: str = "text", more: str = "") -> str:
    return HANGING.format(type_, type_, default, literal, tenant, predicate, predicate, literal, more)


@pytest.mark.parametrize(
    ("old", "new", "values"),
    [
        (("int", "1", "9", "9"), ("bigint", "1", "9", "9"), "1"),
        (("int", "1", "9", "9"), ("text", '"1"', "'9'", '"9"'), "1"),
        (("varchar(9)", '"1"', "'9'", '"9"'), ("varchar(20)", '"1"', "'9'", '"9"'), "'1'"),
        (("varchar(9)", '"1"', "'9'", '"9"'), ("text", '"1"', "'9'", '"9"'), "'1'"),
        (("varchar(9)", '"1"', "'9'", '"9"'), ("varchar(4)", '"1"', "'9'", '"9"'), "'1'"),
        (("varchar(9)", '"1"', "'9'", '"9"'), ("int", "1", "9", "9"), "'1'"),
        (("Size", '"small"', "'large'", '"large"'), ("text", '"small"', "'large'", '"large"'), "'small'"),
        (("text", '"small"', "'large'", '"large"'), ("Size", '"small"', "'large'", '"large"'), "'small'"),
        (("Size", '"small"', "'large'", '"large"'), ("Other", '"small"', "'large'", '"large"'), "'small'"),
        (("date", '"2024-01-01"', "'2020-01-01'", '"2020-01-01"'),
         ("timestamptz", '"2024-01-01"', "'2020-01-01'", '"2020-01-01"'), "'2024-01-01'"),
    ],
    ids=lambda value: value[0] if isinstance(value, tuple) else "",
)  # fmt: skip
def test_what_hangs_on_it(
    databases: tuple[Database, Database],
    old: tuple[str, str, str, str],
    new: tuple[str, str, str, str],
    values: str,
) -> None:
    database, fresh = databases
    before, after = schema(hanging(*old)), schema(hanging(*new))
    database.apply(before)
    database.run(f"INSERT INTO atlantis.s_up VALUES ({values})")
    database.run("INSERT INTO atlantis.s_t (id, d) VALUES (1, 'x')")
    plan = database.apply(after)
    fresh.apply(after)
    assert snapshot(database) == snapshot(fresh)
    if new[0] == "timestamptz":
        return  # a moment that is written meanwhile is no day
    database.undo(plan)
    fresh.reset()
    fresh.apply(before)
    assert snapshot(database) == snapshot(fresh)


@pytest.mark.parametrize(("old", "new"), [("int", "bigint"), ("varchar(9)", "text"), ("uuid", "text")])
def test_the_column_of_tenancy(databases: tuple[Database, Database], old: str, new: str) -> None:
    database, fresh = databases
    text = "entity T in s {{ id bigint primary\n tenant {} not null\n partition by tenant }}"
    database.apply(schema(text.format(old)))
    database.apply(schema(text.format(new)))
    fresh.apply(schema(text.format(new)))
    assert snapshot(database) == snapshot(fresh)


@pytest.mark.parametrize("kind", ["serial", "identity"])
@pytest.mark.parametrize(("old", "new"), [("int", "bigint"), ("bigint", "int")])
def test_a_counted_column(databases: tuple[Database, Database], kind: str, old: str, new: str) -> None:
    database, fresh = databases
    text = f"entity T in s {{{{ id {{}} primary {kind}\n n text }}}}"
    database.apply(schema(text.format(old)))
    database.run("INSERT INTO atlantis.s_t (n) VALUES ('a')")
    database.apply(schema(text.format(new)))
    database.run("INSERT INTO atlantis.s_t (n) VALUES ('b')")
    assert database.rows("SELECT id FROM atlantis.s_t ORDER BY id") == [(1,), (2,)]
    fresh.apply(schema(text.format(new)))
    assert snapshot(database) == snapshot(fresh)
