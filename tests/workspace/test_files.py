"""Which files a workspace has, and which are reported on."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import pytest

from atl.workspace.config import read_config
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import list_files
from atl.workspace.targets import targets


def lay_out(root: Path, files: Mapping[str, str]) -> None:
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def listed(root: Path, *extra: str) -> dict[str, bool]:
    found = list_files(read_config(str(root)), [str(root / name) for name in extra])
    assert list(found.files) == sorted(found.files)
    return {path: entry.own for path, entry in found.files.items()}


def test_without_a_tide_yaml_the_folder_is_the_workspace(tmp_path: Path) -> None:
    lay_out(tmp_path, {"b.atl": "", "a/c.atl": "", "a.txt": "", ".x/d.atl": "", ".e.atl": "", "d.atl/f.atl": ""})
    assert listed(tmp_path) == {".e.atl": True, "a/c.atl": True, "b.atl": True, "d.atl/f.atl": True}


def test_schema_paths_and_the_cache_of_other_callers(tmp_path: Path) -> None:
    lay_out(
        tmp_path,
        {
            "tide.yaml": "schema_paths: [s, s/t, .dot, one.atl]\n",
            "s/a.atl": "",
            "s/t/b.atl": "",
            "s/.t/c.atl": "",
            "legacy/d.atl": "",
            ".dot/e.atl": "",
            "one.atl": "",
            ".tide-cache/schema/s/a.atl": "",
            ".tide-cache/schema/x/a.atl": "",
            ".tide-cache/schema/.y/a.atl": "",
            ".tide-cache/other/z.atl": "",
        },
    )
    own = {"s/a.atl": True, "s/t/b.atl": True, ".dot/e.atl": True, "one.atl": True}
    assert listed(tmp_path) == {**own, ".tide-cache/schema/x/a.atl": False}
    assert listed(tmp_path, "legacy/d.atl")["legacy/d.atl"]


def test_a_missing_schema_path_is_named_with_its_line(tmp_path: Path) -> None:
    lay_out(tmp_path, {"tide.yaml": "schema_paths:\n  - a\n  - nosuch\n", "a/b.atl": ""})
    with pytest.raises(WorkspaceError, match=r"tide\.yaml:3: no such folder: nosuch"):
        listed(tmp_path)


@pytest.mark.skipif(not hasattr(os, "symlink"), reason="needs symbolic links")
def test_what_links_lead_to_counts_once(tmp_path: Path) -> None:
    lay_out(tmp_path / "w", {"a.atl": "", "x/b.atl": "", ".real/c.atl": ""})
    lay_out(tmp_path, {"outside/d.atl": ""})
    root = tmp_path / "w"
    (root / "x" / "loop").symlink_to(root)
    (root / "again.atl").symlink_to(root / "a.atl")
    (root / "dot").symlink_to(root / ".real")
    (root / "dot2").symlink_to(root / ".real")
    (root / "far").symlink_to(tmp_path / "outside")
    (root / "far.atl").symlink_to(tmp_path / "outside" / "d.atl")
    (root / "broken.atl").symlink_to(tmp_path / "nosuch")
    found = list_files(read_config(str(root)))
    assert sorted(found.files) == ["a.atl", "dot/c.atl", "far/d.atl", "x/b.atl"]
    assert found.unreadable == (("broken.atl", "no such file or directory"),)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_what_is_no_file_is_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.atl")
    assert listed(tmp_path) == {}


def test_excluded_files_do_not_count(tmp_path: Path) -> None:
    lay_out(
        tmp_path, {"a.atl": "", "gen/b.atl": "", "x/gen/c.atl": "", "x/atl.toml": "", "atl.toml": 'exclude=["gen/"]'}
    )
    assert listed(tmp_path, "gen/b.atl") == {"a.atl": True, "x/gen/c.atl": True}


def test_many_nested_folders(tmp_path: Path) -> None:
    deep = tmp_path.joinpath(*["d"] * 400)
    deep.mkdir(parents=True)
    (deep / "a.atl").touch()
    assert len(listed(tmp_path)) == 1


# ------------------------------------------------------------------ from paths to workspaces


def reported(root: Path, *paths: str) -> dict[str, list[str]]:
    """The roots, with the files that are reported on."""
    found = targets([str(root / path) for path in paths], {})
    return {os.path.relpath(target.config.root, root): [entry.path for entry in target.reported()] for target in found}


@pytest.mark.parametrize(
    ("paths", "wanted"),
    [
        (["."], {".": ["a.atl", "x/b.atl"], "svc": ["s/c.atl"]}),
        (["a.atl"], {".": ["a.atl"]}),
        (["x"], {"x": ["b.atl"]}),
        (["x/b.atl"], {"x": ["b.atl"]}),
        (["a.atl", "x/b.atl"], {".": ["a.atl", "x/b.atl"]}),
        (["x", "a.atl"], {".": ["a.atl", "x/b.atl"]}),
        (["svc"], {"svc": ["s/c.atl"]}),
        (["svc/s"], {"svc": ["s/c.atl"]}),
        (["svc/s/c.atl", "svc/old/d.atl"], {"svc": ["old/d.atl", "s/c.atl"]}),
        (["svc/old"], {"svc": ["old/d.atl"]}),
        (["svc/.tide-cache/schema/e.atl"], {"svc": []}),
        ([".dot", "."], {".": [".dot/f.atl", "a.atl", "x/b.atl"], "svc": ["s/c.atl"]}),
    ],
)
def test_roots_and_reported_files(tmp_path: Path, paths: list[str], wanted: dict[str, list[str]]) -> None:
    lay_out(
        tmp_path,
        {
            "a.atl": "",
            "x/b.atl": "",
            ".dot/f.atl": "",
            "svc/tide.yaml": "schema_paths: [s]\n",
            "svc/s/c.atl": "",
            "svc/old/d.atl": "",
            "svc/.tide-cache/schema/e.atl": "",
        },
    )
    assert reported(tmp_path, *paths) == wanted


def test_a_file_named_through_a_link_is_found(tmp_path: Path) -> None:
    lay_out(tmp_path, {"w/tide.yaml": "", "w/a.atl": ""})
    (tmp_path / "link").symlink_to(tmp_path / "w")
    assert reported(tmp_path, "link/a.atl") == {"link": ["a.atl"]}
    (tmp_path / "w" / "b.atl").symlink_to(tmp_path / "w" / "a.atl")
    assert reported(tmp_path, "w/b.atl") == {"w": ["a.atl"]}


@pytest.mark.parametrize(("path", "message"), [("nosuch.atl", "no such file"), ("tide.yaml", "is no `.atl` file")])
def test_paths_that_cannot_be_checked(tmp_path: Path, path: str, message: str) -> None:
    (tmp_path / "tide.yaml").touch()
    with pytest.raises(WorkspaceError, match=message):
        reported(tmp_path, path)


def test_a_link_that_may_not_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As `/proc/1/cwd` is to whoever has no right to it."""
    lay_out(tmp_path, {"a.atl": ""})
    (tmp_path / "link.atl").symlink_to(tmp_path / "a.atl")

    link, stat = str(tmp_path / "link.atl"), os.stat

    def refused(*_: object, **__: object) -> str:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "readlink", refused)
    # From Python 3.13 on `realpath` passes over what it may not read, and the file behind the link cannot be had.
    monkeypatch.setattr(os, "stat", lambda path, **named: refused() if path == link else stat(path, **named))
    found = list_files(read_config(str(tmp_path)))
    assert list(found.files) == ["a.atl"]
    assert found.unreadable == (("link.atl", "permission denied"),)
