"""What a block is read as: statements, tables, what it may not hold, syntax errors at their tokens."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atl.postgres.statement import column_uses, parse, selected, unknown_columns


@pytest.mark.parametrize(
    ("sql", "tables"),
    [
        ("SELECT 1 FROM a, b.c x", "a b.c"),
        ('SELECT 1 FROM A, "A", b . "C d"', 'A "A" b . "C d"'),
        ("SELECT 1 FROM a JOIN b USING (x) NATURAL JOIN (c CROSS JOIN d)", "a b c d"),
        ("TABLE a", "a"),
        ("VALUES ((SELECT 1 FROM a))", "a"),
        ("SELECT 1 FROM a TABLESAMPLE system (1), ONLY b, f(1), LATERAL g(2)", "a b"),
        ("SELECT (SELECT 1 FROM a), CASE WHEN EXISTS (SELECT 1 FROM b) THEN f((SELECT 1 FROM c)) END", "a b c"),
        ("SELECT 1 WHERE x IN (SELECT 1 FROM a) OR x > ALL (SELECT 1 FROM b)", "a b"),
        ("SELECT 1 GROUP BY (SELECT 1 FROM a) HAVING (SELECT true FROM b) ORDER BY (SELECT 1 FROM c)", "a b c"),
        ("SELECT 1 LIMIT (SELECT 1 FROM a) OFFSET (SELECT 1 FROM b)", "a b"),
        ("SELECT sum(x) FILTER (WHERE (SELECT true FROM a)) OVER (ORDER BY (SELECT 1 FROM b))", "a b"),
        ("SELECT 1 FROM f((SELECT 1 FROM a)), json_table('{}', '$' COLUMNS (x int)) j", "a"),
        ("SELECT 1 FROM a UNION SELECT 1 FROM b EXCEPT (SELECT 1 FROM c INTERSECT SELECT 1 FROM d)", "a b c d"),
        ("SELECT 1 FROM a FOR UPDATE OF a SKIP LOCKED", "a"),
        ("SELECT 1 INTO b FROM a", "a"),
        ("SELECT x::a, NULL::b.c, CAST(x AS d[]) FROM e", "e"),
        ("WITH a AS (SELECT 1 FROM b) SELECT 1 FROM a, x.a", "b x.a"),
        ("WITH a AS (SELECT 1 FROM a) SELECT 1 FROM a", "a"),
        ("WITH RECURSIVE a AS (SELECT 1 FROM b UNION SELECT 1 FROM a) SELECT 1 FROM a", "b"),
        ("WITH a AS (SELECT 1 FROM b), b AS (SELECT 1 FROM a) SELECT 1 FROM b", "b"),
        ("WITH RECURSIVE a AS (SELECT 1 FROM b), b AS (SELECT 1 FROM c) SELECT 1 FROM a", "c"),
        ("SELECT 1 FROM (WITH a AS (SELECT 1) SELECT 1 FROM a) x, a", "a"),
        ("(WITH a AS (SELECT 1) SELECT 1 FROM a) UNION SELECT 1 FROM a", "a"),
        ("WITH a AS (SELECT 1) SELECT 1 FROM b WHERE EXISTS (SELECT 1 FROM a WHERE (SELECT true FROM c))", "b c"),
        ("WITH a AS (SELECT 1) INSERT INTO a SELECT * FROM a", "!a"),
        ("WITH a AS (SELECT 1) UPDATE a SET x = 1 FROM a b", "!a"),
        ("WITH a AS (SELECT 1) DELETE FROM a USING a b", "!a"),
        ("WITH a AS (SELECT 1) MERGE INTO a USING a b ON true WHEN MATCHED THEN DELETE", "!a"),
        ("WITH x AS (DELETE FROM a RETURNING *) INSERT INTO b SELECT * FROM x RETURNING (SELECT 1 FROM c)", "!a !b c"),
        ("INSERT INTO a VALUES ((SELECT 1 FROM b)) ON CONFLICT DO NOTHING", "!a b"),
        ("INSERT INTO a (x) VALUES (1) ON CONFLICT (x) DO UPDATE SET x = (SELECT 1 FROM b)", "!a b"),
        ("UPDATE a SET (x, y) = (SELECT 1, 2 FROM b), z = (SELECT 3 FROM c) FROM d", "!a b c d"),
        ("TRUNCATE a, b.c", "!a !b.c"),
        ("LOCK TABLE a", "!a"),
        ("EXPLAIN SELECT 1 FROM a", "a"),
        ("CALL f((SELECT 1 FROM a))", "a"),
        ("SELECT 'é', x FROM 日本, \"ü.ö\".a", '日本 "ü.ö".a'),
        ("SELECT 1 FROM a -- , b\n, /* c, */ d", "a d"),
        ("SELECT $x, $longer_name FROM a WHERE b = $x AND $y::int = 1", "a"),
        ("SELECT 1 FROM a; SELECT 1 FROM b", "a b"),
    ],
)
def test_tables(sql: str, tables: str) -> None:
    """Written ones are marked `!`; names are compared as they stand in the text, white space and all."""
    parsed = parse(sql)
    assert parsed.error is None
    assert " ".join(("!" if t.written else "") + sql[t.start : t.end] for t in parsed.tables) == tables


def test_names_are_folded_as_postgresql_does() -> None:
    (table,) = parse('SELECT 1 FROM Shop."Order Line"').tables
    assert (table.schema, table.name) == ("shop", "Order Line")


@pytest.mark.parametrize(
    ("sql", "forbidden"),
    [
        ("SELECT 1", []),
        ("SELECT 1 FROM a FOR UPDATE", []),
        ("EXPLAIN SELECT 1", ["explain EXPLAIN"]),
        ("SELECT set_config('a', 'b', true)", ["set_config set_config"]),
        ("SELECT pg_catalog . set_config('a', 'b', true)", ["set_config pg_catalog . set_config"]),
        ("SELECT 1 FROM \"set_config\"('a', 'b', true)", ['set_config "set_config"']),
        ("SELECT other.set_config(1), 'set_config', set_config FROM a", []),
        ("WITH x AS (INSERT INTO a VALUES (1) RETURNING 1) SELECT 1 FROM x", ["write INSERT"]),
        ("SELECT 1 FROM (WITH x AS (SELECT 1) SELECT 1) y; UPDATE a SET b = 1", ["write UPDATE"]),
        (
            "WITH d AS (UPDATE a SET x = 1), e AS (DELETE FROM b) MERGE INTO c USING d ON y WHEN MATCHED THEN DELETE",
            ["write UPDATE", "write DELETE", "write MERGE"],
        ),
        ("EXPLAIN ANALYZE DELETE FROM a", ["write DELETE"]),
        ("TRUNCATE a", ["write TRUNCATE"]),
        ("NOTIFY a", ["write NOTIFY"]),
        ("SELECT 1 INTO b FROM a", ["ddl INTO"]),
        ("CREATE TABLE a (b int)", ["ddl CREATE"]),
        ("ALTER TABLE a ADD b int", ["ddl ALTER"]),
        ("CREATE TABLE a AS SELECT 1", ["ddl CREATE"]),
        ("GRANT SELECT ON a TO b", ["ddl GRANT"]),
        ("REFRESH MATERIALIZED VIEW a", ["ddl REFRESH"]),
        ("COMMIT", ["session COMMIT"]),
        ("SET LOCAL a.b = 'c'", ["session SET"]),
        ("DO $$ begin end $$", ["session DO"]),
        ("COPY a FROM STDIN", ["session COPY"]),
        ("VACUUM a", ["session VACUUM"]),
    ],
)
def test_forbidden(sql: str, forbidden: list[str]) -> None:
    assert [f"{f.kind} {sql[f.start : f.end]}" for f in parse(sql).forbidden] == forbidden


@pytest.mark.parametrize(
    ("sql", "statements", "second"),
    [
        ("SELECT 1", 1, None),
        ("SELECT 1;", 1, None),
        ("SELECT 1; ;; -- end", 1, None),
        ("SELECT 1; SELECT 2", 2, "SELECT 2"),
        (
            "SELECT 'é' /* ; */ ;\n  -- ;\n  WITH a AS (SELECT 1) SELECT 2; SELECT 3",
            3,
            "WITH a AS (SELECT 1) SELECT 2; SELECT 3",
        ),
        ("", 0, None),
        (" -- nothing", 0, None),
    ],
)
def test_statements(sql: str, statements: int, second: str | None) -> None:
    parsed = parse(sql)
    assert parsed.statements == statements
    assert (None if parsed.extra is None else sql[parsed.extra[0] :]) == second


@pytest.mark.parametrize(
    ("sql", "message", "token"),
    [
        ("SELECT id FORM shelf.book", 'syntax error at or near "shelf"', "shelf"),
        ("SELECT 'ééé' FROM a WHERE WHERE b", 'syntax error at or near "WHERE"', "WHERE"),
        ("SELECT '😀' FORM $naïve", 'syntax error at or near "$naïve"', "$naïve"),
        ("SELECT a FROM b LIMIT 3 $c", 'syntax error at or near "$c"', "$c"),
        ("SELECT 1 <=> ", "syntax error at end of input", ""),
        ("SELECT (1 \n -- more\n ", "syntax error at end of input", ""),
        ("SELECT a >= >= b", 'syntax error at or near ">="', ">="),
        ("SELECT a >= b c d", 'syntax error at or near "d"', "d"),
        ("DELETE shelf.book", 'syntax error at or near "shelf"', "shelf"),
        ("SELECT E'\\u00zz'", "invalid Unicode escape", "E'\\u00zz'"),
        ("SELECT 'never closed", 'unterminated quoted string at or near "\'never closed"', "'never closed"),
        ('SELECT "" FROM a', 'zero-length delimited identifier at or near """"', '""'),
        ("SELECT U&'\\zzzz'", "invalid Unicode escape", "U&'\\zzzz'"),
    ],
)
def test_syntax_errors(sql: str, message: str, token: str) -> None:
    error = parse(sql).error
    assert error is not None
    assert error.message.startswith(message)
    assert sql[error.start : error.end] == token
    if not token:
        assert error.start == len(sql.split("\n")[0].rstrip())


WORDS = (
    "SELECT FROM WHERE WITH RECURSIVE AS JOIN LATERAL USING ON UPDATE SET INSERT INTO VALUES DELETE RETURNING UNION "
    "ORDER BY CASE EXISTS ( ) , . * ; a b \"c\" 'd' $e 1 = :: [ ] é \0 \ud800 😀 -- /* $$ E'\\"
)
PIECES = st.sampled_from([*WORDS.split(" "), "\n"])


@settings(max_examples=400)
@given(st.lists(PIECES, max_size=24), st.sampled_from([" ", ""]))
def test_no_text_raises_and_every_span_is_inside(pieces: list[str], glue: str) -> None:
    sql = glue.join(pieces)
    parsed = parse(sql)

    def columns(schema: str | None, name: str) -> list[str] | None:
        return ["a", "x"] if name == "b" else None

    spans = [*parsed.tables, *parsed.forbidden, *unknown_columns(parsed, columns), *column_uses(parsed, columns)]
    spans += selected(parsed, columns) or []
    if parsed.error is not None:
        spans.append(parsed.error)
    assert all(0 <= span.start <= span.end <= len(sql) for span in spans)
