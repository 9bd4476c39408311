"""Every rule's page holds what it promises: its example gives the finding, its mended text does not, its fixes mend."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from atl.check import registry
from atl.findings import CODES, Severity
from atl.findings.codes import Fixable
from tests.check.checking import check_text, mended

BLOCK = re.compile(r"^```atl\n(.*?)^```", re.MULTILINE | re.DOTALL)
SECTION = re.compile(r"^## (Why|Example|Fix)$", re.MULTILINE)

# Their example is a byte or a place in a file that a page cannot show as it is.
NO_EXAMPLE = {"ATL006"}
# What the example needs beside the one file.
CALLER = {"ATL411": "counter"}
# A silenced error stays.
BESIDE = {"ATL015": {"ATL203"}}


def sections(code: str) -> dict[str, str]:
    parts = SECTION.split(registry.documentation(code))
    return {"What": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def test_the_table_and_the_registry_agree() -> None:
    assert set(registry.rows()) == set(CODES)


def test_every_code_has_a_case() -> None:
    tests = Path(__file__).parent.parent
    seen = {code for path in tests.rglob("*.atl") for code in re.findall(rb"ATL\d{3}", path.read_bytes())}
    named = {code for path in tests.rglob("test_*.py") for code in re.findall(r"ATL\d{3}", path.read_text("utf-8"))}
    assert set(CODES) - {code.decode() for code in seen} - named == set()


@pytest.mark.parametrize("code", sorted(CODES))
def test_page(code: str) -> None:
    page = sections(code)
    assert page["What"].strip() and "\n" not in page["What"].strip(), "the first line says what is found"
    assert page["Why"].strip()
    if code in NO_EXAMPLE:
        return
    example = BLOCK.search(page["Example"])
    fixed = BLOCK.search(page["Fix"])
    assert example and fixed
    findings = check_text(example[1], caller=CALLER.get(code))
    hint = CODES[code].severity is Severity.HINT
    assert {f.code for f in findings if hint or f.severity is not Severity.HINT} == {code} | BESIDE.get(code, set())
    assert check_text(fixed[1], caller=CALLER.get(code), hints=False) == []


@pytest.mark.parametrize("code", sorted(c for c in CODES if CODES[c].fixable is not Fixable.NO))
def test_fix_of_the_example(code: str) -> None:
    if code in NO_EXAMPLE:
        return
    example = BLOCK.search(sections(code)["Example"])
    assert example
    text, caller = example[1], CALLER.get(code)
    before = [f for f in check_text(text, caller=caller) if f.code == code]
    fixes = [fix for finding in before for fix in finding.fixes]
    assert fixes, "the table says that there is a fix"
    safe = CODES[code].fixable is Fixable.SAFE
    assert all(fix.safe == safe for fix in fixes)
    for finding in before:
        for fix in finding.fixes:
            after = check_text(mended(text, fix), caller=caller, hints=False)
            known = [f.code for f in check_text(text, caller=caller, hints=False)]
            left = [f.code for f in after]
            assert left.count(code) < known.count(code) or code not in known, "the finding is gone"
            for other in left:
                assert other in known, f"the fix adds {other}"
