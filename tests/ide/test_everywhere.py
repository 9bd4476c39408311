"""Every feature at every place: of prefixes of the examples, of texts with a token removed, of small odd files.

A sample of the places; all of them with ATL_EVERYWHERE=1.
"""

from __future__ import annotations

import os
import random
from collections.abc import Iterator
from datetime import datetime, timezone
from itertools import pairwise
from pathlib import Path

import pytest

from atl.ide.calls import incoming, outgoing, prepare_calls
from atl.ide.hints import inlay_hints
from atl.ide.hover import hover
from atl.ide.lens import lenses
from atl.ide.navigation import definition, highlight, implementation, linked_editing, references, type_definition
from atl.ide.outline import document_symbols, folding, selection, workspace_symbols
from atl.ide.rename import Refusal, Renamable, prepare_rename, rename
from atl.ide.tokens import semantic_tokens
from atl.source import Span
from atl.syntax.lexer import tokens
from atl.workspace.live import Workspace

ROOT = Path(__file__).parents[2] / "examples"
EXAMPLES = {path.relative_to(ROOT).as_posix(): path.read_text() for path in sorted(ROOT.rglob("*.atl"))}
NOW = datetime(2026, 1, 1, tzinfo=timezone.utc)
ALL = bool(os.environ.get("ATL_EVERYWHERE"))


def ask_all(workspace: Workspace, path: str, offset: int, rename_too: bool = False) -> None:
    text = workspace.source(path).text if workspace.source(path) is not None else ""  # type: ignore[union-attr]

    def inside(span: Span) -> None:
        assert 0 <= span.start <= span.end <= len(text)

    for links in (definition, type_definition, implementation):
        for link in links(workspace, path, offset):
            inside(link.origin)
            assert link.full.start <= link.span.start <= link.span.end <= link.full.end
    assert sorted(set(found := references(workspace, path, offset))) == found
    for mark in highlight(workspace, path, offset):
        inside(mark.span)
    for span in linked_editing(workspace, path, offset):
        inside(span)
    for item in prepare_calls(workspace, path, offset):
        incoming(workspace, item)
        outgoing(workspace, item)
    told = hover(workspace, path, offset, NOW)
    if told is not None:
        inside(told.span)
        assert told.markdown.strip()
    spans = selection(workspace, path, offset)
    assert all(b.start <= a.start and a.end <= b.end for a, b in pairwise(spans))
    ready = prepare_rename(workspace, path, offset)
    if isinstance(ready, Renamable):
        inside(ready.span)
    if rename_too:
        answer = rename(workspace, path, offset, "renamed_thing")
        assert isinstance(answer, Refusal) == isinstance(ready, Refusal) or isinstance(answer, Refusal)


def ask_file(workspace: Workspace, path: str) -> None:
    end = 0
    for token in semantic_tokens(workspace, path):
        assert end <= token.start < token.end
        end = token.end
    document_symbols(workspace, path)
    folding(workspace, path)
    inlay_hints(workspace, path)
    lenses(workspace, path)
    workspace_symbols(workspace, "a")


def places(seed: str, size: int, count: int) -> Iterator[int]:
    yield from range(size + 1) if ALL else sorted(random.Random(seed).sample(range(size + 1), min(count, size + 1)))


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_prefix(path: str) -> None:
    workspace = Workspace.in_memory(EXAMPLES)
    whole = EXAMPLES[path]
    for at in places(path, len(whole), 25):
        workspace.set_text(path, whole[:at])
        ask_file(workspace, path)
        ask_all(workspace, path, at, rename_too=at % 5 == 0)
        ask_all(workspace, path, at // 2)


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_token_removed(path: str) -> None:
    workspace = Workspace.in_memory(EXAMPLES)
    whole = EXAMPLES[path]
    found = tokens(whole)
    for at in places(path, len(found) - 1, 25):
        token = found[at]
        workspace.set_text(path, whole[: token.start] + whole[token.end :])
        ask_file(workspace, path)
        for near in {token.start, max(token.start - 1, 0), min(token.start + 2, len(whole) - len(token.text))}:
            ask_all(workspace, path, near)


@pytest.mark.parametrize("path", EXAMPLES)
def test_every_place(path: str) -> None:
    workspace = Workspace.in_memory(EXAMPLES)
    for at in places(path, len(EXAMPLES[path]), 60):
        ask_all(workspace, path, at, rename_too=at % 10 == 0)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n",
        "\ufeff",
        "// only",
        "/* open",
        "entity",
        "entity A in s {",
        'entity A in s { a int check "',
        "query Q for A { sql touches(A) { select '",
        'job J in s { schedule "" }',
        'enum E in s { "" }',
        "enum E in s { a,, }",
        "entity \u00c4 in s { \u00fc int primary }",
        'entity A in s { a int primary check "\U0001f388 \u65e5\u672c > a" }',
        "\x00\udc80 entity A in s { a int }",
        "}}}}{{{{",
        "query Q for",
        "workflow W in s { compensate x { } step { } }",
        "entity A in s { a int primary }\rentity B in s { b int }",
    ],
)
def test_small_odd_files(text: str) -> None:
    workspace = Workspace.in_memory({"a.atl": text, "b.atl": "entity A in s { id int primary }"})
    ask_file(workspace, "a.atl")
    for at in range(len(text) + 1):
        ask_all(workspace, "a.atl", at, rename_too=True)
    ask_all(workspace, "no such.atl", 0, rename_too=True)
    ask_file(workspace, "no such.atl")
