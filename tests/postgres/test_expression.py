"""Expressions: what is none, what is in one, and what PostgreSQL takes where."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.postgres.expression import Expression, expression

COLUMNS = {
    "id": "int4",
    "title": "text",
    "amount": "int4",
    "due": "timestamptz",
    "ts": "timestamp",
    "d": "date",
    "t": "time",
    "iv": "interval",
    "b": "bool",
    "u": "uuid",
    "m": "money",
    "r": "int4range",
    "j": "jsonb",
    "st": "enum",
    "arr": "text[]",
    "f": "float8",
    "ip": "inet",
}
EXPRESSIONS = (Path(__file__).parent / "expressions.txt").read_text("utf-8").splitlines()


@pytest.mark.parametrize(
    ("sql", "message", "at"),
    [
        ("", "there is no expression", ""),
        (" -- a", "there is no expression", " -- a"),
        ("1, 2", 'syntax error at or near ","', ","),
        ("a AS b", 'syntax error at or near "AS"', "AS"),
        ("a b", 'syntax error at or near "b"', "b"),
        ("a;", 'syntax error at or near ";"', ";"),
        ("a)", 'syntax error at or near ")"', ")"),
        ("(a", "syntax error at end of input", ""),
        ("a) or (b", 'syntax error at or near ")"', ")"),
        ("a) FROM (x", 'syntax error at or near ")"', ")"),
        ("a), ADD CHECK (b", 'syntax error at or near ")"', ")"),
        ("')' || a) or (b || '('", 'syntax error at or near ")"', ")"),
        ("a FROM b", 'syntax error at or near "FROM"', "FROM"),
        ("select 1", 'syntax error at or near "select"', "select"),
        ("*", 'syntax error at or near "*"', "*"),
        ("a > 0 -- because", "a comment ends the expression", "-- because"),
        ("é >", "syntax error at end of input", ""),
        ("'é' 'é' > x y", "syntax error at or near", "'é'"),
        ("default", "DEFAULT is not allowed in this context", "default"),
        ("a NOT VALID", 'syntax error at or near "NOT"', "NOT"),
    ],
)
def test_what_is_not_one_expression(sql: str, message: str, at: str) -> None:
    found = expression(sql)
    assert found.error is not None and found.error.message.startswith(message)
    assert sql[found.error.start : found.error.end] == at
    assert found == Expression(found.error)


@pytest.mark.parametrize("sql", ["a > 0 -- why\n", "a /* ) */ > 0", "'--' = a", "'/*' = a", "((a))", "$$)$$ = a"])
def test_comments_and_brackets_inside_are_fine(sql: str) -> None:
    assert expression(sql).error is None
    assert [column.name for column in expression(sql).columns] == ["a"]


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        ("lower(a) || s.t.b || \"C\" || 'd'", "a s.t:b C"),
        ("(a).b + c[1] + (d)", "a c d"),
        ("a::geometry(point, 1) = CAST(b AS x.y)", "a b"),
        ("a IN (b, c) AND d BETWEEN e AND f", "a b c d e f"),
        ("CASE a WHEN b THEN c ELSE d END", "a b c d"),
        ("a > (SELECT b FROM c) AND d IN (SELECT e)", "a d"),
        ("make_interval(days => a) < b", "a b"),
        ("'é' || ö || ä", "ö ä"),
        ("current_date > a", "a"),
        ("EXTRACT(year FROM a) + sum(b) FILTER (WHERE c) OVER (ORDER BY d)", "a b c d"),
    ],
)
def test_columns(sql: str, columns: str) -> None:
    found = expression(sql).columns
    assert " ".join(f"{c.qualifier}:{c.name}" if c.qualifier else c.name for c in found) == columns
    for column in found:
        assert sql[column.start : column.end].strip('"') == column.name


@pytest.mark.parametrize(
    ("sql", "what", "at"),
    [
        ("a > (SELECT 1)", "subquery", "("),
        ("EXISTS (SELECT 1)", "subquery", "EXISTS"),
        ("a + max(b) > count(*)", "aggregate", "max"),
        ("a > pg_catalog.sum(b)", "aggregate", "pg_catalog.sum"),
        ("my_aggregate(a ORDER BY b) > 1", "aggregate", "my_aggregate"),
        ("f(DISTINCT a)", "aggregate", "f"),
        ("rank() OVER () > 1", "window", "rank"),
        ("sum(a) OVER () > 1", "window", "sum"),
        ("generate_series(1, a) > 1", "set_returning", "generate_series"),
        ("a > $b", "parameter", "$b"),
        ("a > now() OR random() > 1", "volatile", "now"),
        ("a::date > b", "volatile", ""),
        ("due::date > b", "volatile", "::date"),
        ("CAST(due AS date) > b", "volatile", "CAST(due AS date"),
        ("due + interval '1 day' > due", "volatile", "+"),
        ("a = CURRENT_USER", "outside", "CURRENT_USER"),
        ("to_char(a, 'x') = b", "outside", ""),
        ("a > 0 AND amount + 1", "operand", "amount"),
        ("other.max(a) + other.now()", "aggregate", ""),
    ],
)
def test_what_is_found(sql: str, what: str, at: str) -> None:
    span = getattr(expression(sql, COLUMNS), what)
    assert ("" if span is None else sql[slice(*span)]) == at


def test_whole_rows() -> None:
    sql = 'count(a.*) = 1 and (s . "T" .*) is not null and count(*) = 1'
    rows = expression(sql, COLUMNS).rows
    assert [(row.qualifier, sql[row.start : row.end]) for row in rows] == [("a", "a.*"), ("s.T", 's . "T" .*')]


def test_functions_are_named() -> None:
    found = expression('lower(a) || Pg_Catalog.UPPER(b) || s."F"(c)').functions
    assert [name for name, _, _ in found] == ["lower", "upper", "F"]


def refused(found: Expression) -> bool:
    known = all((c.name in COLUMNS and c.qualifier in (None, "x")) or c.name == "x" for c in found.columns)
    wrong = (found.error, found.subquery, found.aggregate, found.window, found.set_returning, found.parameter)
    return not known or any(wrong) or found.operand is not None


NOT_INDEXABLE = {"record", "unknown", "json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"}
# What we let pass, and a server does not: it takes types that are not known here, or a newer server.
LENIENT = {
    "an index expression": {
        "title::state",
        "to_tsvector(title::regconfig, title)",
        "ctid",
        "tableoid",
        "point(1,2)",
        "date_trunc('day', due, 'UTC')",
    },
    "a check": {"hashtext(title)", "enum_first(st)", "x", "x.*", "ctid"},
    "a predicate": {"hashtext(title)", "x", "x.*", "ctid"},
    "a default": set[str](),
}
VERSIONED = {"42883", "42601"}  # a function or syntax that an older server lacks


def test_a_server_says_the_same(server: str) -> None:
    """What the server accepts is never refused here; what it refuses is, but for the few that are listed."""
    import psycopg

    uses = {
        "an index expression": "CREATE INDEX ON x (({}\n))",
        "a predicate": "CREATE INDEX ON x (id) WHERE ({}\n)",
        "a check": "ALTER TABLE x ADD CHECK ({}\n)",
        "a default": "ALTER TABLE x ALTER c SET DEFAULT ({}\n)",
    }
    wrong = []
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA expressions")
        connection.execute("SET search_path = expressions")
        connection.execute("CREATE TYPE state AS ENUM ('a', 'b')")
        connection.execute("CREATE SEQUENCE seq")
        fields = ", ".join(f"{name} {'state' if type_ == 'enum' else type_}" for name, type_ in COLUMNS.items())
        connection.execute(f"CREATE TABLE x ({fields}, c text)")
        for sql in EXPRESSIONS:
            found = expression(sql, COLUMNS)
            verdicts = {
                "an index expression": refused(found) or found.volatile is not None or found.type in NOT_INDEXABLE,
                "a predicate": refused(found) or found.volatile is not None or found.boolean is False,
                "a check": refused(found) or found.boolean is False,
                "a default": refused(found) or bool(found.columns) or bool(found.rows),
            }
            for use, statement in uses.items():
                try:
                    with connection.transaction(force_rollback=True):
                        connection.execute(statement.format(sql))
                except psycopg.Error as error:
                    state, says = error.sqlstate or "", str(error).split("\n")[0]
                    # A default of another type than the column's is not this module's affair.
                    if state == "42804" and use == "a default":
                        continue
                else:
                    state, says = "", "accepted"
                if verdicts[use] and not state and not _unlike_a_server(sql):
                    wrong.append((use, sql, "refused here", says))
                if not verdicts[use] and state and sql not in LENIENT[use] and state not in VERSIONED:
                    wrong.append((use, sql, "accepted here", says))
        connection.execute("DROP SCHEMA expressions CASCADE")
    assert wrong == []


def _unlike_a_server(sql: str) -> bool:
    """Fragments that only pass because of the brackets and line end that this test puts around them."""
    return sql.endswith("--") or ") or (" in sql


@given(st.text(alphabet="ab1 ().,;'\"$:=<>-/*[]é\0\ud800\n", max_size=40))
def test_no_text_raises(sql: str) -> None:
    found = expression(sql)
    spans = [(c.start, c.end) for c in found.columns] + [(start, end) for _, start, end in found.functions]
    if found.error is not None:
        spans.append((found.error.start, found.error.end))
    assert all(0 <= start <= end <= len(sql) for start, end in spans)
