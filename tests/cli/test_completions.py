"""Completion scripts: all commands and options are in them, and the shells that are installed take them."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from atl.cli.commands import COMMANDS
from tests.cli.running import atl


@pytest.fixture(scope="module")
def script(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("completions")
    for shell in ("bash", "zsh", "fish"):
        (folder / shell).write_text(atl("completions", shell, cwd=folder).out, encoding="utf-8")
    return folder


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_the_shell_takes_it(shell: str, script: Path) -> None:
    text = (script / shell).read_text("utf-8")
    assert all(command.name in text for command in COMMANDS)
    assert "junit" in text and "ATL408" in text
    if not shutil.which(shell):
        pytest.skip(f"{shell} is not installed")
    assert subprocess.run([shell, "-n", script / shell], capture_output=True).stderr == b""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["atl", "comp"], ["completions"]),
        (["atl", "check", "--fi"], ["--fix"]),
        (["atl", "check", "--format", "j"], ["json", "junit"]),
        (["atl", "check", "--format", "=", "s"], ["sarif"]),
        (["atl", "check", "--color", ""], ["auto", "always", "never"]),
        (["atl", "check", "--select", ""], []),
        (["atl", "check", "som"], ["some.atl"]),
        (["atl", "check", "--stdin-filename", "so"], ["some.atl"]),
        (["atl", "completions", ""], ["bash", "zsh", "fish"]),
        (["atl", "explain", "scheduled"], ["scheduled-job-needs-arguments"]),
        (["atl", "version", ""], []),
    ],
)
def test_bash(words: list[str], expected: list[str], script: Path, tmp_path: Path) -> None:
    if not shutil.which("bash"):
        pytest.skip("bash is not installed")
    (tmp_path / "some.atl").touch()
    code = 'source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _atl; printf "%s\\n" "${COMPREPLY[@]}"'
    done = subprocess.run(["bash", "-c", code, script / "bash", *words], cwd=tmp_path, capture_output=True, text=True)
    assert done.stdout.split() == expected
    assert done.stderr == ""


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("atl comp", {"completions"}),
        ("atl check --fi", {"--fix"}),
        ("atl check --format j", {"json", "junit"}),
        ("atl completions ", {"bash", "zsh", "fish"}),
    ],
)
def test_fish(line: str, expected: set[str], script: Path, tmp_path: Path) -> None:
    if not shutil.which("fish"):
        pytest.skip("fish is not installed")
    code = f"function atl; end; source {script / 'fish'}; complete -C '{line}'"
    done = subprocess.run(
        ["fish", "--no-config", "-c", code], cwd=tmp_path, env={"HOME": str(tmp_path)}, capture_output=True, text=True
    )
    assert {row.split("\t")[0] for row in done.stdout.splitlines()} == expected
