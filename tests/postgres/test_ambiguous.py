"""Names of columns that several relations in scope have."""

from __future__ import annotations

import pytest

from atl.postgres.statement import parse, unknown_columns
from tests.postgres.blocks import DDL, columns

# A statement, and what of it is ambiguous: the column, and what would tell it apart.
CASES = {
    "SELECT id FROM song, album": "id album song",
    "SELECT title FROM song, album": "",
    "SELECT id FROM song a, song b": "id a b",
    "SELECT id FROM song JOIN album ON true": "id album song",
    "SELECT a.id FROM song a JOIN album b ON id = 1": "id a b",
    "SELECT id FROM song JOIN album USING (id)": "",
    "SELECT id FROM song NATURAL JOIN album": "",
    "SELECT id FROM song JOIN album USING (id), song q": "id album q song",
    "SELECT id FROM (song JOIN album USING (id)) JOIN song q ON true": "id album q song",
    "SELECT j.id FROM song JOIN album USING (id) AS j": "",
    "SELECT a.id FROM (song JOIN album USING (id)) AS a": "",
    "SELECT a.id FROM (song JOIN album ON true) AS a": "id",
    "SELECT id FROM (song JOIN album ON true) AS a": "id a",
    "SELECT s.id FROM (SELECT song.id, album.id FROM song, album) s": "id",
    "SELECT 1 FROM (SELECT song.id, album.id FROM song, album) s": "",
    "SELECT x FROM (SELECT song.id, album.id FROM song, album) s (x, y)": "",
    "WITH c AS (SELECT id FROM song) SELECT id FROM c, song": "id c song",
    "SELECT song.id FROM song WHERE EXISTS (SELECT 1 FROM album WHERE id = 1)": "",
    "SELECT song.id FROM song WHERE EXISTS (SELECT 1 FROM album x, album y WHERE id = 1)": "id x y",
    "SELECT 1 FROM song, album WHERE EXISTS (SELECT 1 WHERE id = 1)": "id album song",
    "SELECT song.id FROM song, album ORDER BY id": "",
    "SELECT title FROM song, album ORDER BY id": "id album song",
    "SELECT title FROM song, album ORDER BY -id": "id album song",
    "SELECT song.id FROM song, album GROUP BY id": "id album song",
    "SELECT DISTINCT ON (id) title FROM song, album": "id album song",
    "SELECT DISTINCT ON (id) song.id FROM song, album": "",
    "SELECT sum(album) OVER (PARTITION BY id) FROM song, album": "id album song",
    "SELECT id FROM song, LATERAL (SELECT id AS other) z": "",
    "SELECT id FROM generate_series(1, 2) id, song": "id id song",
    "UPDATE song SET title = 'x' FROM album WHERE id = 1": "id album song",
    "UPDATE song SET title = 'x' FROM album WHERE song.id = 1": "",
    "UPDATE song SET title = 'x' FROM song o RETURNING id": "id o song",
    "UPDATE song SET title = 'x' RETURNING id": "",
    "DELETE FROM song USING album WHERE id = 1": "id album song",
    "INSERT INTO song (id, title) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET title = title": "title excluded song",
    "INSERT INTO song (id, title) VALUES (1, 'x') ON CONFLICT (id) DO UPDATE SET title = excluded.title": "",
    "INSERT INTO song (id, title) VALUES (1, 'x') ON CONFLICT (id) DO NOTHING RETURNING id": "",
    "INSERT INTO song (id) SELECT id FROM song, album": "id album song",
    "MERGE INTO song USING album ON id = 1 WHEN MATCHED THEN DO NOTHING": "id album song",
    "MERGE INTO song USING album ON song.id = album.id WHEN NOT MATCHED THEN INSERT (id) VALUES (id)": "",
    "SELECT id FROM song UNION SELECT id FROM album ORDER BY id": "",
    "SELECT count(*), count(song.*) FROM song, album": "",
    "SELECT id FROM song, unknown_to_us": "",
    "SELECT id FROM song, album, unknown_to_us": "id album song",
}
UNKNOWN = "CREATE TABLE unknown_to_us (other int)"


@pytest.mark.parametrize("sql", CASES, ids=lambda sql: sql[:80])
def test_what_is_ambiguous(sql: str) -> None:
    found = unknown_columns(parse(sql), columns)
    assert all(problem.ambiguous and sql[problem.start : problem.end] == problem.name for problem in found)
    said = [" ".join([problem.name, *problem.candidates]) for problem in found]
    assert said == ([CASES[sql]] if CASES[sql] else [])


def test_a_server_says_the_same(server: str) -> None:
    import psycopg

    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA ambiguous")
        connection.execute("SET search_path = ambiguous")
        connection.execute(DDL)
        connection.execute(UNKNOWN)
        for sql, said in CASES.items():
            try:
                with connection.transaction(force_rollback=True):
                    connection.execute(sql.encode())
            except psycopg.errors.AmbiguousColumn:
                assert said, sql
            except psycopg.Error as error:
                assert not said and error.sqlstate not in ("42703", "42P01"), (sql, error)
            else:
                assert not said, sql
        connection.execute("DROP SCHEMA ambiguous CASCADE")
