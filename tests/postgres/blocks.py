"""SQL over three tables, for the tests of scopes: what is unknown in it, and what it returns."""

from __future__ import annotations

from typing import NamedTuple

TABLES = {
    "song": ("id", "title", "album"),
    "album": ("id", "name"),
    "tag": ("song", "word", "id"),
}
DDL = """
    CREATE TABLE song (id int PRIMARY KEY, title text, album int);
    CREATE TABLE album (id int PRIMARY KEY, name text);
    CREATE TABLE tag (song int, word text, id int PRIMARY KEY);
"""


def columns(schema: str | None, name: str) -> tuple[str, ...] | None:
    return TABLES.get(name) if schema in (None, "public") else None


class Case(NamedTuple):
    """unknown: the names that are reported, by place. returns: the columns, `?` for one without a name; None where
    that is not certain, or the statement is wrong anyway. newer: only PostgreSQL 18 takes it."""

    sql: str
    unknown: str = ""
    returns: str | None = None
    newer: bool = False


CASES = [
    # names in one FROM
    Case("SELECT id, s.title FROM song s", "", "id title"),
    Case("SELECT titel FROM song", "titel"),
    Case("SELECT song.id, s.id FROM song s", "song"),
    Case("SELECT x.id FROM song", "x"),
    Case('SELECT ID, "id", Song.TITLE FROM SONG', "", "id id title"),
    Case('SELECT "ID" FROM song', "ID"),
    Case("SELECT s FROM song s", "", "s"),
    Case("SELECT s.* , 1 FROM song s", "", "id title album ?"),
    Case("SELECT x.* FROM song s", "x"),
    Case("SELECT public.song.id FROM public.song", "", "id"),
    Case("SELECT public.song.id FROM public.song s", "public.song"),
    Case("SELECT ctid, s.xmin, tableoid FROM song s", "", "ctid xmin tableoid"),
    Case("SELECT s.ctid FROM (SELECT id FROM song) s", "ctid"),
    Case("SELECT s.to_jsonb, s.count FROM song s GROUP BY s", "", "to_jsonb count"),
    Case("SELECT s.lower FROM song s", "lower"),
    Case("SELECT a, b, c FROM song AS x (a, b)", "c"),
    Case("SELECT a, album FROM song AS x (a, b)", "", "a album"),
    Case("SELECT id FROM ONLY song", "", "id"),
    Case("TABLE song", "", "id title album"),
    # joins
    Case("SELECT * FROM song JOIN album USING (id)", "", "id title album name"),
    Case("SELECT * FROM song NATURAL JOIN album", "", "id title album name"),
    Case("SELECT * FROM song JOIN album ON album.id = song.album", "", "id title album id name"),
    Case("SELECT 1 FROM song JOIN album USING (id, nope)", "nope"),
    Case("SELECT 1 FROM song JOIN (album JOIN tag USING (id)) USING (id, title)", "title"),
    Case("SELECT j.id, id FROM (song s JOIN album a USING (id)) AS j", "", "id id"),
    Case("SELECT s.title FROM (song s JOIN album a USING (id)) AS j", "s"),
    Case("SELECT j.id FROM song JOIN album USING (id) AS j", "", "id"),
    Case("SELECT j.title FROM song JOIN album USING (id) AS j", "title"),
    Case("SELECT 1 FROM tag t, song s JOIN album a ON t.id = a.id", "t"),
    Case("SELECT 1 FROM song s JOIN album a ON a.titel = s.nome", "titel nome"),
    # LATERAL and subqueries
    Case("SELECT 1 FROM song s, (SELECT s.id) x", "s"),
    Case("SELECT 1 FROM song s, LATERAL (SELECT s.id, titel) x", "titel"),
    Case("SELECT 1 FROM song s LEFT JOIN LATERAL (SELECT s.id) x ON true", "", "?"),
    Case("SELECT 1 FROM LATERAL (SELECT s.id) x, song s", "s"),
    Case("SELECT x.id, x.album FROM (SELECT id, title FROM song) x", "album"),
    Case("SELECT 1 FROM song WHERE id IN (SELECT song FROM tag WHERE title = word)", "", "?"),
    Case("SELECT 1 FROM song WHERE EXISTS (SELECT 1 FROM tag WHERE titel = word)", "titel"),
    Case("SELECT (SELECT name FROM album WHERE id = s.album) FROM song s", "", "name"),
    Case("SELECT CASE WHEN (SELECT nope FROM tag) THEN 1 END FROM song", "nope"),
    Case("SELECT 1 FROM song LIMIT (SELECT count(nope) FROM tag)", "nope"),
    Case("SELECT 1 FROM song ORDER BY (SELECT nope FROM tag LIMIT 1)", "nope"),
    Case("SELECT count(*) FROM song GROUP BY album HAVING max(nope) > 1", "nope"),
    Case("SELECT ARRAY(SELECT word FROM tag), ROW((SELECT nope FROM tag))", "nope"),
    Case("SELECT sum(id) FILTER (WHERE nope) OVER (PARTITION BY nix) FROM song", "nope nix"),
    Case("SELECT sum(id) OVER w FROM song WINDOW w AS (ORDER BY nope)", "nope"),
    # output names
    Case("SELECT id AS n FROM song ORDER BY n", "", "n"),
    Case("SELECT id AS n FROM song ORDER BY n + 1", "n"),
    Case("SELECT id AS n FROM song ORDER BY nope", "nope"),
    Case("SELECT id AS n FROM song GROUP BY n", "", "n"),
    Case("SELECT count(*) FROM song GROUP BY GROUPING SETS ((album), (nope))", "nope"),
    Case("SELECT DISTINCT ON (n) id AS n FROM song", "", "n"),
    Case("SELECT id AS n FROM song WHERE n = 1", "n"),
    Case("SELECT id FROM song UNION SELECT id FROM album ORDER BY id", "", "id"),
    Case("SELECT id FROM song UNION SELECT id AS k FROM album ORDER BY k", "k"),
    Case("SELECT lower(title), 1, id::text, '1'::int4, count(*) FROM song GROUP BY id", "", "lower ? id int4 count"),
    # WITH
    Case("WITH x AS (SELECT id FROM song) SELECT id, x.id FROM x", "", "id id"),
    Case("WITH x AS (SELECT id FROM song) SELECT title FROM x", "title"),
    Case("WITH x (a) AS (SELECT id, title FROM song) SELECT a, title, id FROM x", "id"),
    Case("WITH song AS (SELECT id AS q FROM song) SELECT q, title FROM song", "title"),
    Case("WITH song AS (SELECT 1 AS q) SELECT title FROM public.song", "", "title"),
    Case("WITH a AS (SELECT 1 AS q), b AS (SELECT q FROM a) SELECT q FROM b", "", "q"),
    Case("WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t WHERE m < 3) SELECT n FROM t", "m"),
    Case("WITH RECURSIVE t AS (SELECT id, album FROM song UNION ALL SELECT t.id, t.nope FROM t) TABLE t", "nope"),
    Case("WITH RECURSIVE b AS (SELECT q FROM a), a AS (SELECT 1 AS q) SELECT q, r FROM b", "r"),
    Case(
        "WITH RECURSIVE t (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM t) SEARCH DEPTH FIRST BY n SET o "
        "CYCLE n SET c USING p SELECT n, o, c, p, q FROM t",
        "q",
    ),
    Case("WITH x AS (DELETE FROM song RETURNING id) SELECT id, title FROM x", "title"),
    Case("SELECT 1 FROM song s WHERE EXISTS (WITH x AS (SELECT s.id AS k) SELECT k FROM x)", "", "?"),
    # functions and VALUES
    Case("SELECT step FROM generate_series(1, 2) AS step", "", "step"),
    Case("SELECT generate_series FROM generate_series(1, 2)", "", "generate_series"),
    Case("SELECT n, ordinality, m FROM generate_series(1, 2) WITH ORDINALITY AS f (n)", "m"),
    Case("SELECT key, j.value, nope FROM jsonb_each('{}') j", "nope"),
    Case("SELECT e, e.value, value FROM jsonb_array_elements('[]') e", "", "e value value"),
    Case("SELECT a, b, c FROM json_to_record('{}') AS r (a int, b text)", "c"),
    Case("SELECT nope FROM song, pg_tables_of(id) f"),
    Case("SELECT s.nope FROM song s, pg_tables_of(id) f", "nope"),
    Case("SELECT f.x FROM song s, unnest(ARRAY[s.id]) AS f (x)"),
    Case("SELECT column1, column3 FROM (VALUES (1, 2)) v", "column3"),
    Case("SELECT * FROM (VALUES (1, 2)) v (a)", "", "a column2"),
    Case("VALUES (1, 2)", "", "column1 column2"),
    Case("SELECT x::point, x::numeric(3, 1) FROM (SELECT '1' AS x) q", "", "x x"),
    # writes
    Case("INSERT INTO song (id, titel) VALUES (1, 'x')", "titel"),
    Case("INSERT INTO song (id) VALUES (album)", "album"),
    Case("INSERT INTO song (id) SELECT id FROM album WHERE nope = 1", "nope"),
    Case("INSERT INTO song AS s (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET title = excluded.titel", "titel"),
    Case("INSERT INTO song AS s (id) VALUES (1) ON CONFLICT (nope) DO NOTHING", "nope"),
    Case("INSERT INTO song AS s (id) VALUES (1) ON CONFLICT (lower(nope)) DO NOTHING", "nope"),
    Case(
        "INSERT INTO song AS s (id) VALUES (1) ON CONFLICT (id) DO UPDATE SET nope = s.title WHERE song.id = 1",
        "nope song",
    ),
    Case("INSERT INTO song (id) VALUES (1) RETURNING id, titel", "titel"),
    Case("INSERT INTO song (id) VALUES (1) RETURNING *, old.id, new.title", "", "id title album id title", newer=True),
    Case("UPDATE song SET titel = 'x' WHERE id = 1", "titel"),
    Case(
        "UPDATE song s SET title = a.name FROM album a WHERE a.id = s.album RETURNING *", "", "id title album id name"
    ),
    Case("UPDATE song s SET (title, nope) = (SELECT name, nix FROM album)", "nope nix"),
    Case("UPDATE song s SET title = song.title", "song"),
    Case("UPDATE song s SET s.title = 'x'", "s"),
    Case("DELETE FROM song USING album a WHERE a.id = album AND a.title = 'x'", "title"),
    Case("DELETE FROM song WHERE titel = 'x' RETURNING id", "titel"),
    Case("MERGE INTO song s USING tag t ON t.id = s.nope WHEN MATCHED THEN UPDATE SET title = t.nix", "nope nix"),
    Case(
        "MERGE INTO song s USING tag t ON t.id = s.id WHEN NOT MATCHED THEN INSERT (id, nope) VALUES (t.id, 1)", "nope"
    ),
    # outside ASCII
    Case("SELECT 'é→😀', titel FROM song AS \"sóng\"", "titel"),
]
