"""The set-ups for Neovim that the docs give, run in the Neovims that are installed."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import lru_cache
from pathlib import Path

import pytest

HERE = Path(__file__).parent
DOCS = HERE.parents[1] / "docs" / "editors.md"
TEXT = """\
entity B in x { id bigint primary }
entity A in x {
  id bigint primary
  b bigint references x.Z.id

  // below: a name behind an emoji
  /* 😀 */ badName text
  index by badName
}
"""


@lru_cache(maxsize=1)
def neovims() -> dict[tuple[int, int], str]:
    """Versions, and the commands that start them."""
    found = {}
    for command in (shutil.which("nvim"), str(Path(sys.executable).with_name("nvim"))):
        if command is not None and Path(command).exists():
            said = subprocess.run(
                [command, "--version"], capture_output=True, text=True, timeout=60, check=False
            ).stdout
            if version := re.match(r"NVIM v(\d+)\.(\d+)", said):
                found[int(version[1]), int(version[2])] = command
    return found


def setup(name: str) -> str:
    """A set-up in Lua from the docs."""
    found = re.search(rf"<!-- test: {re.escape(name)} -->\n```lua\n(.*?)```", DOCS.read_text(), re.DOTALL)
    assert found is not None
    return found[1]


@pytest.mark.parametrize(
    ("name", "lowest", "highest"), [("neovim-0.7", (0, 7), (0, 10)), ("neovim-0.11", (0, 11), (9, 0))]
)
def test_findings_completion_rename(
    name: str, lowest: tuple[int, int], highest: tuple[int, int], tmp_path: Path
) -> None:
    command = next((neovims()[version] for version in neovims() if lowest <= version <= highest), None)
    if command is None:
        pytest.skip(f"no Neovim from {lowest} to {highest} is installed")
    (tmp_path / "tide.yaml").write_text("caller: x\n")
    (tmp_path / "a.atl").write_text(TEXT, encoding="utf-8")
    init = tmp_path / "init.lua"
    init.write_text(f"{setup(name)}\n{(HERE / 'neovim.lua').read_text()}", encoding="utf-8")
    out = tmp_path / "out.json"
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}",
        "ATL_TEST_OUT": str(out),
        "HOME": str(tmp_path),
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "XDG_DATA_HOME": str(tmp_path / "data"),
    }
    done = subprocess.run(
        [command, "--headless", "-n", "-u", str(init), "a.atl"],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert out.exists(), done.stderr
    found = json.loads(out.read_text())
    assert found.get("problem") is None, (found, done.stderr)
    places = {each["code"]: (each["line"], each["column"], each["stop"]) for each in found["findings"]}
    assert places["ATL103"] == (3, 24, 25)
    # Neovim counts bytes, whatever the two have agreed on.
    assert places["ATL108"] == (6, 13, 20)
    assert {"A", "B"} <= set(found["completions"])
    assert found["text"][6:8] == ["  /* 😀 */ good_name text", "  index by good_name"]
    assert found["encoding"] == ("utf-8" if name == "neovim-0.11" else "utf-16")
