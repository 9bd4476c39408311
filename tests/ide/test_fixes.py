"""Fixes, silences and what is created from a use: after the action its finding is gone."""

from __future__ import annotations

from itertools import pairwise
from random import Random

import pytest

from atl.ide.actions import Action, code_actions, fix_all
from atl.ide.actions.fixes import all_safe
from atl.ide.rename import TextEdit
from atl.ide.renamed import composed
from atl.source import Span
from atl.workspace.live import Workspace
from tests.ide.marked import opened


def applied(text: str, edits: list[TextEdit]) -> str:
    assert all(a.span.end <= b.span.start for a, b in pairwise(edits))
    for edit in reversed(edits):
        text = text[: edit.span.start] + edit.new_text + text[edit.span.end :]
    return text


def act(workspace: Workspace, action: Action) -> None:
    for path, edits in action.edits.items():
        source = workspace.source(path)
        assert source is not None
        workspace.set_text(path, applied(source.text, edits))


def actions(text: str, *kinds: str) -> tuple[Workspace, list[Action]]:
    workspace, offset = opened(text)
    return workspace, code_actions(workspace, "a.atl", Span(offset, offset), kinds)


def after(text: str, title: str) -> tuple[str, list[str]]:
    """The text after the action of that title, and the codes that are left."""
    workspace, found = actions(text)
    chosen = [action for action in found if action.title == title]
    assert chosen, [action.title for action in found]
    act(workspace, chosen[0])
    source = workspace.source("a.atl")
    assert source is not None
    return source.text, [finding.code for finding in workspace.findings("a.atl")]


JOB = "job J in n { args { a int not null  b text not null } }\n"
OWNER = "entity A in n { id bigint primary  t text }\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (JOB + OWNER + "procedure P for A { steps { enqueue <|>J() } }", "add `a` and `b`"),
        ("entity A in n { i<|>d bigint  primary by id }", "make `id` `not null`"),
        (OWNER + "entity B in n {\n  id bigint primary\n  a bigint <|>references n.A.id\n}", "add `index by a`"),
        (OWNER + "entity B in n {\n  id bigint primary\n  a bigint <|>references A.id\n}", None),
        ("enum E in n { a }\njob J in n { queue <|>'x' }", "use double quotes"),
    ],
)
def test_a_fix_mends(text: str, title: str | None) -> None:
    workspace, found = actions(text, "quickfix")
    chosen = [action for action in found if title is None or action.title == title]
    assert chosen, [action.title for action in found]
    mended = chosen[0].findings[0]
    act(workspace, chosen[0])
    assert mended.code not in [finding.code for finding in workspace.findings("a.atl")]


def test_only_the_kinds_that_are_asked_for() -> None:
    text = JOB + OWNER + "procedure P for A { steps { enqueue <|>J() } }"
    assert {action.kind for action in actions(text, "source")[1]} == {"source.fixAll"}
    assert {action.kind for action in actions(text, "quickfix")[1]} == {"quickfix"}
    assert actions(text, "refactor.inline")[1] == []


def test_all_safe_fixes_at_once() -> None:
    text = (
        JOB + OWNER + "procedure P for A { input { x: int } steps { delete A where id = 1\n enqueue J() enqueue J() } }"
    )
    workspace = Workspace.in_memory({"a.atl": text})
    for path, edits in fix_all(workspace, "a.atl").items():
        workspace.set_text(path, applied(text, edits))
    assert [finding.code for finding in workspace.findings("a.atl")] == []


@pytest.mark.parametrize(
    ("text", "comment"),
    [
        (OWNER.replace("A", "<|>a_b"), "// atl: ignore[ATL108]"),
        ("entity <|>a_b in n { // here\n  id bigint primary\n}\n", "// atl: ignore[ATL108] // here"),
        ("entity <|>a_b in n { // atl: ignore[ATL326]\n  id bigint primary\n}\n", "// atl: ignore[ATL326, ATL108]"),
    ],
)
def test_silenced_where_it_is(text: str, comment: str) -> None:
    new, left = after(text, "silence ATL108 here")
    assert comment in new
    assert "ATL108" not in left


@pytest.mark.parametrize(
    ("text", "code", "first"),
    [
        (
            "entity A in n {\n  id bigint primary\n  <|>/* x\n   y */ a text\n}\n",
            "ATL009",
            "// atl: ignore-file[ATL009]",
        ),
        ("// atl: renamed-from <|>A\nentity A in n { id bigint primary }\n", "ATL016", "// atl: ignore-file[ATL016]"),
        (
            "// atl: ignore-file[ATL108]\nentity a in n {\n  id bigint primary <|>/* x\n   y */ a text\n}\n",
            "ATL009",
            "// atl: ignore-file[ATL108, ATL009]",
        ),
    ],
)
def test_silenced_in_the_file_where_no_comment_can_be_put(text: str, code: str, first: str) -> None:
    new, left = after(text, f"silence {code} in this file")
    assert new.splitlines()[0] == first
    assert left == []


def test_a_silence_never_goes_into_sql() -> None:
    text = (
        "entity A in n { id bigint primary }\nentity B in n { id bigint primary }\n"
        "query Q for A {\n  output as A\n  sql <|>touches(A, B) { select *\n    from n.a }\n}\n"
    )
    new, left = after(text, "silence ATL616 here")
    assert "  // atl: ignore[ATL616]\n  sql touches(A, B) {" in new
    assert left == []


@pytest.mark.parametrize(
    ("text", "title", "made"),
    [
        (
            OWNER + "procedure P for A { input { x: text } steps { enqueue <|>Send(to: $x, n: 3, at: now()) } }",
            "create the job `n.Send`",
            "job Send in n {\n  args {\n    to text not null\n    n int not null\n    at timestamptz not null\n  }\n}",
        ),
        (
            "workflow W in n {\n  state { x uuid }\n  step a { job <|>m.Go args { id: $x } }\n}\n",
            "create the job `m.Go`",
            "job Go in m {\n  args {\n    id uuid\n  }\n}",
        ),
        (
            'entity A in n {\n  id bigint primary\n  s <|>State not null default "open"\n}\n',
            "create the enum `n.State`",
            "enum State in n { open }",
        ),
        (
            "entity A in n {\n  id bigint primary\n  b uuid references <|>n.B.key\n  index by b\n}\n",
            "create the entity `n.B`",
            "entity B in n {\n  key uuid primary\n}",
        ),
        (
            OWNER + "procedure P for A {\n  steps {\n    sql touches(A) { delete from n.a using <|>m.old_b }\n  }\n}\n",
            "create the entity `m.OldB`",
            "entity OldB in m {\n  id bigint identity primary\n}",
        ),
    ],
)
def test_created_from_its_use(text: str, title: str, made: str) -> None:
    new, left = after(text, title)
    assert new.rstrip().endswith(made)
    assert set(left) <= {"ATL608"}, "what names the entity is another finding's"


def test_what_a_fix_lays_bare_is_fixed_too() -> None:
    """Of two unused inputs side by side the second one waits for the first."""
    text = OWNER + "procedure P for A {\n  input { x: int, y: int }\n  steps {\n    delete A where id = 1\n  }\n}\n"
    workspace = Workspace.in_memory({"a.atl": text})
    assert "y: int" in applied(text, all_safe(workspace.findings("a.atl"))["a.atl"])
    edits = fix_all(workspace, "a.atl")
    new = applied(text, edits["a.atl"])
    assert "y: int" not in new and Workspace.in_memory({"a.atl": new}).findings("a.atl") == []
    assert fix_all(Workspace.in_memory({"a.atl": new}), "a.atl") == {}


def test_edits_of_several_rounds_are_one() -> None:
    random = Random(4)
    for _ in range(300):
        text = now = "".join(random.choices("abc\n", k=random.randrange(12)))
        rounds = []
        for _ in range(3):
            cuts = sorted(random.sample(range(len(now) + 1), min(2 * random.randrange(3), len(now) // 2 * 2)))
            edits = [
                TextEdit(Span(start, end), "".join(random.choices("xyz", k=random.randrange(3))))
                for start, end in zip(cuts[::2], cuts[1::2], strict=True)
            ]
            rounds.append(edits)
            now = applied(now, edits)
        assert applied(text, composed(text, *rounds)) == now
