"""Parameters, quotes and comments of SQL text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.postgres.scan import parameters, quote_identifier, quote_literal, tokens


@pytest.mark.parametrize(
    ("sql", "names"),
    [
        ("a = $a and b=$b", "a b"),
        ("$a::int, $b[1], f($c)", "a b c"),
        ("a$b", ""),
        ("x1$b", ""),
        ("'$a' $b", "b"),
        ("'it''s $a' $b", "b"),
        (r"'\' $a", "a"),
        (r"E'\' $a' $b", "b"),
        (r"e'\\' $a", "a"),
        ("E'x'\n  '\\' $a' $b", "b"),
        (r"name'\' $a", "a"),
        ('"$a" $b', "b"),
        ('"x""$a" $b', "b"),
        ("-- $a\n$b", "b"),
        ("/* $a /* $b */ $c */ $d", "d"),
        ("/* $a", ""),
        ("$$ $a $$ $b", "b"),
        ("$t$ $a $$ $b $t$ $c", "c"),
        ("$t$ $a", ""),
        ("$1 $a", "a"),
        ("$größe", "größe"),
        ("é$a", ""),
        ("U&'$a' b'$b' x'$c' $d", "d"),
        ("", ""),
        ("$", ""),
    ],
)
def test_parameters(sql: str, names: str) -> None:
    found = parameters(sql)
    assert [p.name for p in found] == names.split()
    for p in found:
        assert sql[p.start : p.end] == "$" + p.name


@given(st.text(alphabet="aE$'\"-/*\\\n1.(é \ud800", max_size=60))
def test_tokens_are_in_order_and_leave_only_space_out(sql: str) -> None:
    at = 0
    for token in tokens(sql):
        assert token.start < token.end
        assert not sql[at : token.start].strip(" \t\n\r\f\v")
        at = token.end
    assert not sql[at:].strip(" \t\n\r\f\v")


def test_quoting() -> None:
    assert quote_identifier('a"b') == '"a""b"'
    assert quote_literal("it's") == "'it''s'"
    assert quote_literal("a\\b'") == "E'a\\\\b'''"
