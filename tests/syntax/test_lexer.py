"""Tokens, raw SQL, durations."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.syntax.durations import bad_duration, milliseconds
from atl.syntax.lexer import tokens
from atl.syntax.raw import predicate_end, sql_end
from tests.strategies import programs


@pytest.mark.parametrize(
    ("sql", "inside"),
    [
        ("a } b", "a "),
        ("{ {} } }", "{ {} } "),
        ("'}' \"}\" }", "'}' \"}\" "),
        ("'it''s }' }", "'it''s }' "),
        (r"'\' }", r"'\' "),
        (r"E'\'}' }", r"E'\'}' "),
        (r"e'a''}\\' }", r"e'a''}\\' "),
        (r"date'\' }", r"date'\' "),
        ("$$ } $$ }", "$$ } $$ "),
        ("$a$ } $$ } $a$ }", "$a$ } $$ } $a$ "),
        ("x$$ } $$", "x$$ "),
        ("$name } $", "$name "),
        ("-- } \n }", "-- } \n "),
        ("/* } /* } */ } */ }", "/* } /* } */ } */ "),
    ],
)
def test_sql_ends(sql: str, inside: str) -> None:
    assert sql_end(sql, 0, len(sql)) == len(inside)


@pytest.mark.parametrize("sql", ["", "a", "{ }", "' }", '" }', "$$ }", "/* }", "/* /* */ }", "E'\\' }", "-- }"])
def test_sql_does_not_end(sql: str) -> None:
    assert sql_end(sql, 0, len(sql)) == -1


@pytest.mark.parametrize(
    ("line", "predicate"),
    [
        ("a > 1\nb", "a > 1"),
        ("a } b", "a "),
        ("a // b", "a "),
        ("a / b /* c */", "a / b /* c */"),
        ('a = "} // x" }', 'a = "} // x" '),
        ("a = '}'", "a = '"),
        (r'a = "\"}" }', r'a = "\"}" '),
        ('a = "open }\nb', 'a = "open }'),
        ('a = "\\', 'a = "\\'),
    ],
)
def test_predicate_ends(line: str, predicate: str) -> None:
    assert line[: predicate_end(line, 0, len(line))] == predicate


@pytest.mark.parametrize(
    ("text", "ms"),
    [("1ms", 1), ("90s", 90_000), ("2000us", 2), ("3000000ns", 3), ("30m", 1_800_000), ("1d", 86_400_000)]
    + [("106751d", 9_223_286_400_000)]
    + [(bad, None) for bad in ("0s", "400us", "250ns", "1H", "2w", "30min", "1.5h", "106752d", "9" * 30 + "d", "5")],
)
def test_durations(text: str, ms: int | None) -> None:
    assert milliseconds(text) == ms


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("30min", "30m"),
        ("1H", "1h"),
        ("2w", "14d"),
        ("1month", "30d"),
        ("1.5h", "90m"),
        ("0.5d", "12h"),
        ("400us", "1ms"),
        ("1600us", "2ms"),
        ("0s", None),
        ("5parsecs", None),
        ("99999999999999999999d", None),
        ("-5m", None),
    ],
)
def test_what_a_bad_duration_is_meant_to_be(text: str, meant: str | None) -> None:
    fixes = bad_duration(text, 0, len(text)).fixes
    assert [edit[2] for fix in fixes for edit in fix[2]] == ([] if meant is None else [meant])
    assert meant is None or milliseconds(meant) is not None


def covers(text: str) -> None:
    at = 0
    for token in tokens(text):
        assert text[at : token.start].strip() == ""
        assert text[token.start : token.end] == token.text != ""
        at = token.end
    assert text[at:].strip() == ""


@given(programs())
def test_tokens_cover_programs(text: str) -> None:
    covers(text)
    assert all(token.kind != "bad" for token in tokens(text))


@given(st.text(st.sampled_from("entity sql touches({})\"'/*\\\n$;é\x00 where partial by index.5m=") | st.characters()))
def test_tokens_cover_any_text(text: str) -> None:
    covers(text)


def test_kinds_of_tokens() -> None:
    text = (
        "query Q for A { sql touches(A) { x } } // c\nentity A in b { a int default -1.5 index partial by a where a\n}"
    )
    found = [(token.kind, token.text) for token in tokens(text)]
    assert ("sql", " x ") in found
    assert ("predicate", "a") in found
    assert ("comment", "// c") in found
    assert ("number", "1.5") in found
    assert found[0] == ("word", "query")
    assert found[4] == ("sign", "{")
