"""Small workspaces and exactly what is said of each.

A case is a file or folder below `accept/` or `reject/`. Expectations stand in the files: `//~ ATL104` for findings that
start on its line, `//~^^ ATL612` for the line as many above as there are carets. Errors and warnings are compared as
sets of (file, line, code); hints are not.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
CASES = sorted(path for kind in ("accept", "reject") for path in (HERE / kind).iterdir() if path.name[0] != ".")
MARKER = re.compile(rb"//~(\^*)((?: +ATL[0-9]{3})+)[ \t\r]*$", re.MULTILINE)

Triple = tuple[str, int, str]


def expected(folder: Path) -> set[Triple]:
    found: set[Triple] = set()
    for path in folder.rglob("*.atl"):
        for number, line in enumerate(path.read_bytes().split(b"\n"), 1):
            if marker := MARKER.search(line):
                at = number - len(marker[1])
                found |= {(path.relative_to(folder).as_posix(), at, code.decode()) for code in marker[2].split()}
    return found


def reported(folder: Path) -> set[Triple]:
    command = [sys.executable, "-m", "atl", "check", "--no-cache", "--format", "json", "."]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=60, check=False)
    assert done.returncode in (0, 1), done.stderr.decode(errors="replace")
    findings = json.loads(done.stdout)["findings"]
    assert done.returncode == (1 if findings else 0)
    assert all(f["severity"] != "hint" for f in findings)
    return {(f["file"], f["line"], f["code"]) for f in findings}


@pytest.mark.parametrize("case", CASES, ids=lambda p: f"{p.parent.name}/{p.stem}")
def test_case(case: Path, tmp_path: Path) -> None:
    workspace = tmp_path / "case"
    if case.is_dir():
        shutil.copytree(case, workspace)
    else:
        workspace.mkdir()
        shutil.copy(case, workspace)
    wanted, got = expected(workspace), reported(workspace)
    assert got - wanted == set(), "unexpected"
    assert wanted - got == set(), "missing"
    assert (case.parent.name == "accept") == (not wanted), "a case stands in the wrong folder"
