"""Rules about entities and enums, by case files."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.check.case_files import expected, reported

CASES = sorted((Path(__file__).parent / "cases").glob("*.atl"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path) -> None:
    assert reported(case) == expected(case.read_text("utf-8"))
