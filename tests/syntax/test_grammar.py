"""The table is fresh, and the driver reads as Lark does."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings

from atl.syntax import _table as k
from atl.syntax.type_words import TYPE_WORDS
from tests.strategies import programs
from tests.syntax.oracle import build, declarations
from tests.syntax.trees import as_data, tree

ACCEPT = Path(__file__).parents[1] / "conformance" / "accept"
UNREAD = "legacy"  # a folder that the case's tide.yaml leaves out; so are those that begin with a dot
ACCEPTED = [p for p in sorted(ACCEPT.rglob("*.atl")) if not any(s == UNREAD or s[0] == "." for s in p.parts)]
SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.large_base_example]


def reads_as_lark_does(text: str) -> None:
    file = tree(text)
    assert [raw for unit in file.units for raw in unit.chunk.raw if raw.code != "ATL009"] == []
    ours = [as_data(decl) for unit in file.units for decl in unit.chunk.declarations]
    assert ours == [as_data(node) for node in declarations(text)]


def test_generated_files_are_fresh() -> None:
    assert build().main(["--check"]) == 0


def test_words_stand_in_one_list_each() -> None:
    assert not k.RESERVED_WORDS & k.FREE_WORDS
    assert not k.RESERVED_WORDS & k.COLUMN_WORDS
    assert not k.FREE_WORDS & k.COLUMN_WORDS
    assert k.DECLARATION_WORDS <= k.RESERVED_WORDS | k.FREE_WORDS
    assert {s for s in k.SPELLINGS if s.isidentifier()} == k.RESERVED_WORDS | k.FREE_WORDS | k.COLUMN_WORDS


def test_no_type_is_a_word_of_the_grammar() -> None:
    assert not TYPE_WORDS & set(k.SPELLINGS)


@pytest.mark.parametrize("path", ACCEPTED, ids=lambda path: path.stem)
def test_cases_read_as_lark_does(path: Path) -> None:
    reads_as_lark_does(path.read_bytes().decode().removeprefix("\ufeff"))


@settings(max_examples=150, deadline=None, suppress_health_check=SLOW)
@given(programs())
@example("entity Order in shop { ttl_field text identity text\n}\n")
@example("entity Order in shop {\n  ttl_field text\n  identity text\n}\n")
@example("entity Order in shop { ttl_field text primary by id }\n")
@example("entity Order in shop { id text } entity Item in shop { unique index partial by id where a > 1\n}\n")
def test_programs_read_as_lark_does(text: str) -> None:
    reads_as_lark_does(text)
