"""The command line itself: the table of commands, mistakes in it, what it imports."""

from __future__ import annotations

import gc
import io
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl import __version__
from atl.cli import check, main
from atl.cli.commands import COMMANDS
from atl.cli.output import UsageError
from atl.cli.parsing import overview, parser_for
from tests.cli.running import CLEAN, atl, environment, write


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command.name)
def test_help(command: object, tmp_path: Path) -> None:
    name = command.name  # type: ignore[attr-defined]
    ran = atl(name, "--help", cwd=tmp_path)
    assert (ran.code, ran.err) == (0, "")
    assert ran.out.startswith(f"usage: atl {name}")


def test_overview(tmp_path: Path) -> None:
    assert atl("--help", cwd=tmp_path) == (0, f"{overview()}\n", "")
    assert atl(cwd=tmp_path).code == 2
    assert all(f"  {command.name} " in overview() for command in COMMANDS)


@pytest.mark.parametrize("words", [["version"], ["--version"], ["-V"]])
def test_version(words: list[str], tmp_path: Path) -> None:
    assert atl(*words, cwd=tmp_path) == (0, f"atl {__version__}\n", "")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["chekc"], "atl: `chekc` is no command: is it `check`?"),
        (["a.atl"], "atl: `a.atl` is no command: write `atl check a.atl`"),
        (["--fix"], "atl: `--fix` is no option of `atl` itself (see `atl --help`)"),
        (["check", "--fxi"], "atl: unrecognized arguments: --fxi (see `atl check --help`)"),
        (["check", "--statistics", "--format", "junit"], "atl: --statistics goes with --format text or json"),
        (["check", "--watch", "--fix"], "atl: --watch goes with no option that changes files or reads standard input"),
        (["check", "--stdin-filename", "a.atl", "b.atl"], "atl: --stdin-filename stands for the one PATH"),
        (["check", "nowhere.atl"], None),
        (["fmt", "nowhere.atl"], "atl: nowhere.atl: no such file or folder"),
        (["fmt", "--check", "--diff"], None),
        (["fmt", "-", "a.atl"], "atl: `-` stands for the one PATH"),
        (["explain"], "atl: name a rule, or write --all or --language"),
        (["explain", "ATL999"], "atl: there is no rule `ATL999` (see `atl explain --all`)"),
        (["explain", "ATL4080"], "atl: there is no rule `ATL4080`: is it `ATL408`?"),
        (["explain", "needs-arguments-scheduled-job"], None),
        (["completions", "powershell"], None),
    ],
)
def test_a_mistake_is_one_line(words: list[str], said: str | None, tmp_path: Path) -> None:
    ran = atl(*words, cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("atl: ")
    assert ran.err.count("\n") == 1
    if said is not None:
        assert ran.err == f"{said}\n"


PLAIN = ["a.atl", "b", "--hints", "--fix", "--exit-zero", "--no-cache", "--format", "--format=json", "json", "text"]
WORD = st.sampled_from([*PLAIN, "--format=", "--format=xml", "--diff", "-", "--", "--select", "--color=never", ""])


@given(st.lists(WORD, max_size=5))
def test_the_quick_parser_agrees_with_the_real_one(words: list[str]) -> None:
    quick = check.quick(words)
    if quick is None:
        return
    parser, _ = parser_for(next(row for row in COMMANDS if row.name == "check"))
    try:
        real = parser.parse_intermixed_args(words, namespace=check.Arguments())
    except UsageError:
        pytest.fail(f"the real parser refuses {words}")
    assert vars(quick) == vars(real)


def imported(words: list[str], cwd: Path) -> set[str]:
    code = f"import sys; from atl.cli import main; main({words!r}); print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=cwd, env=environment(cwd), capture_output=True, text=True, check=True
    )
    return set(done.stderr.split())


def test_a_start_imports_next_to_nothing(tmp_path: Path) -> None:
    heavy = {"argparse", "yaml", "tomllib", "tomli", "difflib", "postgast", "dataclasses", "pathlib", "subprocess"}
    assert not imported(["version"], tmp_path) & (heavy | {"json", "atl.findings"})
    write(tmp_path, a=CLEAN)
    atl("check", cwd=tmp_path)
    warm = imported(["check"], tmp_path)
    assert not warm & heavy
    assert not any(name.startswith(("atl.check", "atl.format", "atl.postgres")) for name in warm)


@pytest.mark.parametrize("words", [["explain", "ATL408"], ["check", "--no-cache", "--exit-zero", "--color", "never"]])
def test_commands_that_may_go_on_for_long_collect_garbage(
    words: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    gc.disable()
    try:
        main(words)
        assert gc.isenabled()
    finally:
        gc.enable()


def test_output_that_no_one_reads(tmp_path: Path) -> None:
    done = subprocess.run(
        f"{sys.executable} -m atl explain --all --format json | head -c 1; echo ${{PIPESTATUS[0]}}",
        shell=True,
        executable="/bin/bash",
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert done.stderr == ""
    assert done.stdout in ("{141\n", "{0\n")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full")
@pytest.mark.parametrize(("to", "code", "said"), [("> /dev/full", 2, "No space left on device"), (">&-", 0, "")])
def test_output_that_goes_nowhere(to: str, code: int, said: str, tmp_path: Path) -> None:
    command = f"{sys.executable} -m atl explain ATL408 {to}"
    done = subprocess.run(command, shell=True, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    assert (done.returncode, done.stderr) == (code, f"atl: {said}\n" if said else "")


def test_main_without_real_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    from atl.cli import main

    out = io.StringIO()
    monkeypatch.setattr(sys, "stdout", out)
    assert main(["version"]) == 0
    assert out.getvalue().startswith("atl ")
