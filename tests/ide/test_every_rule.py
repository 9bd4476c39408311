"""For the example of every rule's page: its fixes are offered where it is found, and a silence silences it."""

from __future__ import annotations

import pytest

from atl.findings import CODES, Severity
from atl.findings.codes import Fixable
from atl.ide.actions import code_actions, fix_all
from atl.ide.completion import documentation
from atl.workspace.live import Workspace
from tests.check.test_pages import BLOCK, CALLER, NO_EXAMPLE, sections
from tests.ide.test_fixes import act, applied

# Silences themselves, and a hint, whose comment has no place for another one.
NOWHERE = ("ATL014", "ATL015", "ATL016")


def example(code: str) -> Workspace:
    found = BLOCK.search(sections(code)["Example"])
    assert found
    return Workspace.in_memory({"a.atl": found[1]}, CALLER.get(code))


@pytest.mark.parametrize("code", sorted(c for c in CODES if CODES[c].fixable is not Fixable.NO and c not in NO_EXAMPLE))
def test_its_fixes_are_offered(code: str) -> None:
    workspace = example(code)
    for finding in workspace.findings("a.atl"):
        if finding.code == code:
            offered = code_actions(workspace, "a.atl", finding.place.span, ("quickfix",))
            titles = [action.title for action in offered]
            assert [fix.title for fix in finding.fixes if fix.title not in titles] == []
    if CODES[code].fixable is Fixable.SAFE:
        edits = fix_all(workspace, "a.atl")
        source = workspace.source("a.atl")
        assert source is not None and edits.keys() == {"a.atl"}
        mended = Workspace.in_memory({"a.atl": applied(source.text, edits["a.atl"])}, CALLER.get(code))
        before = [f.code for f in workspace.findings("a.atl")].count(code)
        assert [f.code for f in mended.findings("a.atl")].count(code) < before


@pytest.mark.parametrize(
    "code",
    sorted(c for c in CODES if CODES[c].severity is not Severity.ERROR and c not in {*NO_EXAMPLE, *NOWHERE}),
)
def test_its_silence_silences(code: str) -> None:
    workspace = example(code)
    first = next(f for f in workspace.findings("a.atl") if f.code == code)
    title = f"silence {code} here"
    actions = code_actions(workspace, "a.atl", first.place.span, ("quickfix",))
    before = [f.code for f in workspace.findings("a.atl")]
    act(workspace, next(action for action in actions if action.title == title))
    after = [f.code for f in workspace.findings("a.atl")]
    assert after.count(code) < before.count(code)
    assert not {"ATL014", "ATL015"} & set(after)
    assert documentation(workspace, ("code", code)).startswith(f"`{CODES[code].name}`")
