"""What a person sees of a finding."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

from atl.findings.render_cells import cells, one_line
from atl.findings.render_text import Terminal, render, render_one
from tests.findings.making import TEXTS, examples, finding, place


@pytest.mark.parametrize(
    "terminal",
    [Terminal(), Terminal(colour=True), Terminal(encoding="ascii"), Terminal(encoding="latin-1", columns=40)],
    ids=["plain", "colour", "ascii", "latin-1 and narrow"],
)
def test_examples(terminal: Terminal, snapshot: SnapshotAssertion) -> None:
    shown = "".join(render(examples(), TEXTS.__getitem__, terminal))
    shown.encode(terminal.encoding)
    assert shown == snapshot


def test_the_house_style() -> None:
    shown = "".join(render(examples()[:1], TEXTS.__getitem__))
    assert shown == (
        "error[ATL408]: a scheduled job is fired without arguments, but `region` is required\n"
        "  ┌─ sales/reports.atl:3:5\n"
        "3 │     region varchar(20) not null\n"
        "  │     ^^^^^^             -------- refuses null\n"
        "  │     required: `not null` without a default\n"
        '5 │   schedule "0 3 * * *"\n'
        "  │   -------- fired on this schedule\n"
        "  = help: give `region` a default, or drop `not null`\n"
        "\n"
    )


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("abc", [0, 1, 2, 3]),
        ("a\tb", [0, 1, 4, 5]),
        ("\t\tb", [0, 4, 8, 9]),
        ("日本x", [0, 2, 4, 5]),
        ("e\u0301x", [0, 1, 1, 2]),
        ("👍🏽x", [0, 2, 2, 3]),
        ("👩\u200d👩x", [0, 2, 2, 2, 3]),
        ("\uff46x", [0, 2, 3]),
        ("각x", [0, 2, 3]),
        ("\u1100\u1161x", [0, 2, 2, 3]),
        ("\x1b[0m", [0, 1, 2, 3, 4]),
        ("\udc80\u202ex", [0, 1, 2, 3]),
    ],
)
def test_columns(text: str, columns: list[int]) -> None:
    assert list(cells(text).columns) == columns


@pytest.mark.parametrize(
    "text", ["\x00\x1b[2J\r\x7f\x85", "\u202e\u2066\u200f", "\ud800\udc80", "\u2028\ufeff\U000e0001"]
)
def test_nothing_dangerous_is_shown(text: str) -> None:
    for shown in (cells(text).shown, one_line(text)):
        assert not re.search("[\x00-\x1f\x7f-\x9f\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]", shown)


def shown(text: str, start: int, end: int, *labels: tuple[int, int, str], columns: int = 160) -> list[str]:
    others = tuple((place("a.atl", text, a, b), words) for a, b, words in labels)
    one = finding("ATL001", place("a.atl", text, start, end), "m", "here", others)
    return "".join(render([one], lambda _: text, Terminal(columns=columns))).rstrip("\n").split("\n")[2:]


@pytest.mark.parametrize(
    ("text", "start", "end", "rows"),
    [
        ("", 0, 0, ["1 │", "  │ ^ here"]),
        ("ab", 2, 2, ["1 │ ab", "  │   ^ here"]),
        ("ab\r\n", 2, 4, ["1 │ ab", "  │   ^ here"]),
        ("ab\n", 3, 3, ["2 │", "  │ ^ here"]),
        ("a日b", 2, 3, ["1 │ a日b", "  │    ^ here"]),
        ("a日b", 1, 2, ["1 │ a日b", "  │  ^^ here"]),
        ("\tb", 1, 2, ["1 │     b", "  │     ^ here"]),
        ("a {\n  b\n}", 0, 9, ["1 │ a {", "  │ ^^^", "2 │   b", "  │   ^", "3 │ }", "  │ ^ here"]),
        ("a {\n\n\n\n  }", 2, 9, ["1 │ a {", "  │   ^", "  ·", "5 │   }", "  │   ^ here"]),
    ],
)
def test_one_place(text: str, start: int, end: int, rows: list[str]) -> None:
    assert shown(text, start, end) == rows


def test_many_places_on_a_line() -> None:
    assert shown("a b c d", 2, 3, (0, 1, "first"), (4, 5, "third"), (6, 7, ""), (2, 5, "wide"), (4, 5, "third")) == [
        "1 │ a b c d",
        "  │ - ^-- -",
        "  │ │ │ third",
        "  │ │ here",
        "  │ │ wide",
        "  │ first",
    ]


def test_a_line_is_cut_around_what_is_marked() -> None:
    text = "x" * 50 + "HERE" + "y" * 300 + "THERE" + "z" * 100_000
    rows = shown(text, 50, 54, (text.index("THERE"), text.index("THERE") + 5, "there"), columns=80)
    assert rows == [
        "1 │ …" + "x" * 24 + "HERE" + "y" * 20 + "…",
        "  │  " + " " * 24 + "^^^^ here",
        "1 │ …" + "y" * 24 + "THERE" + "z" * 19 + "…",
        "  │  " + " " * 24 + "----- there",
    ]


def test_many_findings_on_a_long_line_cost_their_number() -> None:
    text = "x" * 2_000_000
    many = [finding("ATL001", place("a.atl", text[:0], 0, 0)._replace(start=n, end=n + 1), "m") for n in range(3_000)]
    assert sum(map(len, render(many, lambda _: text))) < 3_000 * 400


def test_a_text_that_is_gone_or_shorter_now() -> None:
    one = examples()[1]
    assert "".join(render([one], lambda _: "")).count("┌─") == 2
    assert "^" in "".join(render([one], lambda _: "x\n"))


TEXT = st.text(st.characters(exclude_categories=()) | st.sampled_from("\t\r\n日👩\u200d\u0301 x"), max_size=60)


@given(TEXT, st.lists(st.tuples(st.integers(0, 60), st.integers(0, 60), TEXT), min_size=1, max_size=6), st.booleans())
def test_any_text_is_shown(text: str, places: list[tuple[int, int, str]], narrow: bool) -> None:
    spans = [tuple(sorted((min(a, len(text)), min(b, len(text))))) for a, b, _ in places]
    made = [(place("a\n.atl", text, *span), words) for span, (_, _, words) in zip(spans, places, strict=True)]
    one = finding("ATL001", made[0][0], made[0][1], text, tuple(made[1:]), text)
    for encoding in ("utf-8", "ascii", "cp437"):
        block = "".join(render([one], lambda _: text, Terminal(columns=40 if narrow else 160, encoding=encoding)))
        block.encode(encoding)
        rows = block.rstrip("\n").split("\n")
        assert not any(char in row for row in rows for char in "\r\x1b\t\x85\u2028")
        assert any("^" in row for row in rows)


def test_alone() -> None:
    assert render_one(examples()[0], TEXTS["sales/reports.atl"]).startswith("error[ATL408]: ")
