"""The extension's snippets are the language: as they stand when nothing is filled in."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from atl.format.document import format_text
from atl.workspace.live import Workspace

EXTENSION = Path(__file__).parents[2] / "vscode-extension"
SNIPPETS = json.loads((EXTENSION / "snippets" / "atl.json").read_text("utf-8"))


def as_it_stands(body: list[str]) -> str:
    """The text that VS Code inserts; a place without a text of its own repeats the one of its number."""
    text = "\n".join(body)
    first: dict[str, str] = {}
    while (place := re.search(r"(?<!\\)\$\{(\d+):([^{}]*)\}|(?<!\\)\$\{(\d+)\}|(?<!\\)\$(\d+)", text)) is not None:
        number = place[1] or place[3] or place[4]
        first.setdefault(number, place[2] or "")
        text = text[: place.start()] + first[number] + text[place.end() :]
    return text.replace("\\$", "$")


@pytest.mark.parametrize("name", sorted(SNIPPETS))
def test_a_snippet_has_no_syntax_error(name: str) -> None:
    text = as_it_stands(SNIPPETS[name]["body"])
    found = Workspace.in_memory({"a.atl": text}).findings("a.atl")
    assert [f for f in found if f.code < "ATL014"] == [], text


@pytest.mark.parametrize("name", sorted(SNIPPETS))
def test_a_snippet_is_laid_out_as_the_formatter_does(name: str) -> None:
    text = as_it_stands(SNIPPETS[name]["body"])
    assert format_text(text) == text.rstrip("\n") + "\n"


def test_prefixes_are_unique() -> None:
    prefixes = [snippet["prefix"] for snippet in SNIPPETS.values()]
    assert len(set(prefixes)) == len(prefixes)


def test_the_lockfile_records_no_addresses() -> None:
    assert '"resolved"' not in (EXTENSION / "package-lock.json").read_text("utf-8")
