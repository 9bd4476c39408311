"""Runs the command line as a process of its own, as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

CLEAN = 'job Nightly in sales {\n  schedule "0 3 * * *"\n}\n'
WRONG = 'job Report in sales {\n  args { region text not null }\n  schedule "0 3 * * *"\n}\n'


class Ran(NamedTuple):
    code: int
    out: str
    err: str


def environment(cwd: Path, **env: str) -> dict[str, str]:
    """This process's variables without those that colour, with a home and cache below a folder."""
    base = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "TERM")}
    return base | {
        "XDG_CACHE_HOME": str(cwd / ".cache"),
        "HOME": str(cwd),
        "PYTHONIOENCODING": "",
        "PYTHONUTF8": "1",
        **env,
    }


def atl(*words: str, cwd: Path, stdin: str | bytes = b"", **env: str) -> Ran:
    """`atl WORDS` in a folder."""
    done = subprocess.run(
        [sys.executable, "-m", "atl", *words],
        cwd=cwd,
        input=stdin.encode() if isinstance(stdin, str) else stdin,
        capture_output=True,
        env=environment(cwd, **env),
        timeout=120,
    )
    return Ran(done.returncode, done.stdout.decode("utf-8"), done.stderr.decode("utf-8"))


def write(folder: Path, **files: str) -> Path:
    """Write files by stem, `.atl` added; returns the folder."""
    for stem, text in files.items():
        (folder / f"{stem}.atl").write_text(text, encoding="utf-8", newline="")
    return folder
