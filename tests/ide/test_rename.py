# ruff: noqa: E501 - expected lines stand as they are in the texts
"""Renaming: everywhere and nothing else, or refused with a reason."""

from __future__ import annotations

import pytest

from atl.ide.rename import Refusal, Renamable, Renamed, prepare_rename, rename
from atl.ide.renamed import applied
from atl.workspace.live import Workspace
from tests.ide.asking import at

SHOP = """entity Item in shop {
  id int primary
  item int
  item_id int check "item > 0 and item_id > 0"
  state State not null default "open" check "state <> 'done'"
  index partial by item where item > 0 and state = "open"
  cache { read_through ttl = 1m tag = "i:{item}" }
}
entity ItemLine in shop { id int primary item int references shop.Item.id }
enum State in shop { open, done }
job Item in other { args { item int not null } }
"""
SQL = """query Find for shop.Item {
  input { item: int, s: shop.State }
  output { item: int, id: int }
  sql touches(Item, ItemLine) {
    select i.item, id from shop.item i where i.item = $item and state = 'open' and state = $s
      and exists (select item from atlantis.shop_item_line where shop_item_line.item = i.id)
  }
}
procedure Run for Item {
  input { item: int }
  steps {
    update Item set item = $item, state = "open" where item = 5 and state != "done"
    enqueue other.Item(item: $item)
  }
}
"""


def asked(path: str, mark: str) -> tuple[Workspace, str, int]:
    plain = mark.replace("<|>", "")
    files = {"shop.atl": SHOP, "sql.atl": SQL}
    assert plain in files[path]
    files[path] = files[path].replace(plain, mark, 1)
    return at(files)


def lines(workspace: Workspace, found: Renamed | Refusal, hint: bool = False) -> list[str]:
    """The changed lines as they are afterwards."""
    assert isinstance(found, Renamed), found.reason
    changed = []
    for path, edits in ((found.hint or {}) if hint else found.edits).items():
        before = workspace.source(path).text  # type: ignore[union-attr]
        after = applied(before, edits)
        old = set(before.splitlines())
        changed += [line.strip() for line in after.splitlines() if line not in old]
    return changed


@pytest.mark.parametrize(
    ("path", "mark", "new", "expected"),
    [
        (
            "shop.atl",
            "entity It<|>em in",
            "Thing",
            [
                "entity Thing in shop {",
                "entity ItemLine in shop { id int primary item int references shop.Thing.id }",
                "query Find for shop.Thing {",
                "sql touches(Thing, ItemLine) {",
                "select i.item, id from shop.thing i where i.item = $item and state = 'open' and state = $s",
                "procedure Run for Thing {",
                'update Thing set item = $item, state = "open" where item = 5 and state != "done"',
            ],
        ),
        (
            "sql.atl",
            "sql touches(Item, Item<|>Line)",
            "HTTPLog",
            [
                "entity HTTPLog in shop { id int primary item int references shop.Item.id }",
                "sql touches(Item, HTTPLog) {",
                "and exists (select item from atlantis.shop_http_log where shop_http_log.item = i.id)",
            ],
        ),
        (
            "sql.atl",
            "where i.it<|>em =",
            "thing",
            [
                "thing int",
                'item_id int check "thing > 0 and item_id > 0"',
                'index partial by thing where thing > 0 and state = "open"',
                'cache { read_through ttl = 1m tag = "i:{thing}" }',
                "select i.thing as item, id from shop.item i where i.thing = $item and state = 'open' and state = $s",
                'update Item set thing = $item, state = "open" where thing = 5 and state != "done"',
            ],
        ),
        (
            "shop.atl",
            "args { it<|>em int",
            "thing",
            ["job Item in other { args { thing int not null } }", "enqueue other.Item(thing: $item)"],
        ),
        (
            "sql.atl",
            "item = $it<|>em, state",
            "thing",
            [
                "input { thing: int }",
                'update Item set item = $thing, state = "open" where item = 5 and state != "done"',
                "enqueue other.Item(item: $thing)",
            ],
        ),
        (
            "sql.atl",
            "output { it<|>em: int",
            "thing",
            [
                "output { thing: int, id: int }",
                "select i.item as thing, id from shop.item i where i.item = $item and state = 'open' and state = $s",
            ],
        ),
        (
            "sql.atl",
            'state != "do<|>ne"',
            'it\'s "over"',
            [
                'state State not null default "open" check "state <> \'it\'\'s \\"over\\"\'"',
                'enum State in shop { open, "it\'s \\"over\\"" }',
                'update Item set item = $item, state = "open" where item = 5 and state != "it\'s \\"over\\""',
            ],
        ),
        (
            "shop.atl",
            "{ op<|>en, done",
            "opened",
            [
                'state State not null default "opened" check "state <> \'done\'"',
                'index partial by item where item > 0 and state = "opened"',
                "enum State in shop { opened, done }",
                "select i.item, id from shop.item i where i.item = $item and state = 'opened' and state = $s",
                'update Item set item = $item, state = "opened" where item = 5 and state != "done"',
            ],
        ),
        (
            "shop.atl",
            "enum St<|>ate",
            "Phase",
            [
                'state Phase not null default "open" check "state <> \'done\'"',
                "enum Phase in shop { open, done }",
                "input { item: int, s: shop.Phase }",
            ],
        ),
    ],
)
def test_rename(path: str, mark: str, new: str, expected: list[str]) -> None:
    workspace, path, offset = asked(path, mark)
    before = {each: [f.code for f in workspace.findings(each)] for each in workspace.paths()}
    assert isinstance(prepare_rename(workspace, path, offset), Renamable)
    found = rename(workspace, path, offset, new)
    assert lines(workspace, found) == expected
    assert isinstance(found, Renamed)
    for each, edits in found.edits.items():
        workspace.set_text(each, applied(workspace.source(each).text, edits))  # type: ignore[union-attr]
    assert {each: [f.code for f in workspace.findings(each)] for each in workspace.paths()} == before


@pytest.mark.parametrize(
    ("mark", "expected"),
    [
        ("entity It<|>em in", ["// atl: renamed-from Item", "entity New in shop {"]),
        ("  it<|>em int\n", ["// atl: renamed-from item", "new int"]),
        ("{ op<|>en, done", ["// atl: renamed-from open", "new, done }"]),
        ("{ id int primary it<|>em int", ["// atl: renamed-from item"]),
        ("args { it<|>em int", []),
    ],
)
def test_the_hint_for_the_planner(mark: str, expected: list[str]) -> None:
    workspace, path, offset = asked("shop.atl", mark)
    new = "New" if "entity" in mark else "new"
    found = rename(workspace, path, offset, new)
    after = lines(workspace, found, hint=True)
    assert [line for line in expected if line not in after] == []
    if not expected:
        assert isinstance(found, Renamed) and found.hint is None
    else:
        assert isinstance(found, Renamed) and found.hint is not None
        text = applied(workspace.source(path).text, found.hint[path])  # type: ignore[union-attr]
        again = Workspace.in_memory({path: text})
        assert "ATL016" not in [f.code for f in again.findings(path)]
        assert "renamed_from" in repr(again.schema())


def test_a_rename_back_takes_the_hint_away() -> None:
    text = "// note\n// atl: renamed-from A\nentity <|>B in s {\n  id int primary\n  b int // atl: renamed-from a\n}\n"
    workspace, path, offset = at(text)
    found = rename(workspace, path, offset, "A")
    assert isinstance(found, Renamed) and found.hint is None
    assert applied(text.replace("<|>", ""), found.edits[path]).startswith("// note\nentity A in s {")
    found = rename(workspace, path, text.replace("<|>", "").index("b int"), "a")
    assert isinstance(found, Renamed)
    assert "\n  a int\n}" in applied(text.replace("<|>", ""), found.edits[path])


def test_a_chosen_table_keeps_its_name() -> None:
    text = """entity <|>Item in shop { id int primary table "stock.items" }
query Q for Item { output as Item sql touches(Item) { select items.* from stock.items where items.id > 0 } }
query R for Item { output as Item sql touches(Item) { select "item".* from shop."item" order by shop.item.id } }"""
    workspace, path, offset = at(text)
    assert lines(workspace, rename(workspace, path, offset, "Part")) == [
        'entity Part in shop { id int primary table "stock.items" }',
        "query Q for Part { output as Part sql touches(Part) { select items.* from stock.items where items.id > 0 } }",
        'query R for Part { output as Part sql touches(Part) { select "part".* from shop."part" order by shop.part.id } }',
    ]


@pytest.mark.parametrize(
    ("text", "new", "reason"),
    [
        ("entity A in s { id int primary }\nentity <|>B in s { id int primary }", "A", "declared"),
        ("entity A in s { <|>a int primary b int }", "b", "b"),
        ("entity <|>A in s { id int primary }", "no name", "no name"),
        ("entity A in s { <|>a int primary }", "select-1", "no name"),
        ("entity A in s { <|>a int primary }", "where", "reserved"),
        ("entity A in s { <|>a int primary }", "x" * 64, "63 bytes"),
        ("entity A in s { <|>a int primary\n  b int defalt 5 }", "c", "cannot be read"),
        ('entity A in s { <|>a int primary check "a >" }', "c", "cannot be read"),
        (
            "entity <|>A in s { id int primary }\nquery Q for A { output as A sql touches(A) { select * frm s.a } }",
            "B",
            "cannot be read",
        ),
        ("entity A in s { <|>id int primary }\nentity A in s { id int primary }", "b", "declared 2 times"),
        ("entity A in <|>s { id int primary }", "b", "no name here"),
        # The bare name would find another entity.
        (
            "entity <|>A in s { id int primary }\nentity B in t { id int primary }\n"
            "query Q for t.B { output as t.B sql touches(A, B) { select b.id from t.b, s.a } }",
            "B",
            "would break",
        ),
        (
            "entity A in s { <|>id int primary }\nentity B in s { id int primary }\nquery Q for A { output { id: int } "
            "sql touches(A, B) { select id from s.a join s.b using (id) } }",
            "key",
            "joined",
        ),
        ('entity A in s { <|>a text primary b int index partial by b where a = "x" }', "order", "predicate"),
    ],
)
def test_refused(text: str, new: str, reason: str) -> None:
    workspace, path, offset = at(text)
    found = rename(workspace, path, offset, new)
    assert isinstance(found, Refusal)
    assert reason in found.reason


def test_a_broken_neighbour_does_not_matter() -> None:
    workspace, path, offset = at(
        "entity A in s { <|>id int primary }\nentity B in s { id int primary x defalt }\nentity { id }"
    )
    assert isinstance(rename(workspace, path, offset, "key"), Renamed)


def test_names_that_need_quotes_in_sql() -> None:
    workspace, path, offset = at(
        'entity A in s { <|>a int primary check "a > 0" }\nquery Q for A { output as A sql touches(A) { select a.a from s.a order by a } }'
    )
    found = rename(workspace, path, offset, "user")
    assert lines(workspace, found) == [
        'entity A in s { user int primary check "\\"user\\" > 0" }',
        'query Q for A { output as A sql touches(A) { select a."user" from s.a order by "user" } }',
    ]


@pytest.mark.parametrize(
    ("mark", "selected", "placeholder"),
    [
        ("sql touches(It<|>em", "Item", "Item"),
        ("from shop.it<|>em i", "item", "Item"),
        ('state != "do<|>ne"', "done", "done"),
        ("i.item = <|>$item", "item", "item"),
    ],
)
def test_prepare(mark: str, selected: str, placeholder: str) -> None:
    workspace, path, offset = asked("sql.atl", mark)
    found = prepare_rename(workspace, path, offset)
    assert isinstance(found, Renamable)
    assert (workspace.source(path).text[slice(*found.span)], found.placeholder) == (selected, placeholder)  # type: ignore[union-attr]


def test_an_empty_label_has_no_name() -> None:
    workspace, path, offset = at('enum E in s { "<|>", a }\nentity A in s { id int primary  e E }')
    found = rename(workspace, path, offset, "b")
    assert isinstance(found, Refusal) and "empty label" in found.reason
