"""Rule pages: for a terminal, as JSON, as the document that `make generate` writes."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from atl.cli import language_page, pages
from atl.findings import CODES
from atl.findings.pages import PAGE, url
from atl.findings.render_paint import COLOUR, PLAIN
from tests.cli.running import atl


@pytest.mark.parametrize("word", ["ATL408", "atl408", "scheduled-job-needs-arguments"])
def test_one_rule(word: str, tmp_path: Path) -> None:
    assert atl("explain", word, cwd=tmp_path) == (0, pages.as_text(pages.page("ATL408"), PLAIN), "")


def test_formats(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    assert pages.as_text(pages.page("ATL408"), COLOUR) == snapshot(name="colour")
    assert atl("explain", "ATL408", "--format", "markdown", cwd=tmp_path).out == snapshot(name="markdown")
    (rule,) = json.loads(atl("explain", "ATL408", "--format", "json", cwd=tmp_path).out)["rules"]
    assert rule.pop("markdown").startswith("A scheduled job is fired without arguments")
    assert rule == snapshot(name="json")


def test_every_rule_has_a_page(tmp_path: Path) -> None:
    rules = json.loads(atl("explain", "--all", "--format", "json", cwd=tmp_path).out)["rules"]
    assert [rule["code"] for rule in rules] == sorted(CODES)
    text = atl("explain", "--all", cwd=tmp_path).out
    assert all(f"\n{code} {row.name}\n" in f"\n{text}" for code, row in CODES.items())
    assert "```" not in text


def test_nothing_of_markdown_is_left_for_a_terminal() -> None:
    shown = pages.as_text(pages.Page(CODES["ATL001"], "Found.\n\n## Why\n\n```atl\n# kept\n\n```\nend\n"), PLAIN)
    assert shown.split("\n")[3:] == ["Found.", "", "Why", "", "    # kept", "", "end", "", ""]


def test_the_page_of_the_language_is_what_is_generated() -> None:
    written = (Path(__file__).parents[2] / "docs" / "language.md").read_text("utf-8")
    assert written == language_page.as_markdown(), "make generate"


def test_the_page_in_the_documentation_is_what_is_generated() -> None:
    written = (Path(__file__).parents[2] / PAGE).read_text("utf-8")
    assert written == pages.as_markdown(pages.every()), "make generate"
    for code in CODES:
        anchor = url(code).partition("#")[2]
        assert len(re.findall(rf'<a id="{anchor}">', written)) == 1
        assert f"](#{anchor})" in written
