"""Columns: which are unknown, and which a statement returns, by PostgreSQL's rules of scope."""

from __future__ import annotations

import pytest

from atl.postgres.statement import column_uses, parse, selected, unknown_columns
from tests.postgres.blocks import CASES, DDL, Case, columns


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.sql[:60])
def test_case(case: Case) -> None:
    parsed = parse(case.sql)
    assert parsed.error is None
    found = unknown_columns(parsed, columns)
    expected = [name.split(".")[-1] for name in case.unknown.split()]
    assert [problem.name for problem in found] == expected
    for problem in found:
        assert case.sql[problem.start : problem.end].strip('"') == problem.name
    if case.returns is not None:
        returned = selected(parsed, columns)
        assert returned is not None
        assert " ".join(column.name or "?" for column in returned) == case.returns


def test_a_server_says_the_same(server: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA scopes")
        connection.execute("SET search_path = scopes")
        connection.execute(DDL)
        for case in CASES:
            if case.newer and connection.info.server_version < 180000:
                continue
            sql = case.sql.replace("public.", "scopes.").replace("pg_tables_of(id)", "generate_series(1, id)")
            try:
                with connection.transaction(force_rollback=True):
                    cursor = connection.execute(sql)
                    names = [column.name for column in cursor.description or ()]
            except psycopg.Error as error:
                if case.unknown:
                    assert error.sqlstate in ("42703", "42P01"), (case, error)
                else:
                    assert error.sqlstate not in ("42703", "42P01") or case.returns is None, (case, error)
                continue
            assert not case.unknown, case
            if case.returns is not None:
                assert " ".join("?" if name == "?column?" else name for name in names) == case.returns
        connection.execute("DROP SCHEMA scopes CASCADE")


@pytest.mark.parametrize(
    ("sql", "uses"),
    [
        ("SELECT id, s.title FROM song s WHERE album = 1", "song.id song.title song.album"),
        ("SELECT x.id FROM (SELECT id FROM song) x", "song.id"),
        ("SELECT s.name FROM song s JOIN album a ON a.id = s.album", "album.id song.album"),
        ("SELECT id FROM song JOIN album USING (id)", "song.id album.id song.id album.id"),
        ("SELECT title FROM song ORDER BY title", "song.title song.title"),
        ("SELECT id AS title FROM song ORDER BY title", "song.id"),
        ("SELECT id AS title FROM song GROUP BY id, title", "song.id song.id song.title"),
        ("SELECT a, title FROM song AS x (a)", "song.title"),
        ("INSERT INTO song (id, title) VALUES (1, 'x') RETURNING album", "song.id song.title song.album"),
        ("UPDATE song SET title = name FROM album", "song.title album.name"),
        ("WITH song AS (SELECT 1 AS id) SELECT id FROM song", ""),
        ("SELECT title FROM song, unknown_to_us(1) f", ""),
        (
            "SELECT count(*) FROM tag WHERE EXISTS (SELECT 1 FROM song WHERE id = song AND title = word)",
            "song.id tag.song song.title tag.word",
        ),
    ],
)
def test_whose_columns_are_named(sql: str, uses: str) -> None:
    found = column_uses(parse(sql), columns)
    assert sorted(f"{use.table[1]}.{use.name}" for use in found) == sorted(uses.split())
    for use in found:
        assert sql[use.start : use.end] == use.name
