"""`atl fmt` as a process."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli.running import CLEAN, atl, write

MESSY = 'job   Nightly in sales {\n schedule   "0 3 * * *"\n   }'
BROKEN = "job Broken in sales {\n timeout never\n}\n"


def test_files_are_written(tmp_path: Path) -> None:
    write(tmp_path, a=MESSY, b=CLEAN)
    (tmp_path / "a.atl").chmod(0o640)
    assert atl("fmt", ".", cwd=tmp_path) == (0, "formatted a.atl\n1 file changed, 1 in form\n", "")
    assert (tmp_path / "a.atl").read_text() == CLEAN
    assert (tmp_path / "a.atl").stat().st_mode & 0o777 == 0o640
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.atl", "b.atl"]
    assert atl("fmt", ".", cwd=tmp_path) == (0, "0 files changed, 2 in form\n", "")


@pytest.mark.parametrize("words", [["--check"], ["--diff"]])
def test_nothing_is_written(words: list[str], tmp_path: Path) -> None:
    write(tmp_path, a=MESSY, b=CLEAN)
    ran = atl("fmt", *words, "a.atl", "b.atl", cwd=tmp_path)
    assert (ran.code, ran.err) == (1, "")
    if words == ["--check"]:
        assert ran.out == "would format a.atl\n1 file would change, 1 in form\n"
    else:
        assert ran.out == (
            "--- a.atl\n+++ a.atl\n@@ -1,3 +1,3 @@\n"
            '-job   Nightly in sales {\n- schedule   "0 3 * * *"\n-   }\n\\ No newline at end of file\n'
            '+job Nightly in sales {\n+  schedule "0 3 * * *"\n+}\n'
        )
    assert (tmp_path / "a.atl").read_text() == MESSY
    assert atl("fmt", *words, "b.atl", cwd=tmp_path).code == 0


def test_standard_input(tmp_path: Path) -> None:
    write(tmp_path, b=MESSY)
    assert atl("fmt", "-", cwd=tmp_path, stdin=MESSY) == (0, CLEAN, "")
    assert atl("fmt", cwd=tmp_path, stdin=MESSY) == (0, CLEAN, "")
    assert atl("fmt", "-", cwd=tmp_path) == (0, "", "")
    assert atl("fmt", "--check", "-", cwd=tmp_path, stdin=MESSY) == (1, "", "")
    assert atl("fmt", "--check", "-", cwd=tmp_path, stdin=CLEAN) == (0, "", "")
    assert (tmp_path / "b.atl").read_text() == MESSY


def test_an_empty_pipe_without_a_path_means_the_folder(tmp_path: Path) -> None:
    write(tmp_path, b=MESSY)
    assert atl("fmt", "--check", cwd=tmp_path) == (1, "would format b.atl\n1 file would change, 0 in form\n", "")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"\xef\xbb\xbf" + CLEAN.encode(), CLEAN.encode()),
        (MESSY.replace("\n", "\r\n").encode(), CLEAN.replace("\n", "\r\n").encode()),
        (MESSY.encode() + b"\njob  B in s {\n// \xff\n}\n", CLEAN.encode() + b"\njob  B in s {\n// \xff\n}\n"),
        (b"", b""),
    ],
)
def test_bytes(before: bytes, after: bytes, tmp_path: Path) -> None:
    (tmp_path / "a.atl").write_bytes(before)
    ran = atl("fmt", "a.atl", cwd=tmp_path)
    assert ran.code == 0
    assert (tmp_path / "a.atl").read_bytes() == after


def test_what_has_a_syntax_error_stays_and_is_named(tmp_path: Path) -> None:
    write(tmp_path, a=f"{BROKEN}\n{MESSY}\n")
    ran = atl("fmt", "a.atl", cwd=tmp_path)
    assert ran.code == 0
    assert ran.err == "atl: a.atl: 1 declaration left as written for a syntax error (see `atl check`)\n"
    assert (tmp_path / "a.atl").read_text() == f"{BROKEN}\n{CLEAN}"


def test_which_files(tmp_path: Path) -> None:
    (tmp_path / "tide.yaml").write_text("caller: shop\nschema_paths: [schema]\n")
    for folder in ("schema", "schema/.drafts", "legacy", ".tide-cache/schema"):
        (tmp_path / folder).mkdir(parents=True)
        write(tmp_path / folder, x=MESSY)
    assert atl("fmt", ".", cwd=tmp_path).out == "formatted schema/x.atl\n1 file changed, 0 in form\n"
    assert atl("fmt", "legacy/x.atl", cwd=tmp_path).out == "formatted legacy/x.atl\n1 file changed, 0 in form\n"
    assert (tmp_path / "schema/.drafts/x.atl").read_text() == MESSY


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
def test_a_link_stays_one(tmp_path: Path) -> None:
    (tmp_path / "real.txt").write_text(MESSY)
    (tmp_path / "a.atl").symlink_to("real.txt")
    assert atl("fmt", "a.atl", cwd=tmp_path).code == 0
    assert (tmp_path / "a.atl").is_symlink()
    assert (tmp_path / "real.txt").read_text() == CLEAN


@pytest.mark.skipif(os.name != "posix", reason="symbolic links")
@pytest.mark.parametrize("command", [("fmt",), ("fmt", "a.atl"), ("check", "--fix")])
@pytest.mark.parametrize("link", ["a.atl", "tables"])
def test_nothing_is_written_through_a_link_that_leads_out(command: tuple[str, ...], link: str, tmp_path: Path) -> None:
    outside, root = tmp_path / "outside", tmp_path / "service"
    outside.mkdir()
    root.mkdir()
    messy = "enum  A in x { /* b */ b,c }\n"
    (outside / "a.atl").write_text(messy)
    (root / "tide.yaml").touch()
    (root / link).symlink_to(outside / "a.atl" if link == "a.atl" else outside)
    if link == "tables":
        command = tuple(part.replace("a.atl", "tables/a.atl") for part in command)
    done = atl(*command, cwd=root)
    assert (outside / "a.atl").read_text() == messy
    assert sorted(path.name for path in outside.iterdir()) == ["a.atl"]
    assert done.code == (2 if command[0] == "fmt" else 1)
