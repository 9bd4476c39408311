"""The editor, `atl check` and `atl check` with its cache say the same."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from atl_lsp.uris import path_of

from atl.findings.resolved import ResolvedFinding
from atl.workspace.checking import Options, check_paths
from tests.conformance.test_conformance import CASES
from tests.lsp.client import everything
from tests.lsp.inside import Inside
from tests.workspace import making

_SEVERITY = {"error": 1, "warning": 2, "hint": 4}

Row = tuple[str, str, int, str, tuple[int, ...]]


def by_check(findings: Iterable[ResolvedFinding], absolute: Any, lone: set[str]) -> list[Row]:
    rows = []
    for finding in findings:
        place = finding.place
        message = f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message
        path = absolute[place.path]
        where = (place.line - 1, place.column - 1, place.end_line - 1, place.end_column - 1)
        rows.append((path, finding.code, _SEVERITY[finding.severity], message, () if path in lone else where))
    return sorted(rows)


def by_editor(found: dict[str, list[Any]], lone: set[str]) -> list[Row]:
    rows = []
    for uri, items in found.items():
        path = path_of(uri)
        assert path is not None
        for item in items:
            start, end = item["range"]["start"], item["range"]["end"]
            where = (start["line"], start["character"], end["line"], end["character"])
            place = () if path in lone else where
            rows.append((path, item["code"], item["severity"], item["message"], place))
    return sorted(rows)


def with_other_lines(folder: Path) -> set[str]:
    """Files in which the protocol counts other lines, or ends a line before its line end."""
    odd = re.compile(rb"\r")
    return {str(path) for path in folder.rglob("*.atl") if odd.search(path.read_bytes())}


def checked(folder: Path, cache: bool, lone: set[str]) -> list[Row]:
    report = check_paths([str(folder)], Options(cache=cache, workers=1))
    return by_check(report.findings, report.absolute, lone)


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.mark.parametrize("case", CASES, ids=lambda path: f"{path.parent.name}/{path.stem}")
def test_conformance_cases(case: Path, tmp_path: Path) -> None:
    folder = tmp_path / "case"
    if case.is_dir():
        shutil.copytree(case, folder)
    else:
        folder.mkdir()
        shutil.copy(case, folder)
    lone = with_other_lines(folder)
    editor = Inside(folder, capabilities=everything("utf-32"))
    assert by_editor(editor.everywhere(), lone) == checked(folder, False, lone)


@pytest.mark.usefixtures("own_cache")
@pytest.mark.parametrize("seed", range(6))
def test_whatever_was_edited(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    folder = tmp_path / "w"
    names = ["a.atl", "x/c.atl", ".tide-cache/schema/a.atl", ".tide-cache/schema/o.atl"]
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(some(random))
    editor = Inside(folder, capabilities=everything("utf-32"))
    now: dict[str, str] = {}
    for _ in range(40):
        name = random.choice(names)
        path = folder / name
        uri = path.as_uri()
        match random.randrange(5):
            case 0 if name in now:
                editor.close(uri)
                path.write_text(now.pop(name))
                editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 2}]})
            case 1 if name not in now:
                path.write_text(some(random))
                editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 1}]})
            case _:
                if name not in now:
                    now[name] = path.read_text()
                    editor.open(uri, now[name])
                lines = now[name].split("\n")
                line = random.randrange(len(lines))
                column = random.randrange(len(lines[line]) + 1)
                new = random.choice(["", " ", "{", "}", "Order", "é", "//", '"', some(random)])
                start = {"line": line, "character": column}
                editor.change(uri, new, {"start": start, "end": {"line": line, "character": column + 2}})
                lines[line] = lines[line][:column] + new + lines[line][column + 2 :]
                now[name] = "\n".join(lines)
        if random.random() < 0.3:
            found = by_editor(editor.everywhere(), set())
            texts = {str(folder / name): text for name, text in now.items()}
            for full, text in texts.items():
                Path(full).write_text(text)
            assert found == checked(folder, False, set())
            assert found == checked(folder, True, set())
    editor.sent()
    assert editor.logged == []


def some(random: Random) -> str:
    made = []
    for _ in range(random.randrange(4)):
        names = [random.choice(making.NAMESPACES), random.choice(making.NAMESPACES)]
        names += [random.choice(making.NAMES), random.choice(making.NAMES)]
        made.append(making._filled(random.choice(making._PIECES), *names))
    return "".join(made)
