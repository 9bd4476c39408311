"""Colours, encodings, progress, diffs, summaries."""

from __future__ import annotations

import io
import sys
import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.cli.diffing import unified_diff
from atl.cli.output import is_coloured
from atl.cli.progress import Progress
from atl.cli.reporting import summary
from atl.findings.render_paint import ASCII, BOX, COLOUR, PLAIN, frame_for
from tests.findings.making import examples


class Stream(io.StringIO):
    def __init__(self, terminal: bool) -> None:
        super().__init__()
        self.terminal = terminal

    def isatty(self) -> bool:
        return self.terminal


@pytest.mark.parametrize(
    ("choice", "terminal", "env", "coloured"),
    [
        ("auto", True, {}, True),
        ("auto", False, {}, False),
        ("auto", True, {"NO_COLOR": "1"}, False),
        ("auto", True, {"NO_COLOR": ""}, True),
        ("auto", True, {"TERM": "dumb"}, False),
        ("always", False, {"NO_COLOR": "1"}, True),
        ("never", True, {}, False),
    ],
)
def test_when_to_colour(
    choice: str, terminal: bool, env: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("NO_COLOR", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert is_coloured(choice, Stream(terminal)) is coloured


def test_the_frame_is_one_that_the_encoding_has() -> None:
    assert frame_for("utf-8") is BOX
    assert frame_for("ascii") is frame_for("latin-1") is frame_for("no such encoding") is ASCII


def test_progress(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Stream(True)
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress("checking"):
        pass
    assert stream.getvalue() == ""
    with Progress("checking"):
        time.sleep(1.3)
    assert stream.getvalue() == "\rchecking ... 1 s\r\x1b[K"
    monkeypatch.setattr(sys, "stderr", Stream(False))
    with pytest.raises(ValueError, match="x"), Progress("checking"):
        raise ValueError("x")


@pytest.mark.parametrize(
    ("severities", "files", "fixes", "text"),
    [
        ([], 0, 0, "no .atl file to check"),
        ([], 1, 0, "nothing found in 1 file"),
        ([], 2, 3, "3 fixes applied; nothing found in 2 files"),
        (["error"], 2, 0, "1 error in 2 files"),
        (["error", "error", "hint"], 2, 1, "1 fix applied; 2 errors, 1 hint in 2 files; --fix mends 1"),
    ],
)
def test_summary(severities: list[str], files: int, fixes: int, text: str) -> None:
    by_severity = {finding.severity: finding for finding in examples()}
    assert summary([by_severity[s] for s in severities], files, fixes) == text


LINES = st.lists(st.sampled_from(["a\n", "b\n", "\r\n", "\x0c\n", "c\u2028d\n", "e"]), max_size=8).map("".join)


def patched(old: str, diff: str) -> str:
    """`old` after a unified diff, by its definition."""
    lines, new, at = old.split("\n"), [], 0
    rows = diff.split("\n")[2:-1]
    for row, after in zip(rows, [*rows[1:], ""], strict=True):
        if row.startswith("@@"):
            start, _, count = row.split()[1][1:].partition(",")
            begin = int(start) - (count != "0")
            new += [f"{line}\n" for line in lines[at:begin]]
            at = begin
        elif row.startswith("\\"):
            continue
        else:
            text = row[1:] + ("" if after.startswith("\\") else "\n")
            if row[0] in "- ":
                assert old.startswith(text, sum(len(line) + 1 for line in lines[:at]))
                at += 1
            if row[0] in "+ ":
                new.append(text)
    rest = "\n".join(lines[at:])
    return "".join(new) + rest


@given(LINES, LINES)
def test_a_diff_is_exact(old: str, new: str) -> None:
    diff = unified_diff("a.atl", old, new, PLAIN)
    if old == new:
        assert diff == ""
    else:
        assert patched(old, diff) == new


def test_a_diff_in_colour() -> None:
    rows = unified_diff("a.atl", "a\nb\n", "a\nc\n", COLOUR).split("\n")
    assert rows[3:6] == [" a", "\x1b[31m-b\x1b[0m", "\x1b[32m+c\x1b[0m"]
