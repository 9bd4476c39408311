"""Texts that nobody writes: every request is answered, with no mistake of the server's, and in no time that grows with
the square of the text (which a test would not come to its end for)."""

from __future__ import annotations

import pytest

from tests.lsp.inside import Inside
from tests.lsp.requests import EVERYWHERE, HERE, at

MANY = 2000
TEXTS = {
    "queries in queries": "query Q for A { output as A sql touches(A) { "
    + "select * from (" * 800
    + "select 1"
    + ") x" * 800
    + " } }",
    "comments on a line": "/*" * MANY,
    "names in a check": 'entity A in x { id int primary check "' + " or ".join(["id = 1"] * MANY) + '" }',
    "fields on a line": "job J in x { args { " + "a int " * MANY + "} }",
    "labels": "enum E in x { " + ", ".join(f"l{n}" for n in range(MANY)) + " }",
    "declarations": "".join(f"entity E{n} in x {{ id int primary }}\n" for n in range(MANY)),
    "parameters": "query Q for A { output as A sql touches(A) { select " + ", ".join(["$a"] * MANY) + " } }",
    "arrays": "entity A in x { id " + "[]" * MANY + "int }",
    "brackets": "entity A in x { check " + '"' + "(" * MANY + ")" * MANY + '" }',
    "quotes": '"' * MANY,
    "lines": "\n" * MANY * 10,
    "a word": "x" * MANY * 10,
}


@pytest.mark.parametrize("name", TEXTS)
def test_every_request_is_answered(name: str) -> None:
    text = TEXTS[name]
    editor = Inside()
    uri = "untitled:large"
    editor.open(uri, text)
    line = min(text.count("\n"), 50)
    for method in (*HERE, *EVERYWHERE):
        answer = editor.ask(method, at(uri, line, len(text.split("\n", line + 1)[line]) // 2))
        assert "error" not in answer or answer["error"]["code"] == -32803, method
    assert editor.logged == []


def test_a_name_that_no_file_can_have() -> None:
    editor = Inside()
    uri = "file:///a%00b.atl"
    editor.open(uri, "entity A in x { id int }")
    answer = editor.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    assert [item["code"] for item in answer["result"]["items"]] == ["ATL301"]
    editor.close(uri)
    assert editor.logged == []
