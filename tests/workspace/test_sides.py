"""Sides of a comparison: what counts as one, what is refused, and what git gives without touching anything."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from atl.schema import model as m
from atl.schema.canonical import dump
from atl.source import SourceFile
from atl.syntax.parser import parse
from atl.syntax.tree import FileTree
from atl.workspace import core, sides, workers
from atl.workspace.aside import aside
from atl.workspace.errors import WorkspaceError
from atl.workspace.revision import find_repository, resolve

ONE = 'enum State in shop { "open", "closed" }\n'
TWO = "entity Order in shop {\n  id bigint primary\n}\n"


def git(folder: Path, *words: str) -> str:
    options = ("-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "init.defaultBranch=main")
    done = subprocess.run(["git", *options, *words], cwd=folder, capture_output=True, text=True, check=True)
    return done.stdout.strip()


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A commit with an enum, on `main`; a branch with an entity more; a work tree with neither."""
    folder = tmp_path / "repo"
    (folder / "app" / "sub").mkdir(parents=True)
    git(folder, "init", "-q")
    (folder / "app" / "tide.yaml").write_text("caller: shop\n")
    (folder / "app" / "sub" / "a.atl").write_text(ONE)
    (folder / "other.atl").write_text("this is no declaration")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "one")
    git(folder, "checkout", "-qb", "topic")
    (folder / "app" / "b.atl").write_text(TWO)
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "two")
    (folder / "app" / "b.atl").unlink()
    (folder / "app" / "sub" / "a.atl").write_text("")
    return folder


def ids(side: sides.Side) -> list[str]:
    return [*side.schema.enums, *side.schema.entities]


def test_a_revision_is_what_stood_there(repository: Path) -> None:
    root = str(repository / "app")
    before = git(repository, "status", "--porcelain")
    assert ids(sides.named_side("topic", root)) == ["shop.State", "shop.Order"]
    assert ids(sides.named_side("main", root)) == ["shop.State"]
    assert sides.named_side("main", root).caller == "shop"
    found = sides.default_side(root)
    assert found is not None
    assert ids(found) == ["shop.State"]
    assert found.label.endswith("(merge base with main)")
    assert ids(sides.path_side(root)) == []
    assert git(repository, "status", "--porcelain") == before


def test_a_cut_off_history_is_no_answer(repository: Path, tmp_path: Path) -> None:
    git(repository, "symbolic-ref", "HEAD", "refs/heads/main")
    git(tmp_path, "clone", "-q", "--depth", "1", "--branch", "topic", f"file://{repository}", "clone")
    with pytest.raises(WorkspaceError, match="fetch-depth: 0"):
        sides.default_side(str(tmp_path / "clone" / "app"))


def test_a_submodule_is_as_the_commit_has_it(repository: Path, tmp_path: Path) -> None:
    above = tmp_path / "above"
    above.mkdir()
    git(above, "init", "-q")
    git(repository, "checkout", "-qf", "topic")
    git(above, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(repository), "parts/sub")
    git(above, "commit", "-qm", "with a submodule")
    root = str(above / "parts" / "sub" / "app")
    assert ids(sides.named_side("HEAD", root)) == ["shop.State", "shop.Order"]
    (above / "tide.yaml").write_text("schema_paths: [parts/sub/app]\n")
    git(above, "add", ".")
    git(above, "commit", "-qm", "a workspace")
    git(above / "parts" / "sub", "checkout", "-q", "main")  # what the work tree has now
    assert ids(sides.path_side(str(above))) == ["shop.State"]
    assert ids(sides.named_side("HEAD", str(above))) == ["shop.State", "shop.Order"]
    git(above, "update-index", "--cacheinfo", f"160000,{'1' * 40},parts/sub")
    git(above, "commit", "-qm", "a commit that is nowhere")
    with pytest.raises(WorkspaceError, match="the submodule has no commit 111111111111: fetch all of it"):
        sides.named_side("HEAD", str(above))


def test_what_a_partial_clone_lacks_is_no_change(repository: Path, tmp_path: Path) -> None:
    git(repository, "checkout", "-qf", "main")
    git(repository, "config", "uploadpack.allowFilter", "true")
    git(tmp_path, "clone", "-q", "--filter=blob:none", repository.as_uri(), "partial")
    with pytest.raises(WorkspaceError, match="this partial clone does not hold what stood there"):
        sides.named_side("origin/topic", str(tmp_path / "partial" / "app"))


def test_what_is_no_side(repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    root = str(repository / "app")
    for what in ("nowhere", "--help", "--output=x", "HEAD:app", "", "main..topic", "-n1"):
        with pytest.raises(WorkspaceError, match="no such folder, file or git revision"):
            sides.named_side(what, root)
    (tmp_path / "main").mkdir()
    monkeypatch.chdir(tmp_path)
    with pytest.raises(WorkspaceError, match=r"is a path and a revision: write `\./main`"):
        sides.named_side("main", root)
    assert ids(sides.named_side("./main", root)) == []
    (tmp_path / "x.json").write_text('{"version": 2}')
    with pytest.raises(WorkspaceError, match="version 1 is read here"):
        sides.named_side("x.json", root)


def test_a_repository_is_not_trusted(repository: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    script = tmp_path / "evil.sh"
    script.write_text(f"#!/bin/sh\ntouch {ran}\n")
    script.chmod(0o755)
    for setting in ("core.fsmonitor", "core.pager", "filter.x.smudge", "diff.external", "core.sshCommand"):
        git(repository, "config", setting, str(script))
    hooks = repository / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for hook in ("post-checkout", "post-index-change", "reference-transaction"):
        (hooks / hook).write_text(script.read_text())
        (hooks / hook).chmod(0o755)
    secret = tmp_path / "secret.atl"
    secret.write_text(TWO)
    (repository / "app" / ".gitattributes").write_text("*.atl filter=x\n")
    (repository / "app" / "absolute.atl").symlink_to(secret)
    (repository / "app" / "relative.atl").symlink_to("../../../secret.atl")
    (repository / "app" / "inside.atl").symlink_to("sub/a.atl")
    git(repository, "-c", "core.fsmonitor=false", "-c", "filter.x.smudge=cat", "add", "app")
    tree = git(repository, "-c", "core.fsmonitor=false", "write-tree")
    commit = git(repository, "commit-tree", "-m", "x", tree)
    ran.unlink(missing_ok=True)
    assert ids(sides.named_side(commit, str(repository / "app"))) == []
    assert ids(sides.named_side("topic", str(repository / "app"))) == ["shop.State", "shop.Order"]
    assert not ran.exists()


def test_inside_a_hook_the_repository_is_found_anew(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", ".git/index")
    found = find_repository(str(repository / "app"))
    assert found is not None
    assert found.prefix == "app/"
    assert resolve(found, "main") is not None


def test_files_folders_and_json(tmp_path: Path) -> None:
    (tmp_path / "tide.yaml").write_text("caller: shop\n")
    cached = tmp_path / ".tide-cache" / "schema"
    cached.mkdir(parents=True)
    (cached / "c.atl").write_text("entity Line in bill {\n  id bigint primary\n}\n")
    (tmp_path / "old.atl").write_text(ONE)
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "a.atl").write_text(TWO)
    old, new = sides.path_side(str(tmp_path / "old.atl")), sides.path_side(str(tmp_path / "new"))
    assert (ids(old), ids(new)) == (["shop.State"], ["shop.Order"])
    assert (new.caller, [tree.file.path for tree in new.cached]) == ("shop", [".tide-cache/schema/c.atl"])
    (tmp_path / "s.json").write_text(dump(new.schema))
    assert sides.path_side(str(tmp_path / "s.json")).schema == new.schema


@pytest.mark.parametrize(
    ("text", "strict", "loose"),
    [
        ("entity Order in shop {\n", True, True),  # syntax
        ("entity Order in shop {\n  id bigint primary\n  x Nothing\n}\n", True, True),  # names
        ("entity Order in shop {\n  id bigint\n}\n", True, False),  # a rule
        (TWO, False, False),
    ],
)
def test_of_the_old_side_only_syntax_and_names_count(text: str, strict: bool, loose: bool, tmp_path: Path) -> None:
    (tmp_path / "a.atl").write_text(text)
    for mode, refused in ((True, strict), (False, loose)):
        for path in (tmp_path, tmp_path / "a.atl"):
            if refused:
                with pytest.raises(WorkspaceError, match="cannot be planned: "):
                    sides.path_side(str(path), strict=mode)
            else:
                sides.path_side(str(path), strict=mode)


A = """entity A in one { id bigint primary }
query found for B {
  input { x: bigint }
  output as B
  sql touches (B) { select $x::bigint as id }
}
"""
ONE_B, TWO_B = (f"entity B in {name} {{ id bigint primary }}\n" for name in ("one", "two"))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ({"a": A, "b": ONE_B}, {"a": A, "b": TWO_B}),
        ({"a": A, "b": ONE_B}, {"a": A, "b": f"// moved down\n{ONE_B}"}),
        ({"a": A, "b": ONE_B}, {"a": A, "c": ONE_B}),
        ({"a": A, ".tide-cache/schema/b": TWO_B}, {"a": A, "b": TWO_B}),
        ({"a": A, "b": TWO_B}, {"a": A, ".tide-cache/schema/b": f"\n{TWO_B}"}),
        ({"a": A, "b": TWO_B, "c": "entity C in one { id bigint primary }"}, {"a": A, "b": TWO_B}),
        # Names of the old side that mean nothing, or more than one thing, in a file that is the same.
        ({"a": A}, {"a": A, "b": ONE_B}),
        ({"a": A, "b": TWO_B, "c": TWO_B.replace("two", "three")}, {"a": A, "b": TWO_B}),
    ],
)
def test_a_side_read_beside_another_is_the_same(old: dict[str, str], new: dict[str, str], tmp_path: Path) -> None:
    for side, texts in (("old", old), ("new", new)):
        for name, text in {
            "tide.yaml": "caller: shop\n",
            **{f"{name}.atl": text for name, text in texts.items()},
        }.items():
            path = tmp_path / side / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def read(beside: sides.Side | None) -> object:
        try:
            side = sides.path_side(str(tmp_path / "old"), "old", False, beside)
        except WorkspaceError as problem:
            return problem.message
        kinds = [getattr(side.schema, name) for name in m.Schema.__dataclass_fields__]
        wheres = [(each.id, each.where) for kind in kinds for each in kind.values()]
        return dump(side.schema), wheres, [(tree.file.path, tree.file.text) for tree in side.cached]

    beside = sides.path_side(str(tmp_path / "new"))
    handed_out = [(tree.file.path, unit.anchor.start) for tree in beside.cached for unit in tree.units]
    assert read(beside) == read(None)
    assert handed_out == [(tree.file.path, unit.anchor.start) for tree in beside.cached for unit in tree.units]


def test_what_is_the_same_is_parsed_once(repository: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    git(repository, "checkout", "-q", "--", ".")
    (repository / "app" / "b.atl").write_text(TWO + "\n")
    parsed: list[str] = []

    def counted(file: SourceFile) -> FileTree:
        parsed.append(file.path)
        return parse(file)

    monkeypatch.setattr(core, "parse", counted)
    root = str(repository / "app")
    new = sides.path_side(root)
    assert ids(sides.named_side("topic", root, beside=new)) == ["shop.State", "shop.Order"]
    assert sorted(parsed) == ["b.atl", "b.atl", "sub/a.atl"]


def test_errors_that_are_looked_for_aside_come_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no second process without fork")
    monkeypatch.setattr(workers, "pays", lambda contents: True)
    (tmp_path / "a.atl").write_text("entity Order in shop {\n  id bigint\n}\n")
    new = sides.path_side(str(tmp_path), "new", aside=True)
    with pytest.raises(WorkspaceError, match=r"new cannot be planned: .*ATL301"), sides.judged(new):
        raise WorkspaceError("the other side is worse")
    (tmp_path / "a.atl").write_text(TWO)
    new = sides.path_side(str(tmp_path), "new", aside=True)
    with pytest.raises(KeyError), sides.judged(new):
        raise KeyError
    new = sides.path_side(str(tmp_path), "new", aside=True)
    with sides.judged(new):
        assert ids(new) == ["shop.Order"]


def test_what_goes_wrong_aside_is_done_here() -> None:
    if not hasattr(os, "fork"):
        pytest.skip("no second process without fork")
    here = os.getpid()
    assert aside(lambda: os.getpid() == here, lambda: "here")() is False
    assert aside(lambda: 1 / 0, lambda: "here")() == "here"
    assert aside(lambda: os.kill(os.getpid(), 9), lambda: "here")() == "here"
