"""What is said about each rule's own example, so that a change of words is seen where it is reviewed."""

from __future__ import annotations

import re

import pytest
from syrupy.assertion import SnapshotAssertion

from atl.check.registry import documentation
from atl.findings import CODES
from atl.findings.render_text import render_one
from atl.findings.resolved import ResolvedFinding, resolve
from atl.workspace.live import Workspace
from tests.check.test_pages import BLOCK, CALLER, NO_EXAMPLE, sections

NAMED = sorted(set(CODES) - NO_EXAMPLE)


def found(code: str) -> tuple[str, list[ResolvedFinding]]:
    example = BLOCK.search(sections(code)["Example"])
    assert example, documentation(code)
    text = example[1]
    workspace = Workspace.in_memory({"main.atl": text}, caller=CALLER.get(code))
    return text, [resolve(f) for f in workspace.findings("main.atl") if f.code == code]


@pytest.mark.parametrize("code", NAMED)
def test_example(code: str, snapshot: SnapshotAssertion) -> None:
    text, findings = found(code)
    assert findings
    assert "\n".join(render_one(finding, text) for finding in findings) == snapshot


@pytest.mark.parametrize("code", NAMED)
def test_house_style(code: str) -> None:
    """A lower-case sentence without a full stop; names in pairs of backquotes; nothing over two lines."""
    for finding in found(code)[1]:
        sentences = [finding.message, finding.primary, finding.help, *(words for _, words in finding.labels)]
        for words in [*sentences, *(fix.title for fix in finding.fixes)]:
            assert "\n" not in words
            assert words.count("`") % 2 == 0, words
            assert words == words.strip()
            assert not words.endswith((".", "!")), words
            assert not re.match(r"[A-Z][a-z]", words), words
            assert not re.search(r"\b(must|please|invalid|illegal)\b", words, re.IGNORECASE), words
        assert finding.message
