# ruff: noqa: E501 - expected lines stand as they are in the texts
"""What went wrong in other editors' language servers, case by case; and renames of everything in the examples."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from atl.ide.hover import hover
from atl.ide.navigation import definition, highlight, references
from atl.ide.outline import document_symbols
from atl.ide.rename import Refusal, Renamed, rename
from atl.ide.renamed import applied
from atl.ide.tokens import semantic_tokens
from atl.ide.use_index import use_index
from atl.schema.targets import Target
from atl.workspace.live import Workspace
from tests.ide.asking import at, marked
from tests.ide.test_everywhere import ALL, EXAMPLES


def after(workspace: Workspace, found: Renamed | Refusal) -> dict[str, str]:
    assert isinstance(found, Renamed), found.reason
    texts = {}
    for path in workspace.trees():
        source = workspace.source(path)
        assert source is not None
        texts[path] = applied(source.text, found.edits.get(path, []))
    return texts


def test_names_that_begin_alike() -> None:
    """Case 1."""
    text = 'entity <|>Post in s { item int primary item_id int check "item < item_id" }\nentity PostType in s { id int primary }\nentity APost in s { id int references s.PostType.id primary }\nquery Q for Post { output as PostType sql touches(Post, PostType) { select t.* from s.post p, s.post_type t where p.item = p.item_id } }'
    workspace, path, offset = at(text)
    renamed = after(workspace, rename(workspace, path, offset, "Entry"))[path]
    assert renamed == text.replace("<|>", "").replace("Post in s { item", "Entry in s { item").replace(
        "for Post {", "for Entry {"
    ).replace("(Post,", "(Entry,").replace("s.post p", "s.entry p")
    workspace, path, offset = at(renamed.replace("{ item int", "{ <|>item int"))
    assert (
        '{ thing int primary item_id int check "thing < item_id"'
        in after(workspace, rename(workspace, path, offset, "thing"))[path]
    )


@pytest.mark.parametrize(
    "mark", ["for <|>A {", "touches(s.<|>A)", "from s.<|>a where", "references s.<|>A.id", "write(<|>A)"]
)
def test_rename_from_any_use(mark: str) -> None:
    """Case 2."""
    files = {
        "a.atl": "entity A in s { id int primary }",
        "b.atl": "query Q for A { output as s.A sql touches(s.A) { select * from s.a where id > 0 } }",
        "c.atl": "entity B in t { id int primary a int references s.A.id cache { invalidate_on: write(A) } }",
    }
    (target,) = (path for path, text in files.items() if mark.replace("<|>", "") in text)
    workspace, path, offset = at({**files, target: files[target].replace(mark.replace("<|>", ""), mark)})
    assert after(workspace, rename(workspace, path, offset, "New")) == {
        "a.atl": "entity New in s { id int primary }",
        "b.atl": "query Q for New { output as s.New sql touches(s.New) { select * from s.new where id > 0 } }",
        "c.atl": "entity B in t { id int primary a int references s.New.id cache { invalidate_on: write(New) } }",
    }


def test_one_name_for_several_things() -> None:
    """Case 3."""
    text = """entity X in a { id int primary n int }
job <|>X in b { args { n int } }
workflow X in c { state { n int } step n { job b.X args { n: $n } } }
procedure Y for a.X { input { n: int } steps { update X set n = $n where id = 1 enqueue b.X(n: $n) } }"""
    workspace, path, offset = at(text)
    assert after(workspace, rename(workspace, path, offset, "Z"))[path] == text.replace("job <|>X", "job Z").replace(
        "b.X", "b.Z"
    )
    plain = text.replace("<|>", "")
    for mark, old, new in (
        ("args { <|>n int }", ["args { n int }", "{ n: $n }", "b.X(n:"], ["args { m int }", "{ m: $n }", "b.X(m:"]),
        ("state { <|>n int }", ["state { n int }", "{ n: $n }"], ["state { m int }", "{ n: $m }"]),
        ("step <|>n {", ["step n {"], ["step m {"]),
        ("input { <|>n: int", ["input { n:", "= $n where", "b.X(n: $n)"], ["input { m:", "= $m where", "b.X(n: $m)"]),
        ("primary <|>n int", ["primary n int", "set n ="], ["primary m int", "set m ="]),
    ):
        workspace, path, offset = at(plain.replace(mark.replace("<|>", ""), mark))
        expected = plain
        for a, b in zip(old, new, strict=True):
            expected = expected.replace(a, b)
        assert after(workspace, rename(workspace, path, offset, "m"))[path] == expected


def test_beside_a_syntax_error() -> None:
    """Case 4: an error in the way is told, one elsewhere changes nothing."""
    broken = "entity B in s { id int primary x int defalt 5 }"
    workspace, path, offset = at(
        {"a.atl": f"entity <|>A in s {{ id int primary }}\n{broken}", "b.atl": "query Q for A {"}
    )
    found = rename(workspace, path, offset, "C")
    assert isinstance(found, Refusal) and "b.atl:1" in found.reason
    workspace, path, offset = at(
        {"a.atl": f"entity <|>A in s {{ id int primary }}\n{broken}", "b.atl": "query Q for B {"}
    )
    assert (
        after(workspace, rename(workspace, path, offset, "C"))["a.atl"]
        == f"entity C in s {{ id int primary }}\n{broken}"
    )


def test_behind_wide_characters() -> None:
    """Case 6."""
    text = "// \U0001f388 \u65e5\u672c e\u0301\nentity <|>A in s { id int primary t text default \"\U0001f388\" check \"t <> '\U0001f388e\u0301' and length(t) > id\" }\nquery Q for A { output { n: int } sql touches(A) { select /* \u65e5\u672c\U0001f388 */ a.id as n from s.a where a.t = '\U0001f388' and a.id > 0 } }"
    workspace, path, offset = at(text)
    plain = text.replace("<|>", "")
    assert after(workspace, rename(workspace, path, offset, "B"))[path] == plain.replace(
        "entity A", "entity B"
    ).replace("for A", "for B").replace("(A)", "(B)").replace("a.id", "b.id").replace("s.a", "s.b").replace(
        "a.t", "b.t"
    )
    workspace, path, offset = at(plain.replace('> id"', '> <|>id"'))
    assert after(workspace, rename(workspace, path, offset, "k"))[path] == plain.replace("{ id int", "{ k int").replace(
        '> id"', '> k"'
    ).replace("a.id", "a.k")


def test_files_that_go_and_come(tmp_path: Path) -> None:
    """Case 8."""
    (tmp_path / "tide.yaml").write_text("caller: s\n")
    (tmp_path / "a.atl").write_text("entity A in s { id int primary }\n")
    (tmp_path / "b.atl").write_text("query Q for A { }\n")
    workspace = Workspace(str(tmp_path))
    assert len(references(workspace, "a.atl", 8)) == 2
    (tmp_path / "a.atl").rename(tmp_path / "c.atl")
    workspace.refresh()
    assert definition(workspace, "a.atl", 8) == []
    assert [link.path for link in definition(workspace, "b.atl", 12)] == ["c.atl"]
    (tmp_path / "c.atl").unlink()
    workspace.refresh()
    assert definition(workspace, "b.atl", 12) == []
    (tmp_path / "tide.yaml").write_text("caller: t\nschema_paths: [x]\n")
    workspace.refresh()
    assert references(workspace, "b.atl", 7) == []


def test_unsaved_text_counts(tmp_path: Path) -> None:
    """Case 9."""
    (tmp_path / "a.atl").write_text("entity A in s { id int primary }\n")
    (tmp_path / "b.atl").write_text("query Q for A { }\n")
    workspace = Workspace(str(tmp_path))
    workspace.set_text("a.atl", "entity B in s { id int primary }\n")
    assert definition(workspace, "b.atl", 12) == []
    workspace.edit("a.atl", 7, 8, "A")
    assert len(definition(workspace, "b.atl", 12)) == 1
    workspace.edit("a.atl", 7, 8, "C")
    workspace.close("a.atl")
    assert len(definition(workspace, "b.atl", 12)) == 1


def test_a_file_outside_the_workspace(tmp_path: Path) -> None:
    """Cases 11 and 16: it sees the workspace, which does not see it."""
    root = tmp_path / "root"
    (root / "schema").mkdir(parents=True)
    (root / "tide.yaml").write_text("caller: s\nschema_paths: [schema]\n")
    (root / "schema" / "a.atl").write_text("entity A in s { id int primary }\n")
    workspace = Workspace(str(root))
    outside = str(tmp_path / "x.atl")
    text = "query Q for s.A { input { id: int } output as s.A sql touches(s.A) { select * from s.a where id = $id } }\n"
    workspace.set_text(outside, text)
    assert [link.path for link in definition(workspace, outside, text.index("s.A") + 2)] == ["schema/a.atl"]
    assert hover(workspace, outside, text.index("s.A") + 2) is not None
    assert len(highlight(workspace, outside, text.index("id:"))) == 2
    assert [symbol.name for symbol in document_symbols(workspace, outside)] == ["Q"]
    assert semantic_tokens(workspace, outside)
    assert len(references(workspace, "schema/a.atl", 8)) == 1
    assert len(references(workspace, outside, text.index("$id") + 1)) == 2


def test_another_callers_declaration_is_not_renamed() -> None:
    workspace, path, offset = at(
        {
            ".tide-cache/schema/o.atl": "entity Other in o { id int primary }\nquery Q for s.Own { output as s.Own sql touches(s.Own) { select * from s.own } }",
            "a.atl": "entity Own in s { id int primary other_id int references o.<|>Other.id }",
        }
    )
    found = rename(workspace, path, offset, "New")
    assert isinstance(found, Refusal) and "another caller" in found.reason
    assert marked(workspace, references(workspace, path, offset))["a.atl"].count("[Other]") == 1
    offset = workspace.source(path).text.index("Own")  # type: ignore[union-attr]
    assert next(iter(after(workspace, rename(workspace, path, offset, "New")).values())).count("s.Own") == 3


def test_every_target_of_the_examples_is_renamed_and_nothing_else_changes() -> None:
    workspace = Workspace.in_memory(EXAMPLES)
    index = use_index(workspace)
    targets = sorted(
        {
            use.target
            for tree in workspace.trees().values()
            for unit in tree.units
            for use in index.of_unit(unit)
            if use.declares
        }
    )
    chosen = targets if ALL else random.Random(1).sample(targets, min(30, len(targets)))
    before = {path: [finding.code for finding in workspace.findings(path)] for path in workspace.paths()}
    counts = {target: len(index.of_target(target)) for target in targets}
    refused = []
    for target in chosen:
        place = next(each for each in index.of_target(target) if each.use.declares)
        new = "NewlyNamed" if not target.member else "newly_named"
        found = rename(workspace, place.location.path, place.location.span.start, new)
        if isinstance(found, Refusal):
            refused.append((target, found.reason))
            continue
        texts = after(workspace, found)
        again = Workspace.in_memory(texts)
        assert {path: [finding.code for finding in again.findings(path)] for path in again.paths()} == before, target
        renamed = (
            Target(target.kind, target.id, new)
            if target.member
            else Target(target.kind, f"{target.id.rpartition('.')[0]}.{new}")
        )
        assert len(use_index(again).of_target(renamed)) == counts[target], target
        back = next(each for each in use_index(again).of_target(renamed) if each.use.declares)
        undone = rename(
            again, back.location.path, back.location.span.start, target.member or target.id.rpartition(".")[2]
        )
        assert isinstance(undone, Renamed), (target, undone)
    assert all("cannot be read" in reason for _, reason in refused), refused
