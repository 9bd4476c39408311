"""At every position of every example: what is taken away is offered again, and nothing fails."""

from __future__ import annotations

import pytest

from atl.ide.actions import code_actions
from atl.ide.completion import completions
from atl.ide.formatting import format_document, format_on_type, format_range
from atl.ide.signature import signature_help
from atl.postgres import scan
from atl.schema.index import Scope
from atl.schema.symbols import symbol_of
from atl.schema.uses import uses
from atl.source import Span
from atl.syntax import _table as k
from atl.syntax.lexer import tokens
from atl.workspace.live import Workspace
from tests.ide.marked import EXAMPLES, example_texts

TEXTS = example_texts()


def declared_names(workspace: Workspace, path: str) -> set[tuple[int, int]]:
    """The spans of the names that are declared where they stand: those the author chooses."""
    tree = workspace.tree(path)
    assert tree is not None
    found = set()
    for unit in tree.units:
        for decl in unit.chunk.declarations:
            scope = Scope.of(workspace.index, symbol_of(decl))
            for use in uses(decl, unit.chunk.text, scope):
                if use.declares:
                    found.add((unit.anchor.start + use.start, unit.anchor.start + use.end))
    return found


def words(text: str) -> list[tuple[int, int]]:
    found = []
    for token in tokens(text):
        if token.kind in ("word", "parameter"):
            found.append((token.start, token.end))
        elif token.kind == "sql":
            found += [
                (token.start + inner.start, token.start + inner.end)
                for inner in scan.tokens(token.text)
                if inner.kind == "parameter"
            ]
    return found


@pytest.mark.parametrize("path", sorted(TEXTS))
def test_what_is_taken_away_is_offered(path: str) -> None:
    workspace = Workspace.in_memory(TEXTS)
    text = TEXTS[path]
    declared = declared_names(workspace, path)
    missed = []
    for start, end in words(text):
        word = text[start:end]
        before = text[:start].split()
        if (start, end) in declared or (before and before[-1] == "in" and word not in k.SPELLINGS):
            continue
        workspace.edit(path, start, end, "")
        found = completions(workspace, path, start)
        if not any(
            item.text == word or item.text.startswith((f"{word} ", f"{word}(", f"{word}:", f"{word}."))
            for item in found.items
        ):
            missed.append((word, text[text.rfind("\n", 0, start) + 1 : start]))
        workspace.edit(path, start, start, word)
    assert missed == []


def ask_everything(workspace: Workspace, path: str, offset: int) -> None:
    completions(workspace, path, offset)
    signature_help(workspace, path, offset)
    code_actions(workspace, path, Span(offset, offset))
    format_on_type(workspace, path, offset, "\n")
    format_on_type(workspace, path, offset, "}")
    format_range(workspace, path, Span(offset, offset))


@pytest.mark.parametrize("path", ["market/orders/orders.atl", "contacts/schema/jobs.atl"])
def test_no_beginning_of_a_file_fails(path: str) -> None:
    workspace = Workspace.in_memory(TEXTS)
    text = TEXTS[path]
    for end in range(0, len(text), 41):
        workspace.set_text(path, text[:end])
        ask_everything(workspace, path, end)
        ask_everything(workspace, path, end // 2)
        format_document(workspace, path)


def test_no_missing_token_fails() -> None:
    text = (EXAMPLES / "broken.atl").read_text()
    for token in tokens(text)[::3]:
        workspace = Workspace.in_memory({"a.atl": text[: token.start] + text[token.end :]})
        ask_everything(workspace, "a.atl", token.start)
        ask_everything(workspace, "a.atl", max(token.start - 3, 0))


@pytest.mark.parametrize("text", ["", "\ufeff", "\n", "}", "\0", "é", "entity", "$", '"', "/*", "sql touches(", "\r\n"])
def test_no_small_text_fails(text: str) -> None:
    workspace = Workspace.in_memory({"a.atl": text})
    for offset in range(len(text) + 1):
        ask_everything(workspace, "a.atl", offset)


def test_an_unknown_path_has_no_answer() -> None:
    workspace = Workspace.in_memory({})
    assert completions(workspace, "b.atl", 3).items == ()
    assert signature_help(workspace, "b.atl", 3) is None
    assert code_actions(workspace, "b.atl", Span(0, 0)) == []
    assert format_document(workspace, "b.atl") == []
