# ruff: noqa: E501 - expected lines stand as they are in the texts
"""From a name to what it means, and to all that means the same."""

from __future__ import annotations

import pytest

from atl.ide.hover import hover
from atl.ide.navigation import definition, highlight, implementation, linked_editing, references, type_definition
from atl.ide.places import Location
from atl.ide.rename import Refusal, rename
from tests.ide.asking import at, marked, shown

POSTS = """entity Post in blog {
  id int primary
  item int check "item > 0 and item_id > 0"
  item_id int
  kind PostType not null default "short"
  index partial by item where kind = "short"
}
entity PostType2 in blog { id int primary post int references blog.Post.id }
enum PostType in blog { short, long }
"""
USES = """query Find for blog.Post {
  input { kind: blog.PostType, item: int }
  output as Post
  sql touches(Post) { select p.* from blog.post p where p.kind = $kind and p.item = $item and p.kind <> 'long' }
}
procedure Clean for Post {
  input { item: int }
  steps {
    delete Post where item = $item
    enqueue Post(item: $item)
  }
}
job Post in other { args { item int not null } }
job Post in blog { args { item int not null check "item > 1" } }
"""


def ask(mark: str, replacement: str) -> tuple[dict[str, str], str]:
    """The two files with a cursor: `mark`, which holds `<|>`, instead of its first text without."""
    plain = mark.replace("<|>", "")
    files = {"posts.atl": POSTS, "uses.atl": USES}
    path = replacement
    assert plain in files[path]
    files[path] = files[path].replace(plain, mark, 1)
    return files, path


@pytest.mark.parametrize(
    ("path", "mark", "expected"),
    [
        ("uses.atl", "for blog.Po<|>st {", {"posts.atl": "entity [Post] in blog {"}),
        (
            "uses.atl",
            "enqueue Post<|>(",
            {"uses.atl": 'job [Post] in blog { args { item int not null check "item > 1" } }'},
        ),
        (
            "uses.atl",
            "(item<|>: $item)",
            {"uses.atl": 'job Post in blog { args { [item] int not null check "item > 1" } }'},
        ),
        ("uses.atl", "(item: $it<|>em)", {"uses.atl": "input { [item]: int }"}),
        ("uses.atl", "where it<|>em = $item", {"posts.atl": '[item] int check "item > 0 and item_id > 0"'}),
        ("uses.atl", "from blog.po<|>st p", {"posts.atl": "entity [Post] in blog {"}),
        ("uses.atl", "p.ki<|>nd = $kind", {"posts.atl": '[kind] PostType not null default "short"'}),
        ("uses.atl", "<> '<|>long'", {"posts.atl": "enum PostType in blog { short, [long] }"}),
        ("posts.atl", "and item_id<|> > 0", {"posts.atl": "[item_id] int"}),
        ("posts.atl", 'default "sh<|>ort', {"posts.atl": "enum PostType in blog { [short], long }"}),
        ("posts.atl", "references blog.Post.<|>id", {"posts.atl": "[id] int primary"}),
        ("posts.atl", "where ki<|>nd =", {"posts.atl": '[kind] PostType not null default "short"'}),
        ("posts.atl", "entity PostType2 <|>in", {}),
    ],
)
def test_definition(path: str, mark: str, expected: dict[str, str]) -> None:
    workspace, path, offset = at(ask(mark, path)[0])
    found = definition(workspace, path, offset)
    assert marked(workspace, [Location(link.path, link.span) for link in found]) == expected
    for link in found:
        assert link.full.start <= link.span.start and link.span.end <= link.full.end


@pytest.mark.parametrize(
    ("path", "mark", "expected"),
    [
        (
            "posts.atl",
            "entity Po<|>st in",
            {
                "posts.atl": "entity [Post] in blog { / entity PostType2 in blog { id int primary post int references blog.[Post].id }",
                "uses.atl": "query Find for blog.[Post] { / output as [Post] / sql touches([Post]) { select p.* from [blog.post] p where p.kind = $kind and p.item = $item and p.kind <> 'long' } / procedure Clean for [Post] { / delete [Post] where item = $item",
            },
        ),
        (
            "posts.atl",
            "  it<|>em int",
            {
                "posts.atl": '[item] int check "[item] > 0 and item_id > 0" / index partial by [item] where kind = "short"',
                "uses.atl": "sql touches(Post) { select p.* from blog.post p where p.kind = $kind and p.[item] = $item and p.kind <> 'long' } / delete Post where [item] = $item",
            },
        ),
        (
            "posts.atl",
            "{ sh<|>ort, long",
            {
                "posts.atl": 'kind PostType not null default ["short"] / index partial by item where kind = ["short"] / enum PostType in blog { [short], long }'
            },
        ),
        (
            "uses.atl",
            "enqueue Po<|>st",
            {
                "uses.atl": 'enqueue [Post](item: $item) / job [Post] in blog { args { item int not null check "item > 1" } }'
            },
        ),
    ],
)
def test_references(path: str, mark: str, expected: dict[str, str]) -> None:
    workspace, path, offset = at(ask(mark, path)[0])
    assert marked(workspace, references(workspace, path, offset)) == expected


def test_a_name_that_may_mean_several_things_leads_to_each() -> None:
    files = {
        "a.atl": "entity Order in shop { id int primary }\nentity Order in ops { id int primary  x int references Order.id }",
        "b.atl": "query Q for Order { output as Order sql touches(Order) { select 1 } }",
    }
    for path, mark in (
        ("b.atl", "for <|>Order"),
        ("b.atl", "as Or<|>der"),
        ("b.atl", "(Order<|>)"),
        ("a.atl", "references Or<|>der.id"),
    ):
        workspace, path, offset = at({**files, path: files[path].replace(mark.replace("<|>", ""), mark, 1)})
        found = [Location(link.path, link.span) for link in definition(workspace, path, offset)]
        both = {"a.atl": files["a.atl"].replace("entity Order", "entity [Order]").replace("\n", " / ")}
        one = {"a.atl": files["a.atl"].replace("\nentity Order", "\nentity [Order]").split("\n")[1]}
        assert marked(workspace, found) == (both if path == "b.atl" else one)
        told = hover(workspace, path, offset)
        assert told is not None and ("shop_order" in told.markdown) == (path == "b.atl")
        assert isinstance(rename(workspace, path, offset, "New"), Refusal)


def test_references_without_the_declaration() -> None:
    workspace, path, offset = at(ask("job Po<|>st in blog", "uses.atl")[0])
    assert marked(workspace, references(workspace, path, offset, False)) == {"uses.atl": "enqueue [Post](item: $item)"}


def test_an_edit_elsewhere_counts_at_once() -> None:
    workspace, path, offset = at(ask("entity PostTy<|>pe2", "posts.atl")[0])
    before = references(workspace, path, offset)
    workspace.set_text("new.atl", "query Q for blog.PostType2 { }")
    assert len(references(workspace, path, offset)) == len(before) + 1
    workspace.set_text("new.atl", "entity PostType2 in blog { id int primary }\nquery Q for blog.PostType { }")
    assert len(references(workspace, path, offset)) == len(before) + 1
    workspace.close("new.atl")
    assert references(workspace, path, offset) == before


def test_highlight_says_which_place_declares() -> None:
    workspace, path, offset = at(ask("args { it<|>em int not null check", "uses.atl")[0])
    assert [
        (workspace.source(path).text[h.span.start - 5 : h.span.end], h.write)
        for h in highlight(workspace, path, offset)
    ] == [  # type: ignore[union-attr]
        ("Post(item", False),
        ("gs { item", True),
        ('eck "item', False),
    ]


@pytest.mark.parametrize(
    ("path", "mark", "expected"),
    [
        ("uses.atl", "p.ki<|>nd = $kind", "PostType"),
        ("uses.atl", "= $ki<|>nd", "PostType"),
        ("posts.atl", '"sh<|>ort"', "PostType"),
        ("uses.atl", "p.it<|>em", None),
        ("uses.atl", "as Po<|>st", "Post"),
    ],
)
def test_type_definition(path: str, mark: str, expected: str | None) -> None:
    workspace, path, offset = at(ask(mark, path)[0])
    found = [workspace.source(link.path).text[slice(*link.span)] for link in type_definition(workspace, path, offset)]  # type: ignore[union-attr]
    assert found == ([expected] if expected else [])


def test_implementation() -> None:
    workspace, path, offset = at(ask("job Po<|>st in blog", "uses.atl")[0])
    (link,) = implementation(workspace, path, offset)
    assert shown(workspace, path, [link.full]).count("[enqueue Post(item: $item)]") == 1
    workspace, path, offset = at(ask("entity Po<|>st in", "posts.atl")[0])
    names = [workspace.source(link.path).text[slice(*link.span)] for link in implementation(workspace, path, offset)]  # type: ignore[union-attr]
    assert names == ["Find", "Clean"]


def test_linked_editing_stays_in_the_declaration() -> None:
    workspace, path, offset = at(ask("  it<|>em int", "posts.atl")[0])
    assert shown(workspace, path, linked_editing(workspace, path, offset)).count("[item]") == 3
    workspace, path, offset = at(ask("where it<|>em = $item", "uses.atl")[0])
    assert linked_editing(workspace, path, offset) == []


@pytest.mark.parametrize(
    "sql",
    [
        "select from blog.po<|>st where",
        "select p.<|>item from blog.post p where (",
        "select it<|>em frm blog.post",
    ],
)
def test_sql_that_cannot_be_read(sql: str) -> None:
    workspace, path, offset = at(f"{POSTS}query Q for blog.Post {{ output as Post sql touches(Post) {{ {sql} }} }}")
    (link,) = definition(workspace, path, offset)
    assert workspace.source(path).text[slice(*link.span)] in ("Post", "item")  # type: ignore[union-attr]


def test_a_broken_expression() -> None:
    workspace, path, offset = at('entity A in s { id int primary count int check "count<|> > " }')
    (link,) = definition(workspace, path, offset)
    assert shown(workspace, path, [link.full]).count("[count int check") == 1


def test_beside_a_syntax_error() -> None:
    workspace, path, offset = at("entity A in s { id int primary\n  b text defalt 5\n index by i<|>d }")
    (link,) = definition(workspace, path, offset)
    assert workspace.source(path).text[slice(*link.span)] == "id"  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["<|>", "\n<|>", "// x<|>", "}<|>{", "entity<|>", "\u2028<|>\x0c"])
def test_next_to_nothing(text: str) -> None:
    workspace, path, offset = at(text)
    assert definition(workspace, path, offset) == []
    assert references(workspace, "unknown.atl", 5) == []
