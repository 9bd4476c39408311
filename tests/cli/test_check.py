"""`atl check` as a process: exit codes, what goes to which stream, formats, fixes."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.cli.running import CLEAN, WRONG, atl, environment, write

SECOND = "job Weekly in sales {\n  timeout 1m\n  retries 1\n  retries 2\n}\n"  # ATL011 (a safe fix), ATL405


@pytest.mark.parametrize(
    ("texts", "words", "code"),
    [
        ({"a": CLEAN}, [], 0),
        ({}, [], 0),
        ({"a": WRONG}, [], 1),
        ({"a": WRONG}, ["--exit-zero"], 0),
        ({"a": WRONG}, ["--ignore", "ATL408"], 0),
        ({"a": WRONG}, ["--ignore", "ATL4"], 0),
        ({"a": WRONG}, ["--ignore=ATL1,scheduled-job-needs-arguments"], 0),
        ({"a": WRONG}, ["--select", "ATL1,ATL408"], 1),
        ({"a": WRONG}, ["--select", "ATL1"], 0),
        ({"a": "job J in shop { timeout 1m }\n"}, [], 1),  # a warning alone counts
        ({"a": "workflow W in s { state { x int } step a { job J } }\njob J in s { }\n"}, ["--hints"], 0),
        ({"a": CLEAN, "b": WRONG}, ["a.atl"], 0),
        ({"a": CLEAN, "b": WRONG}, ["b.atl"], 1),
        ({"a": CLEAN, "b": WRONG}, ["a.atl", "b.atl"], 1),
        ({"a": CLEAN}, ["--select", "ATL999"], 2),
        ({"a": CLEAN}, ["b.atl"], 2),
        ({"a": CLEAN}, ["--format", "html"], 2),
    ],
)
def test_exit_code(texts: dict[str, str], words: list[str], code: int, tmp_path: Path) -> None:
    ran = atl("check", *words, cwd=write(tmp_path, **texts))
    assert ran.code == code, ran
    assert bool(ran.err) == (code == 2)
    assert ran.err.count("\n") == (code == 2)


@pytest.mark.parametrize("format", ["text", "concise", "json", "sarif", "github", "gitlab", "junit"])
def test_format(format: str, tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    (tmp_path / "sales").mkdir()
    write(tmp_path / "sales", reports=WRONG)
    ran = atl("check", "--format", format, cwd=write(tmp_path, weekly=SECOND))
    assert (ran.code, ran.err) == (1, "")
    if format == "sarif":
        # The whole pages of the rules stand in it.
        log = json.loads(ran.out)
        rules = log["runs"][0]["tool"]["driver"]["rules"]
        assert all("## Why" in rule["help"]["markdown"] for rule in rules)
        assert [rule["id"] for rule in rules] == ["ATL011", "ATL405", "ATL408"]
    else:
        assert ran.out == snapshot


def test_a_document_is_utf_8_in_any_locale(tmp_path: Path) -> None:
    write(tmp_path, größe=WRONG)
    for format, read in (("json", json.loads), ("junit", ElementTree.fromstring)):
        ran = atl("check", "--format", format, cwd=tmp_path, PYTHONUTF8="0", LC_ALL="C", PYTHONCOERCECLOCALE="0")
        assert "größe.atl" in ran.out
        read(ran.out)
    ran = atl("check", cwd=tmp_path, PYTHONIOENCODING="ascii")
    assert ran.code == 1
    assert "  --> gr" in ran.out


def test_a_file_that_is_no_text(tmp_path: Path) -> None:
    (tmp_path / "bad.atl").write_bytes(b"job \xff\x00 in s {\x1b[31m\n")
    for format in ("text", "concise", "json", "sarif", "github", "gitlab", "junit"):
        ran = atl("check", "--format", format, cwd=tmp_path)
        assert (ran.code, ran.err) == (1, "")
        assert "\x1b" not in ran.out and "\x00" not in ran.out


def test_colours(tmp_path: Path) -> None:
    write(tmp_path, a=WRONG)
    assert "\x1b[" not in atl("check", cwd=tmp_path).out
    assert "\x1b[1;31merror[ATL408]" in atl("check", "--color", "always", cwd=tmp_path).out
    assert "\x1b[" in atl("check", "--color=always", cwd=tmp_path, NO_COLOR="1").out


def test_hints_only_on_request(tmp_path: Path) -> None:
    write(tmp_path, a="workflow W in s { state { x int } step a { job J } }\njob J in s { }\n")
    assert atl("check", cwd=tmp_path).out == "nothing found in 1 file; --hints shows 1 hint\n"
    found = json.loads(atl("check", "--format=json", cwd=tmp_path).out)
    assert (found["findings"], found["summary"]["hints"]) == ([], 0)
    found = json.loads(atl("check", "--format=json", "--hints", cwd=tmp_path).out)
    assert [f["severity"] for f in found["findings"]] == ["hint"] * found["summary"]["hints"] != []


def test_standard_input(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN, b="enum Size in sales { small }\n")
    words = ["check", "--stdin-filename", "a.atl", "--format", "concise"]
    assert atl(*words, cwd=tmp_path, stdin=CLEAN) == (0, "", "")
    ran = atl(*words, cwd=tmp_path, stdin=WRONG)
    assert (ran.code, ran.out[:32]) == (1, "a.atl:3:3: error[ATL408] a sched")
    clash = atl(
        "check", "--stdin-filename", "new.atl", "--format=concise", cwd=tmp_path, stdin="enum Size in sales { s }\n"
    )
    assert clash.out.startswith("new.atl:1:6: error[ATL101] ")
    assert (tmp_path / "a.atl").read_text() == CLEAN
    mended = atl("check", "--fix", "--stdin-filename", "a.atl", cwd=tmp_path, stdin="\ufeff" + SECOND)
    assert mended.out.count("retries") == 1
    assert mended.err.startswith("a.atl:2:3: warning[ATL405]")
    assert mended.code == 1


def test_fix(tmp_path: Path) -> None:
    write(tmp_path, a=SECOND, b=WRONG)
    ran = atl("check", "--fix", cwd=tmp_path)
    assert ran.code == 1
    assert ran.out.endswith("\n1 fix applied; 1 error, 1 warning in 2 files\n")
    assert (tmp_path / "a.atl").read_text().count("retries") == 1
    assert (tmp_path / "b.atl").read_text() == WRONG
    ran = atl("check", "--unsafe-fixes", "b.atl", cwd=tmp_path)
    assert (ran.code, ran.out) == (0, "1 fix applied; nothing found in 1 file\n")
    assert " not null" not in (tmp_path / "b.atl").read_text()


def test_diff_writes_nothing(tmp_path: Path, snapshot: SnapshotAssertion) -> None:
    write(tmp_path, a=SECOND, b=WRONG)
    ran = atl("check", "--diff", cwd=tmp_path)
    assert ran == (1, snapshot, snapshot)
    assert (tmp_path / "a.atl").read_text() == SECOND
    patched = subprocess.run(["patch", "-p0"], input=ran.out, cwd=tmp_path, text=True, capture_output=True)
    assert patched.returncode == 0
    assert (tmp_path / "a.atl").read_text().count("retries") == 1
    assert atl("check", "--diff", "--select", "ATL011", cwd=tmp_path) == (0, "", "")


def test_statistics(tmp_path: Path) -> None:
    write(tmp_path, a=SECOND, b=WRONG, c=WRONG.replace("Report", "Other"))
    ran = atl("check", "--statistics", cwd=tmp_path)
    assert (ran.code, ran.out.splitlines()) == (
        1,
        [
            "2  ATL408  error    scheduled-job-needs-arguments",
            "1  ATL011  error    duplicate-clause  (1 by --fix)",
            "1  ATL405  warning  heartbeat-not-below-timeout",
        ],
    )
    rules = json.loads(atl("check", "--statistics", "--format", "json", cwd=tmp_path).out)["rules"]
    assert [(rule["code"], rule["count"], rule["fixable"]) for rule in rules] == [
        ("ATL408", 2, 0),
        ("ATL011", 1, 1),
        ("ATL405", 1, 0),
    ]


def test_a_bad_configuration_is_one_line(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN)
    (tmp_path / "tide.yaml").write_text("caller: [\n")
    ran = atl("check", cwd=tmp_path)
    assert (ran.code, ran.out) == (2, "")
    assert ran.err.startswith("atl: tide.yaml:") and ran.err.count("\n") == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="permissions do not bind this user")
def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN, b=WRONG)
    (tmp_path / "a.atl").chmod(0)
    ran = atl("check", cwd=tmp_path)
    assert (ran.code, ran.err) == (2, "atl: a.atl: permission denied\n")
    assert "ATL408" in ran.out


@pytest.mark.skipif(os.name != "posix", reason="signals")
def test_watch(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN)
    watching = subprocess.Popen(
        [sys.executable, "-m", "atl", "check", "--watch", "--format", "text"],
        cwd=tmp_path,
        stdout=subprocess.PIPE,
        text=True,
        env=environment(tmp_path),
    )
    assert watching.stdout is not None
    try:
        assert watching.stdout.readline() == "nothing found in 1 file\n"
        write(tmp_path, a=WRONG)
        assert watching.stdout.readline().startswith("error[ATL408]")
        write(tmp_path, a=CLEAN)
        while (line := watching.stdout.readline()) != "nothing found in 1 file\n":
            assert line
        watching.send_signal(signal.SIGINT)
        assert watching.wait(30) == 0
    finally:
        watching.kill()
        watching.wait()


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals")
def test_on_a_terminal(tmp_path: Path) -> None:
    import pty

    write(tmp_path, a=WRONG.replace("text", "text" + " " * 100))
    near, far = pty.openpty()
    import fcntl
    import struct
    import termios

    fcntl.ioctl(far, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 60, 0, 0))
    env = {k: v for k, v in os.environ.items() if k != "NO_COLOR"} | {"TERM": "xterm", "PYTHONUTF8": "1"}
    running = subprocess.Popen([sys.executable, "-m", "atl", "check"], cwd=tmp_path, stdout=far, stderr=far, env=env)
    os.close(far)
    shown = b""
    while True:
        try:
            shown += (more := os.read(near, 65536))
        except OSError:
            break
        if not more:
            break
    assert running.wait(30) == 1
    assert b"\x1b[1;31merror[ATL408]" in shown
    assert "…".encode() in shown
