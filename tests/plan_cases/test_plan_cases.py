"""What the plan between the two sides of each case is: changes, class, exit code, hazards, what is manual."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.plan_cases.reading import CASES, case_diff, expected


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.name)
def test_changes(case: Path) -> None:
    want, found = expected(case), case_diff(case)
    changes = [(c.kind, c.id, c.member, c.cls.value) for c in found.changes]
    assert sorted(changes) == sorted((c["kind"], c["id"], c.get("member", ""), c["class"]) for c in want["changes"])
    assert found.cls.value == want["class"]
    assert found.cls.exit_code == want["exit"]
    assert found.manual == want["manual"]
    assert found.stale == []
    for place, hazards in want.get("hazards", {}).items():
        there = {h.value for c in found.changes if place == f"{c.id}.{c.member}".rstrip(".") for h in c.hazards}
        assert set(hazards) <= there, place
