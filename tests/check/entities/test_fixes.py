"""Every fix of these rules takes its finding away and brings no other; safe ones may be applied all at once."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from atl.findings import CODES, Finding, Fix, Severity
from atl.findings.codes import Fixable
from tests.check.case_files import files_of
from tests.check.checking import check_files

TESTS = Path(__file__).parents[2]
CASES = sorted(
    [*(TESTS / "check" / "names" / "cases").glob("*.atl"), *(TESTS / "check" / "entities" / "cases").glob("*.atl")]
    + [
        path
        for path in (TESTS / "conformance" / "reject").glob("*.atl")
        if path.name.split("-")[0] in ("names", "entity", "keys", "refs", "index", "hyper", "enum", "fields", "checks")
        or path.name in ("text-duplicate-clauses.atl", "query-unused-input.atl", "query-undeclared-parameter.atl")
    ]
)


def ours(code: str) -> bool:
    return code[3] in "13" or code == "ATL011"


def applied(files: dict[str, str], fix: Fix) -> dict[str, str]:
    made = dict(files)
    for edit in sorted(fix.edits, key=lambda e: e.place.span, reverse=True):
        span, path = edit.place.span, edit.place.path
        made[path] = made[path][: span.start] + edit.new_text + made[path][span.end :]
    return made


def counted(findings: list[Finding]) -> Counter[str]:
    return Counter(f.code for f in findings if f.severity is not Severity.HINT)


def same(finding: Finding, findings: list[Finding]) -> int:
    """How many say the same."""
    return sum((f.code, f.message) == (finding.code, finding.message) for f in findings)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_fixes(case: Path) -> None:
    files = files_of(case.read_text("utf-8"))
    findings = check_files(files)
    before = counted(findings)
    for finding in findings:
        if not ours(finding.code):
            continue
        if CODES[finding.code].fixable is Fixable.SAFE and finding.code != "ATL112":
            assert any(fix.safe for fix in finding.fixes), finding
        for fix in finding.fixes:
            assert fix.safe == (CODES[finding.code].fixable is Fixable.SAFE), finding.code
            left = check_files(applied(files, fix))
            assert same(finding, left) < same(finding, findings), (finding.message, fix.title)
            if fix.safe:
                more = counted(left) - before
                assert not more, (finding.message, fix.title, more)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_safe_fixes_converge(case: Path) -> None:
    files = files_of(case.read_text("utf-8"))
    for _ in range(200):
        fixes = [fix for f in check_files(files) if ours(f.code) for fix in f.fixes if fix.safe]
        if not fixes:
            return
        files = applied(files, fixes[0])
    raise AssertionError("fixes never come to an end")
