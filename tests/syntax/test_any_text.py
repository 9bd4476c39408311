"""Any text gives a tree, in linear time; an edit gives what parsing anew gives."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable
from itertools import takewhile
from pathlib import Path
from types import FrameType

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atl.source import SourceFile
from atl.syntax.lexer import tokens
from atl.syntax.parser import parse, reparse
from atl.syntax.tree import FileTree
from atl.syntax.walk import walk
from tests.strategies import programs
from tests.syntax.trees import everything, tree

CASES = Path(__file__).parents[1] / "conformance"
TEXTS = [path.read_bytes().decode("utf-8", "surrogateescape") for path in sorted(CASES.rglob("*.atl"))]
_PIECES = """
entity A in b { } job query Q for ( ) [ ] , : = . - < primary unique check default references index by partial where sql
touches steps input output args state step cache ttl 5m 3 1.5 $x "a" ' " \\ // /* */ # ; @ \u00e9 \0 \udc80
"""
PIECES = [*_PIECES.split(), "\n", "\n  ", "\r\n", "\t", "\nentity A in b {\n"]


def is_whole(file: FileTree) -> None:
    """The units cover the text, and nothing lies outside its unit."""
    assert "".join(unit.chunk.text for unit in file.units) == file.file.text
    at = 0
    for unit in file.units:
        assert unit.anchor.start == at
        at += len(unit.chunk.text)
        for decl in unit.chunk.declarations:
            for node in walk(decl):
                assert 0 <= node.start <= node.end <= len(unit.chunk.text)
        for raw in unit.chunk.raw:
            assert 0 <= raw.start <= raw.end <= len(unit.chunk.text)
        unit.findings()


def is_alone_what_it_is_among_others(file: FileTree) -> None:
    for unit in file.units:
        (alone,) = tree(unit.chunk.text).units
        assert everything(FileTree(file.file, [alone]))[0][2:] == everything(FileTree(file.file, [unit]))[0][2:]


texts = st.one_of(programs(3), st.sampled_from(TEXTS), st.lists(st.sampled_from(PIECES)).map(" ".join), st.text())


@st.composite
def edits(draw: st.DrawFn) -> tuple[str, list[tuple[int, int, str]]]:
    """A text and some edits of it, one after the other: start, end, new text."""
    text = before = draw(texts)
    found = []
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        end = min(len(text), start + draw(st.sampled_from([0, 0, 0, 1, 3, 30])))
        new = draw(st.sampled_from(["", *PIECES]) | st.sampled_from(TEXTS).map(lambda t: t[:80]))
        found.append((start, end, new))
        text = text[:start] + new + text[end:]
    return before, found


@settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(edits())
def test_an_edit_gives_what_parsing_anew_gives(case: tuple[str, list[tuple[int, int, str]]]) -> None:
    text, changes = case
    file = tree(text)
    for start, end, new in changes:
        text = text[:start] + new + text[end:]
        before = list(takewhile(lambda unit, at=start: unit.anchor.start + unit.reach < at, file.units))  # type: ignore[misc]
        file = reparse(file, SourceFile("main.atl", text), start, end, start + len(new))
        assert everything(file) == everything(tree(text))
        assert file.units[: len(before)] == before
        assert all(unit.anchor.file is file.file for unit in file.units)
        is_whole(file)
        is_alone_what_it_is_among_others(file)


@pytest.mark.parametrize("text", TEXTS, ids=range(len(TEXTS)))
def test_cases_cut_short_and_without_a_token(text: str) -> None:
    found = tokens(text)
    picked = random.Random(len(text)).sample(found, min(len(found), 25))
    for token in picked:
        is_whole(tree(text[: token.end]))
        is_whole(tree(text[: token.start] + text[token.end :]))
        is_whole(tree(text[: token.start] + token.text * 2 + text[token.end :]))


def test_units_behind_an_edit_are_moved_and_not_read_again() -> None:
    text = "job A in b { }\n\njob B in b { }\n// c\njob C in b { }\n"
    old = tree(text)
    units = list(old.units)
    new = reparse(old, SourceFile("main.atl", "// x\n" + text), 0, 0, 5)
    assert new.units[1:] == units[1:]
    assert [unit.anchor.start for unit in new.units] == [0, 20, 36]


MANY: dict[str, Callable[[int], str]] = {
    "brackets": lambda n: f"entity A in b {{ x {'[' * n} }}",
    "arrays": lambda n: f"entity A in b {{ x {'[]' * n} }}",
    "parentheses": lambda n: f"entity A in b {{ x numeric{'(' * n} }}",
    "braces": lambda n: f"entity A in b {'{' * n}",
    "closing braces": lambda n: "}\n" * n,
    "nested blocks": lambda n: f"job A in b {'{ args ' * n}",
    "calls": lambda n: f"entity A in b {{ x int default {'f(' * n} }}",
    "declarations": lambda n: "entity A in b { x int primary }\n" * n,
    "declarations on a line": lambda n: "entity A in b { x int primary } " * n,
    "headers": lambda n: "entity A in\n" * n,
    "unclosed bodies": lambda n: "entity A in b {\n  x int\n" * n,
    "unclosed SQL": lambda n: "query Q for A { sql touches(A) { ' }\n" * n,
    "unclosed dollar quotes": lambda n: "query Q for A { sql touches(A) { $$ }\n" * n,
    "unclosed comments": lambda n: "entity A in b { /* }\n" * n,
    "unclosed strings": lambda n: 'job A in b { queue "x\n' * n,
    "headers in SQL strings": lambda n: "query Q for A { sql touches(A) { '\nentity A in b { ' } }\n" * n,
    "errors": lambda n: "entity A in b {\n" + "  x 5 not null\n" * n + "}",
    "errors on a line": lambda n: "entity A in b { " + "x by y " * n + "}",
    "unknown modifiers": lambda n: "entity A in b {\n" + "  name text nonull\n" * n + "}",
    "misplaced": lambda n: "entity A in b {\n" + "  retries 3\n" * n + "}",
    "commas": lambda n: "entity A in b { " + "x int, " * n + "}",
    "missing commas": lambda n: "query Q for A { input { " + "a: int b: int " * n + "} }",
    "junk": lambda n: "= foo @ " * n,
    "left of the field": lambda n: "entity A in b { " + " " * n + "x int\n" + " default 5\n" * n + "}",
    "block comments": lambda n: "entity A in b { x int " + "/* a */ " * n + "}",
    "white space": lambda n: " \n" * n,
}


def steps(text: str) -> int:
    """How many Python functions parsing calls: time without a clock."""
    count = 0

    def counting(frame: FrameType, event: str, argument: object) -> None:
        nonlocal count
        count += 1

    before = sys.getprofile()
    sys.setprofile(counting)
    try:
        tree(text)
    finally:
        sys.setprofile(before)
    return count


@pytest.mark.parametrize("make", MANY.values(), ids=MANY)
def test_steps_grow_with_the_text(make: Callable[[int], str]) -> None:
    steps(make(2))
    assert steps(make(1200)) <= 4 * steps(make(300)) + 2000


@pytest.mark.parametrize("make", MANY.values(), ids=MANY)
def test_a_great_many(make: Callable[[int], str]) -> None:
    is_whole(parse(SourceFile("main.atl", make(5_000))))
