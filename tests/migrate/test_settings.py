"""Databases, roles and sessions that are not as usual: a plan is carried out, or refused with what to do."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest

from atl.migrate import database
from tests.databases import Subject

OLD = r"""enum Kind in farm { "a\\b", "größer" }

entity Plot in farm {
  id    double primary
  name  text not null default "c:\\d"
  kind  Kind
  made  date default "2020-02-01"
}
"""
NEW = OLD.replace(
    "  made  date",
    r"""  seen  timestamptz not null default "2020-02-01 00:00:00"
  code  text not null backfill "lower(name) || '\\1'" check "code <> '\\2' and code is not null"
  user  text not null backfill "id::text"
  index by expr "lower(name)"
  touch_on_update by seen
  made  date""",
)
# Each of these keys needs more digits than a session with few of them would give back.
ROWS = "INSERT INTO atlantis.farm_plot (id, kind) SELECT i / 7.0::float8, 'größer' FROM generate_series(1, 30) AS i"
FOUND = (
    'SELECT count(*), min(seen)::text, min(code), bool_and("user"::float8 = id), min(kind::text), min(made)::text,'
    " min(length(name)) FROM atlantis.farm_plot"
)


def altered(subject: Subject, settings: str) -> None:
    subject.sql(
        "DO $do$ BEGIN EXECUTE (SELECT string_agg(format('ALTER DATABASE %I SET %s;', current_database(), s), ' ')"
        f" FROM unnest(string_to_array($set${settings}$set$, ';')) AS s); END $do$"
    )


@pytest.mark.parametrize(
    "settings",
    [
        "standard_conforming_strings = off; backslash_quote = off; escape_string_warning = off",
        "client_encoding = LATIN1",
        "search_path = ''; quote_all_identifiers = on",
        "search_path = other, pg_catalog",
        "row_security = off; default_transaction_isolation = serializable",
        "lock_timeout = 1; idle_in_transaction_session_timeout = 1",
        "DateStyle = 'SQL, DMY'; TimeZone = 'Asia/Tokyo'; IntervalStyle = sql_standard",
        "extra_float_digits = -15; bytea_output = escape; array_nulls = off",
        "transform_null_equals = on; check_function_bodies = off; plpgsql.extra_errors = 'all'",
        "plpgsql.variable_conflict = use_variable; default_tablespace = ''; synchronous_commit = off",
    ],
)
def test_settings_of_the_database(settings: str, subject: Subject) -> None:
    # What stands in front of the server's own when a search path says so.
    subject.sql(
        "CREATE SCHEMA other",
        "CREATE FUNCTION other.lower(text) RETURNS text LANGUAGE sql IMMUTABLE AS 'SELECT ''wrong'''",
        "CREATE TABLE other.farm_plot (id int)",
        "CREATE TABLE public.farm_plot (id int)",
        "CREATE TYPE other.farm_kind AS ENUM ('x')",
    )
    altered(subject, settings)
    subject.write(OLD)
    assert subject.atl("apply").code == 0
    plain = [f"SET {s}" for s in ("search_path = pg_catalog", "standard_conforming_strings = on", "row_security = on")]
    plain += [
        "SET extra_float_digits = 1",
        "SET TimeZone = 'UTC'",
        "SET DateStyle = 'ISO'",
        "SET client_encoding = 'UTF8'",
    ]
    subject.sql(*plain, ROWS)
    subject.write(NEW)
    ran = subject.atl("apply", "--backfill", batch=4)
    assert ran.code == 0, ran.said
    found = subject.sql(*plain, FOUND)
    assert found == [(30, "2020-02-01 00:00:00+00", "c:\\d\\1", True, "größer", "2020-02-01", 4)]
    assert subject.atl("inspect") == (0, "no difference\n")
    subject.write(OLD)
    ran = subject.atl("apply", "--allow", "destructive", "--backfill")
    assert ran.code == 0, ran.said
    assert subject.atl("inspect") == (0, "no difference\n")
    assert subject.sql("SELECT count(*) FROM other.farm_plot") == [(0,)]


def test_no_limit_of_the_role_ends_an_apply(subject: Subject) -> None:
    limits = "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "idle_session_timeout"
    limits += ("transaction_timeout",) * (subject.sql("SHOW server_version_num")[0][0] >= "170000")
    altered(subject, "; ".join(f"{name} = '1min'" for name in limits))
    assert {subject.sql(f"SHOW {name}")[0][0] for name in limits} == {"1min"}
    with database.connect(subject.address) as connection:
        assert {database.one(connection, f"SHOW {name}") for name in limits} == {"0"}


def test_a_database_whose_sessions_only_read(subject: Subject, monkeypatch: pytest.MonkeyPatch) -> None:
    subject.write(OLD)
    altered(subject, "default_transaction_read_only = on")
    ran = subject.atl("apply")
    assert (ran.code, "only read (default_transaction_read_only)" in ran.said) == (3, True), ran.said
    assert subject.atl("plan").code == 0
    ran = subject.atl("inspect")
    assert (ran.code, "a session that may write" in ran.said) == (3, True), ran.said
    monkeypatch.setenv("PGOPTIONS", "-c default_transaction_read_only=off")
    assert subject.atl("apply").code == 0
    assert subject.atl("inspect") == (0, "no difference\n")


@pytest.fixture(params=["SQL_ASCII", "LATIN1"])
def encoded(subject: Subject, server: str, request: pytest.FixtureRequest) -> Iterator[Subject]:
    """A database of another encoding."""
    name = f"e{os.getpid()}"
    words = f"ENCODING '{request.param}' LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0"
    subject.sql(f'CREATE DATABASE "{name}" {words}')
    yield Subject(subject.folder, server.replace("dbname=postgres", f"dbname={name} client_encoding=UTF8"))
    subject.sql(f'DROP DATABASE "{name}" WITH (FORCE)')


def test_a_database_of_another_encoding(encoded: Subject) -> None:
    encoded.write(OLD)
    first = encoded.atl("apply")
    assert first.code == 0, first.said
    encoded.sql(ROWS)
    encoded.write(NEW)
    ran = encoded.atl("apply", "--backfill", batch=4)
    assert ran.code == 0, ran.said
    assert encoded.sql("SELECT DISTINCT kind::text, code FROM atlantis.farm_plot") == [("größer", "c:\\d\\1")]
    assert encoded.atl("inspect") == (0, "no difference\n")
    encoded.write(OLD)
    assert encoded.atl("apply", "--allow", "destructive", "--backfill").code == 0
    encoded.write(NEW)
    assert encoded.atl("apply", "--allow", "destructive", "--backfill").code == 0
    assert encoded.sql("SELECT DISTINCT kind::text, code FROM atlantis.farm_plot") == [("größer", "c:\\d\\1")]


def test_what_an_encoding_has_no_sign_for(encoded: Subject) -> None:
    encoded.write(OLD)
    assert encoded.atl("apply").code == 0
    encoded.write(OLD.replace('"größer"', '"größer", "😀"'))
    ran = encoded.atl("apply")
    if "SQL_ASCII" in str(encoded.sql("SHOW server_encoding")):
        assert ran.code == 0, ran.said
        return
    assert (ran.code, "LATIN1" in ran.said, "nothing was done" in ran.said) == (3, True, True), ran.said
    assert encoded.sql("SELECT pending FROM atlantis_meta.checkpoint") == [(None,)]
    encoded.write(OLD)
    assert encoded.atl("apply").said == "the database is what is declared: nothing to do\n"
