"""One text for equal parse trees."""

from __future__ import annotations

import pytest

from atl.postgres.expression import canonical_expression, canonical_statement


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("a>0", "a  >  0 ", True),
        ("(a > 0)", "((a) > (0))", True),
        ("a != b", "a <> b", True),
        ("lower(A)", "LOWER(a)", True),
        ("x::int", "cast(x as integer)", True),
        ("a /* why */ + 1", "a + 1", True),
        ("'é' || a", "'é'||a", True),
        ("a > 0", "a > 1", False),
        ("a > 0", "b > 0", False),
        ("a and b", "b and a", False),
        ("'a'", '"a"', False),
        ("a >", "a  >", False),
    ],
)
def test_expressions(a: str, b: str, same: bool) -> None:
    assert (canonical_expression(a) == canonical_expression(b)) is same


def test_columns_are_renamed() -> None:
    assert canonical_expression("old > f(t.old) and older", {"old": "new"}) == canonical_expression(
        "new > f(t.new) and older"
    )


def test_what_does_not_parse_stands_for_itself() -> None:
    for sql in ("a >", "1, 2", "", "a) or (b", "(" * 50_000):
        assert canonical_expression(sql) == sql
    assert canonical_statement("SELECT FORM x y") == "SELECT FORM x y"


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("SELECT a FROM t", "select  a\nfrom T -- all\n;", True),
        ("SELECT $a, $b FROM t", "SELECT  $a , $b FROM t", True),
        ("SELECT $a, $b FROM t", "SELECT $b, $a FROM t", False),
        ("SELECT 'é', $größe", "SELECT   'é',\n$größe", True),
        ("SELECT 1; SELECT 2", "SELECT 1;SELECT 2;", True),
        ("SELECT 1; SELECT 2", "SELECT 2; SELECT 1", False),
    ],
)
def test_statements(a: str, b: str, same: bool) -> None:
    assert (canonical_statement(a) == canonical_statement(b)) is same
