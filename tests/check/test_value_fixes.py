"""Every fix of the rules about values, jobs and workflows takes its finding away and brings no other."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from atl.findings import CODES
from atl.findings.codes import Fixable
from tests.check.case_files import files_of
from tests.check.checking import check_files, mended

TESTS = Path(__file__).parents[1]
CASES = sorted(
    [case for area in ("jobs", "values", "workflows") for case in (TESTS / "check" / area / "cases").glob("*.atl")]
    + [
        case
        for case in (TESTS / "conformance" / "reject").glob("*.atl")
        if case.name.split("-")[0] in ("call", "cron", "fields", "flow", "job", "proc", "types")
    ]
)


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_fixes(case: Path) -> None:
    files = files_of(case.read_text("utf-8"))
    findings = check_files(files)
    before = Counter(f.code for f in findings)
    for finding in findings:
        if finding.code[3] not in "245":
            continue
        fixable = CODES[finding.code].fixable
        assert fixable is not Fixable.SAFE or finding.fixes or finding.code == "ATL453", finding.message
        for fix in finding.fixes:
            assert fix.safe == (fixable is Fixable.SAFE)
            path = finding.place.path
            after = Counter(f.code for f in check_files({**files, path: mended(files[path], fix)}))
            assert after[finding.code] < before[finding.code], (finding.message, fix.title)
            new = {code for code in after - before if CODES[code].severity.value != "hint"}
            # An unknown argument that is taken out may have been the only use of an input.
            assert new <= ({"ATL111"} if finding.code == "ATL451" else set()), (finding.message, fix.title, new)
