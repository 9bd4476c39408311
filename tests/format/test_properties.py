"""What must hold of every text: nothing but white space changes, what is declared stays, and once is enough."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atl.format.document import broken, format_tree, ink, laid_out
from atl.format.edits import TextEdit, edits, range_edits
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse
from atl.syntax.tree import FileTree
from tests.strategies import programs

TESTS = Path(__file__).parents[1]
FILES = sorted(
    path
    for folder in (TESTS / "conformance", TESTS / "format", TESTS.parent / "examples")
    for path in folder.rglob("*.atl")
)
PLACES = ("start", "end", "open", "close", "args_end")
WORD = re.compile(r'"(?:[^"\\\n]|\\.)*"|[\w$]+|\s+|.', re.DOTALL)
FILLERS = (
    " ",
    "\n",
    "\t",
    "  \n\n\n",
    "\r\n",
    " /* ü */ ",
    " // c\n",
    "/* of\n two */",
    "\n // own\n",
    "\n\t/* x */",
    "",
)


def read(text: str) -> FileTree:
    return parse(SourceFile("case.atl", text))


def load(path: Path) -> str:
    return SourceFile.from_bytes(path.name, path.read_bytes()).text


def _fields(node: n.Node) -> tuple[str, ...]:
    return type(node).__match_args__


def shape(value: object) -> object:
    """A tree without its places, SQL without the indentation of its lines."""
    if isinstance(value, n.RawSql):
        return [line.strip() for line in value.text.strip().split("\n")]
    if isinstance(value, n.Node):
        return type(value).__name__, *(shape(getattr(value, name)) for name in _fields(value) if name not in PLACES)
    return [shape(item) for item in value] if isinstance(value, list | tuple) else value


def whole(tree: FileTree) -> list[object]:
    """The declarations without syntax errors."""
    return [shape(decl) for unit in tree.units if not broken(unit.chunk) for decl in unit.chunk.declarations]


def applied(text: str, changes: list[TextEdit]) -> str:
    out, at = [], 0
    for change in changes:
        assert at <= change.start <= change.end
        assert text[change.start - 1 : change.start + 1] != "\r\n"
        assert text[change.end - 1 : change.end + 1] != "\r\n"
        out += [text[at : change.start], change.new_text]
        at = change.end
    return "".join(out) + text[at:]


def holds(text: str) -> str:
    tree = read(text)
    out = format_tree(tree)
    assert ink(out) == ink(text)
    again = read(out)
    assert whole(again) == whole(tree)
    assert sum(broken(u.chunk) for u in again.units) == sum(broken(u.chunk) for u in tree.units)
    assert [c.text.rstrip("\r") for u in again.units for c in u.chunk.comments] == [
        c.text.rstrip("\r") for u in tree.units for c in u.chunk.comments
    ]
    assert format_tree(again) == out
    assert applied(text, edits(tree)) == out
    assert edits(again) == []
    # What is laid out is laid out right: the file's guard against lost text is for errors not thought of.
    for unit in tree.units:
        pieces = laid_out(unit, "\n")
        assert pieces is None or ink("".join(piece.text for piece in pieces)) == ink(unit.chunk.text)
    return out


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_files(path: Path) -> None:
    holds(load(path))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_white_space_and_comments_anywhere(path: Path) -> None:
    chance = random.Random(path.stem)
    words = WORD.findall(load(path))
    for often in (0.02, 0.1, 0.5):
        holds("".join(word + chance.choice(FILLERS) if chance.random() < often else word for word in words))


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_torn_text(path: Path) -> None:
    chance = random.Random(path.stem)
    text = load(path)
    for _ in range(5):
        cut, other = sorted(chance.randrange(len(text) + 1) for _ in range(2))
        holds(text[:cut])
        holds(text[:cut] + text[other:])
    words = WORD.findall(text)
    for _ in range(10):
        k = chance.randrange(len(words) + 1)
        holds("".join(words[:k] + words[k + 1 :]))


@settings(max_examples=200, deadline=None)
@given(programs())
def test_programs(text: str) -> None:
    holds(text)


@settings(max_examples=200, deadline=None)
@given(st.text(st.sampled_from(" \r\n\t,:{}()[]=.\"'/*$-;aé0\x00\ufeff\u2028") | st.characters(), max_size=60))
def test_any_text(text: str) -> None:
    holds(text)


FRAMES = [("entity A in b {", "}"), ("ephemeral A in b {", "}"), ("job A in b { args {", "}}")]
GAPS = ["  ", "\n", "\n ", "\n   ", "\n      ", "\n\t", "\n\t\t", "\r\n  ", " /* é */ ", " // c\n  ", "\n /* x\n */ "]
PIECES = [
    *("name text", "a_wide_name varchar(12)", "identity uuid", "serial int", "default text", "references text"),
    *("identity", "serial", "default 5", "references a.b.c", 'backfill "1"', "not null", "primary"),
    *("unique", "unique by x, y", "primary by a", "unique index partial by a where b", "index by a", "keyless"),
    *('check "a > 0"', 'check "q" as n', f'default "{"long " * 12}"', f'check "{"long = " * 9}1"', "on delete cascade"),
]


@settings(max_examples=400, deadline=None)
@given(st.sampled_from(FRAMES), st.lists(st.tuples(st.sampled_from(GAPS), st.sampled_from(PIECES)), max_size=9))
def test_what_belongs_to_a_field_by_its_column(frame: tuple[str, str], pieces: list[tuple[str, str]]) -> None:
    holds(frame[0] + "".join(gap + piece for gap, piece in pieces) + "\n" + frame[1])


def test_range_touches_whole_declarations_only() -> None:
    text = "job   A in x { }\njob   B in x {   }\n\n\njob   C in x { }\n"
    where = text.index("B")
    assert applied(text, range_edits(read(text), where, where)) == (
        "job   A in x { }\n\njob B in x {\n}\n\n\njob   C in x { }\n"
    )
    assert applied(text, range_edits(read(text), 0, len(text))) == holds(text)


def test_edits_are_as_small_as_they_can_be() -> None:
    text = "entity A in b {\r\n    id bigint primary\r\n\r\n\r\n  name  text\r\n}"
    assert edits(read(text)) == [
        TextEdit(19, 21, ""),
        TextEdit(42, 44, ""),
        TextEdit(51, 52, ""),
        TextEdit(59, 59, "\r\n"),
    ]
