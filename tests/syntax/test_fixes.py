"""A fix mends what it is for and changes nothing else."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from atl.findings import Finding, Fix
from atl.syntax.tree import FileTree
from tests.strategies import programs
from tests.syntax.trees import outline, tree

CASES = sorted((Path(__file__).parent / "cases").glob("*.atl"))


def findings(file: FileTree) -> list[Finding]:
    return [finding for unit in file.units for finding in unit.findings()]


def applied(text: str, fix: Fix) -> str:
    for edit in sorted(fix.edits, key=lambda edit: edit.place.span, reverse=True):
        span = edit.place.span
        text = text[: span.start] + edit.new_text + text[span.end :]
    return text


def outlines(file: FileTree) -> list[str]:
    return [outline(decl) for unit in file.units for decl in unit.chunk.declarations]


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_fixes_of_the_cases(path: Path) -> None:
    text = path.read_text()
    file = tree(text)
    before = Counter(finding.code for finding in findings(file))
    for finding in findings(file):
        for fix in finding.fixes:
            after = Counter(f.code for f in findings(tree(applied(text, fix))))
            assert after[finding.code] < before[finding.code], (finding.place.text, fix.title)
            if fix.safe:
                assert after <= before, (finding.place.text, fix.title)


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large])
@given(programs())
def test_a_block_comment_becomes_a_line_comment(text: str) -> None:
    file = tree(text)
    found = [finding for finding in findings(file) if finding.code == "ATL009"]
    for finding in found:
        for fix in finding.fixes:
            mended = tree(applied(text, fix))
            assert outlines(mended) == outlines(file)
            assert len(findings(mended)) == len(found) - 1
