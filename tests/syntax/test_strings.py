"""Strings, and where their characters stand."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.syntax.strings import bad_escapes, offset_in, predicate_sql, requote, unquote


@pytest.mark.parametrize(
    ("token", "value"),
    [
        ('""', ""),
        ('"a b"', "a b"),
        (r'"a\"b\\c\nd\te"', 'a"b\\c\nd\te'),
        (r'"a\sb"', r"a\sb"),
        (r'"\'"', r"\'"),
        ("'it''s'", "it's"),
        (r"'\n'", "\n"),
        ('"open', "open"),
        ('"', ""),
        ('"a\\"', 'a"'),
        ('"a\\', "a"),
        ("\"it''s\"", "it''s"),
    ],
)
def test_unquote(token: str, value: str) -> None:
    assert unquote(token) == value


@pytest.mark.parametrize(
    ("token", "found"),
    [
        (r'"a\\b"', []),
        (r'"a\sb\q"', [(2, r"\\s"), (5, r"\\q")]),
        (r'"\'"', [(1, "'")]),
    ],
)
def test_bad_escapes(token: str, found: list[tuple[int, str]]) -> None:
    assert list(bad_escapes(token)) == found


def test_requote() -> None:
    assert requote("""'say "hi", it''s \\d'""") == r'"say \"hi\", it' + "'" + r's \\d"'


@given(st.lists(st.sampled_from(["a", "é", r"\"", r"\\", r"\n", r"\s", "''", "'", " "])), st.text(max_size=3))
def test_offsets_lead_back(pieces: list[str], before: str) -> None:
    token = f'"{"".join(pieces)}"'
    source = f"{before}{token} after"
    value = unquote(token)
    for offset, char in enumerate(value):
        at = offset_in(source, len(before), offset)
        assert source[at] == char or source[at] == "\\"
    assert source[offset_in(source, len(before), len(value))] == '"'


@pytest.mark.parametrize(
    ("raw", "sql"),
    [
        ("a > 1", "a > 1"),
        ('a = "x"', "a = 'x'"),
        ('a = "it\'s"', "a = 'it''s'"),
        (r'a ~ "^\d+\"\\$"', r"""a ~ '^\d+"\$'"""),
        ('a = "x" and b = "y"', "a = 'x' and b = 'y'"),
        ('a = "open', "a = 'open'"),
        ("a = 'x'", "a = 'x'"),
    ],
)
def test_predicates(raw: str, sql: str) -> None:
    assert predicate_sql(raw)[0] == sql


@given(st.lists(st.sampled_from(["a", "= ", '"', "'", r"\"", r"\\", "é", "//"])))
def test_predicates_lead_back(pieces: list[str]) -> None:
    raw = "".join(pieces)
    sql, offset = predicate_sql(raw)
    places = [offset(at) for at in range(len(sql) + 1)]
    assert places == sorted(places)
    assert all(0 <= place <= len(raw) for place in places)
    for at, char in enumerate(sql):
        if char.isalpha():
            assert raw[places[at]] == char
