"""Databases of one test each, and `atl` run on them as a process that may be killed."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

__all__ = ["Applied", "Subject", "address", "subject"]


class Applied(NamedTuple):
    """code: -9 when it was killed. said: standard output and standard error."""

    code: int
    said: str


@pytest.fixture
def address(server: str) -> Iterator[str]:
    """A connection string of a database of the test's own."""
    import psycopg

    name = f"t{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"'.encode())
        try:
            yield server.replace("dbname=postgres", f"dbname={name}")
        finally:
            connection.execute(f'DROP DATABASE "{name}" WITH (FORCE)'.encode())


_NUMBERS = iter(range(1 << 30))


class Subject:
    """A workspace of one file and a database."""

    def __init__(self, folder: Path, address: str) -> None:
        self.folder = folder
        self.address = address

    def write(self, text: str) -> None:
        (self.folder / "a.atl").write_text(text, "utf-8")

    def atl(self, command: str, *words: str, fault: str = "", batch: int = 0) -> Applied:
        """`atl COMMAND --db ... WORDS` in a process of its own; fault: see `atl.migrate.faults`."""
        return self.wait(self.start(command, *words, fault=fault, batch=batch))

    def start(self, command: str, *words: str, fault: str = "", batch: int = 0) -> tuple[int, Any]:
        said = tempfile.TemporaryFile()  # noqa: SIM115
        sys.stdout.flush()
        sys.stderr.flush()
        child = os.fork()  # far cheaper than a new interpreter
        if child:
            return child, said
        code = 99
        try:
            os.dup2(said.fileno(), 1)
            os.dup2(said.fileno(), 2)
            sys.stdout = os.fdopen(1, "w", encoding="utf-8")
            sys.stderr = os.fdopen(2, "w", encoding="utf-8")
            os.environ["ATL_BATCH"] = str(batch or "")
            os.environ["XDG_CACHE_HOME"] = str(self.folder / ".cache")
            from atl.cli import main
            from atl.migrate import faults

            faults._WISH = fault
            code = main([command, *words, "--db", self.address, str(self.folder)])
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)

    def wait(self, started: tuple[int, Any]) -> Applied:
        child, said = started
        _, status = os.waitpid(child, 0)
        said.seek(0)
        text = said.read().decode("utf-8")
        said.close()
        return Applied(os.waitstatus_to_exitcode(status), text)

    def sql(self, *statements: str) -> list[tuple[Any, ...]]:
        """Run statements; the rows of the last one."""
        import psycopg

        with psycopg.connect(self.address, autocommit=True) as connection:
            for statement in statements:
                cursor = connection.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []


@pytest.fixture
def subject(tmp_path: Path, address: str) -> Subject:
    return Subject(tmp_path, address)
