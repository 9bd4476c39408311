"""Symbols, folding, selection, links."""

from __future__ import annotations

from itertools import pairwise

import pytest

from atl.ide.outline import (
    OutlineSymbol,
    document_links,
    document_symbols,
    folding,
    selection,
    workspace_symbols,
)
from atl.workspace.live import Workspace
from tests.ide.asking import at

TEXT = """// One.
// Two.
entity Item in shop {
  id int primary
  label varchar(20)
  check "id > 0" as positive
  index by label, expr "lower(label)"
  has_many lines: Line via item
}
enum State in shop { open, "in transit" }
query Find for shop.Item {
  input { id: int }
  output { label: text }
  sql touches(Item) {
    select label from shop.item where id = ($id)
  }
}
workflow W in shop {
  state { a int }
  step one { job J }
  compensate one { job other.K }
}
entity in broken { x
job J in shop { args { n []int } }
"""


def tree(symbols: tuple[OutlineSymbol, ...] | list[OutlineSymbol], depth: int = 0) -> list[str]:
    found = []
    for symbol in symbols:
        assert symbol.full.start <= symbol.span.start <= symbol.span.end <= symbol.full.end
        found.append("  " * depth + f"{symbol.kind} {symbol.name} | {symbol.detail}")
        found += tree(symbol.children, depth + 1)
    return found


def test_document_symbols() -> None:
    assert tree(document_symbols(Workspace.in_memory({"a.atl": TEXT}), "a.atl")) == [
        "entity Item | in shop",
        "  field id | int",
        "  field label | varchar(20)",
        "  check positive | id > 0",
        "  index index label, expr | ",
        "  relation lines | has_many Line",
        "enum State | in shop",
        "  label open | ",
        "  label in transit | ",
        "query Find | for shop.Item",
        "  input id | int",
        "  output label | text",
        "workflow W | in shop",
        "  state a | int",
        "  step one | J",
        "  compensation one | other.K",
        "job J | in shop",
        "  argument n | []int",
    ]


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("item", ["Item", "LineItem", "item_id", "ItemLabel"]),
        ("li", ["LineItem"]),
        ("lineitem", ["LineItem"]),
        ("shop.it", ["Item", "ItemLabel", "LineItem", "item_id"]),
        ("xyz", []),
        ("", ["Item", "Sweep", "item_id", "LineItem", "ItemLabel"]),
    ],
)
def test_workspace_symbols(query: str, expected: list[str]) -> None:
    workspace = Workspace.in_memory(
        {
            "a.atl": "entity Item in shop { item_id int primary }\nenum ItemLabel in shop { a }",
            "b.atl": "entity LineItem in shop { }\njob Sweep in other { }",
        }
    )
    assert sorted(symbol.name for symbol in workspace_symbols(workspace, query)) == sorted(expected)


def test_the_best_symbol_comes_first() -> None:
    workspace = Workspace.in_memory(
        {"a.atl": "entity MyItem in s { item int }\nentity Items in s { }\nentity Item in s { }"}
    )
    assert [symbol.name for symbol in workspace_symbols(workspace, "item")] == ["Item", "item", "Items", "MyItem"]


def test_folding() -> None:
    workspace = Workspace.in_memory({"a.atl": TEXT})
    lines = [
        (fold.kind, TEXT[: fold.span.start].count("\n"), TEXT[: fold.span.end].count("\n"))
        for fold in folding(workspace, "a.atl")
    ]
    assert lines == [("comment", 0, 1), ("region", 2, 8), ("region", 10, 16), ("region", 13, 15), ("region", 17, 21)]


def test_selection_grows() -> None:
    workspace, path, offset = at(TEXT.replace("($id)", "($i<|>d)"))
    text = workspace.source(path).text  # type: ignore[union-attr]
    found = [text[slice(*span)].strip() for span in selection(workspace, path, offset)]
    assert found[:3] == ["$id", "($id)", "select label from shop.item where id = ($id)"]
    assert found[-1] == text.strip()
    spans = selection(workspace, path, offset)
    assert all(b.start <= a.start and a.end <= b.end for a, b in pairwise(spans))


def test_document_links() -> None:
    text = "caller: shop\nschema_paths: [ä/b, c]\noutput_dir: ../out\n"
    found = [(text[slice(*link.span)], link.path) for link in document_links("/w/x", text)]
    assert found == [("ä/b", "/w/x/ä/b"), ("c", "/w/x/c"), ("../out", "/w/out")]
    assert document_links("/w", "schema_paths: [") == document_links("/w", "") == document_links("/w", "- a") == []
