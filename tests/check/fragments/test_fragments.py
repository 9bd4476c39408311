"""Rules about SQL in checks, indexes, backfills and defaults, by case files; spans where a line is not enough."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.case_files import expected, reported
from tests.check.checking import check_text

CASES = sorted((Path(__file__).parent / "cases").glob("*.atl"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    assert reported(case) == expected(case.read_text("utf-8"))


@pytest.mark.parametrize(
    ("member", "at"),
    [
        ('check "lenght > 0"', "lenght"),
        ('check "note <> \\"x\\" or length > 0"', '\\"x\\"'),
        ("check \"note = '\\\\' and lenght > 0\"", "lenght"),
        ("check \"note = '→' and 1 > (select 1)\"", "("),
        ('check "length >"', '"length >"'),
        ('check "length + 1"', '"length + 1"'),
        ("check \"note > 'a' and length\"", "length"),
        ('index partial by length where note = "it\'s" and lenght > 0 // lenght', "lenght"),
        ('index partial by length where note = "a \\"b\\"" and random() > 1', "random"),
        ("index partial by length where length >", "length >"),
        ('index by expr "lower(nota)"', "nota"),
        ('index by expr "made::date"', "::date"),
        ('made2 int not null backfill "length + extra"', "extra"),
        ('made2 int default raw "length"', "length"),
        ('made2 int default raw "1 + $x"', "$x"),
    ],
)
def test_span(member: str, at: str) -> None:
    text = f"""
entity Boat in marina {{
  id bigint primary
  length int
  note text
  made timestamptz
  {member}
}}
"""
    (finding,) = (f for f in check_text(text) if f.code.startswith("ATL7"))
    assert finding.place.text == at
