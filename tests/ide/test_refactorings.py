"""What refactorings make of a text; after each the file has no findings that it did not have."""

from __future__ import annotations

import pytest

from tests.ide.test_fixes import act, actions

ENTITY = "entity A in n {{\n  id bigint primary\n  {}\n}}\n"
QUERY = """\
entity A in n { id bigint primary }
entity B in n { id bigint primary }
entity C in m { id bigint primary }
query Q for A {
  output { id: bigint }
  sql touches(<touches>) { select a.id from n.a a join n.b b on a.id = b.id join m.c c on c.id = a.id }
}
"""


def refactored(text: str, title: str) -> str:
    workspace, found = actions(text, "refactor")
    before = {finding.code for finding in workspace.findings("a.atl")}
    chosen = [action for action in found if action.title == title]
    assert chosen, [action.title for action in found]
    act(workspace, chosen[0])
    assert {finding.code for finding in workspace.findings("a.atl")} <= before
    source = workspace.source("a.atl")
    assert source is not None
    return source.text


@pytest.mark.parametrize(
    ("member", "title", "after"),
    [
        (
            'x int not null <|>check "x > 0"',
            "move the check to the entity",
            'x int not null\n  check "x > 0"',
        ),
        (
            'x int <|>check "x > 0" not null // why\n  y int',
            "move the check to the entity",
            'x int not null // why\n  check "x > 0"\n  y int',
        ),
    ],
)
def test_a_check_moves(member: str, title: str, after: str) -> None:
    assert refactored(ENTITY.format(member), title) == ENTITY.format(after)


@pytest.mark.parametrize(
    ("member", "after", "labels"),
    [
        (
            "x text not null default \"a\" <|>check \"x in ('a', 'b c')\"",
            'x AX not null default "a"',
            'a, "b c"',
        ),
        ("x text <|>check \"x = 'a' or x = 'b'\"", "x AX", "a, b"),
        ("x text <|>check \"(x = any (array['a', 'b']::text[]))\"", "x AX", "a, b"),
        ("x varchar(8)\n  <|>check \"x IN ('a','b')\" as one_of", "x AX", "a, b"),
    ],
)
def test_a_check_becomes_an_enum(member: str, after: str, labels: str) -> None:
    new = refactored(ENTITY.format(member), "make `x` an enum, `AX`")
    assert new == ENTITY.format(after).rstrip() + f"\n\nenum AX in n {{ {labels} }}\n"


@pytest.mark.parametrize(
    "member",
    [
        'x int <|>check "x in (1, 2)"',
        "x text default \"c\" <|>check \"x in ('a', 'b')\"",
        "x text <|>check \"x in ('a', 'b') or x is null\"",
        "x text <|>check \"lower(x) in ('a')\"",
        "x text <|>check \"x = 'a' or y = 'b'\"\n  y text",
        "x text <|>check \"x = 'a' and x = 'b'\"",
    ],
)
def test_a_check_that_is_no_enum(member: str) -> None:
    assert not [action for action in actions(ENTITY.format(member), "refactor")[1] if "enum" in action.title]


@pytest.mark.parametrize(
    ("touches", "title", "after"),
    [
        ("<|>m.C, A", "sort and complete `touches`", "A, B, C"),
        ("B<|>, C, A", "sort `touches`", "A, B, C"),
    ],
)
def test_touches(touches: str, title: str, after: str) -> None:
    assert refactored(QUERY.replace("<touches>", touches), title) == QUERY.replace("<touches>", after)


@pytest.mark.parametrize(
    ("one", "many"),
    [
        (
            "job J in n {\n  args { a int  b text not null }\n}\n",
            "job J in n {\n  args {\n    a int\n    b text not null\n  }\n}\n",
        ),
        (
            "procedure P for n.A {\n  steps {\n    enqueue J(a: 1, b: 2)\n  }\n}\n",
            "procedure P for n.A {\n  steps {\n    enqueue J(\n      a: 1,\n      b: 2\n    )\n  }\n}\n",
        ),
        (
            "query Q for n.A {\n  input { a: int, b: int }\n}\n",
            "query Q for n.A {\n  input {\n    a: int,\n    b: int\n  }\n}\n",
        ),
    ],
)
def test_one_a_line_and_back(one: str, many: str) -> None:
    at = one.index("a: ") if "a: " in one else one.index("a int")
    assert refactored(one[:at] + "<|>" + one[at:], "put each of these on a line of its own") == many
    at = many.index("a: ") if "a: " in many else many.index("a int")
    assert refactored(many[:at] + "<|>" + many[at:], "join into one line") == one


@pytest.mark.parametrize(
    ("one", "many"),
    [
        (
            "entity A in n { <|>id bigint primary  t text not null  index by t }\n",
            "entity A in n {\n  id bigint primary\n  t text not null\n  index by t\n}\n",
        ),
        ("enum E in n { <|>a, b, }\n", "enum E in n {\n  a,\n  b\n}\n"),
        ("ephemeral E in n { <|>a text  ttl = 1h }\n", "ephemeral E in n {\n  a text\n  ttl = 1h\n}\n"),
    ],
)
def test_members_of_a_declaration_one_a_line(one: str, many: str) -> None:
    assert refactored(one, "put each of these on a line of its own") == many


@pytest.mark.parametrize(
    "text",
    [
        "job J in n {\n  args {\n    <|>a int // first\n    b int\n  }\n}\n",
        "job J in n {\n  args {\n    <|>a int\n    default text\n  }\n}\n",
        "job J in n {\n  args {\n    <|>a int\n      not null\n    b int\n  }\n}\n",
        "job J in n { args { <|>a int } }\n",
    ],
)
def test_neither_where_something_would_be_lost(text: str) -> None:
    assert not [action.title for action in actions(text, "refactor")[1]]
