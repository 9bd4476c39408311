"""Fixes applied to texts."""

from __future__ import annotations

import pytest

from atl.findings.fixing import apply_fixes
from atl.findings.resolved import ResolvedEdit, ResolvedFinding, ResolvedFix, ResolvedPlace

TEXT = "0123456789"


def place(start: int, end: int, path: str = "a.atl") -> ResolvedPlace:
    return ResolvedPlace(path, start, end, 1, start + 1, 1, end + 1)


def finding(*edits: tuple[int, int, str], safe: bool = True, path: str = "a.atl") -> ResolvedFinding:
    made = tuple(ResolvedEdit(place(start, end, path), new) for start, end, new in edits)
    return ResolvedFinding("ATL108", "x", "warning", place(0, 1), "m", fixes=(ResolvedFix("t", safe, made),))


@pytest.mark.parametrize(
    ("findings", "text", "applied"),
    [
        ([finding((2, 4, "x"))], "01x456789", 1),
        ([finding((5, 6, "y")), finding((0, 1, ""))], "1234y6789", 2),
        ([finding((2, 5, "x")), finding((4, 6, "y"))], "01x56789", 1),
        ([finding((2, 4, "x")), finding((4, 6, "y"))], "01x456789", 1),
        ([finding((4, 6, "y")), finding((2, 4, "x"))], "0123y6789", 1),
        ([finding((3, 3, "x")), finding((3, 3, "x"))], "012x3456789", 1),
        ([finding((3, 3, "x")), finding((3, 3, "y"))], "012x3456789", 1),
        ([finding((3, 3, "x"), (8, 9, "z")), finding((3, 3, "x"), (6, 7, ""))], "012x345" + "7z9", 2),
        ([finding((0, 1, "x"), (5, 6, "y")), finding((5, 7, "q"), (9, 10, "z"))], "x1234y6789", 1),
        ([finding((1, 9, "")), finding((4, 4, "y"))], "09", 1),
        ([finding((2, 4, "x"), safe=False)], TEXT, 0),
        ([finding((2, 4, "x"), path="b.atl")], TEXT, 0),
        ([finding((1, 2, "x"), (2, 3, "y"))], "0xy3456789", 1),
    ],
)
def test_one_round(findings: list[ResolvedFinding], text: str, applied: int) -> None:
    done = apply_fixes(findings, {"a.atl": TEXT})
    assert done.texts.get("a.atl", TEXT) == text
    assert len(done.fixes) == applied


def test_a_suggestion_is_taken_only_when_asked_for_and_alone() -> None:
    one = finding((2, 4, "x"), safe=False)
    two = one._replace(fixes=one.fixes * 2)
    assert apply_fixes([one], {"a.atl": TEXT}, unsafe=True).texts == {"a.atl": "01x456789"}
    assert apply_fixes([two], {"a.atl": TEXT}, unsafe=True).texts == {}


def test_files_that_do_not_change_are_not_among_the_texts() -> None:
    done = apply_fixes([finding((2, 4, "x"), path="b.atl")], {"a.atl": TEXT, "b.atl": TEXT})
    assert done.texts == {"b.atl": "01x456789"}
