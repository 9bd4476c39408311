"""What an apply costs on a real server, beside its SQL run by hand with psycopg; and a backfill beside a loop by hand.

The server has no durability, so that what is compared is not the disk. Each run has a database of its own.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING, Any

from bench import table
from bench.measure import Job, Usage, middle, run_once
from bench.workspace import declarations, write_workspace

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["rows"]

_ROUNDS = 3
# A transaction that makes a thousand tables holds more locks than so small a server has room for.
_SETTINGS = "-c max_locks_per_transaction=1024"
_FILES = 600  # of 1,000 tables
_ROWS = 300_000
_BATCH = 10_000

_BEFORE = "entity Reading in bench {\n  id    bigint primary identity\n  title text not null\n}\n"
_AFTER = _BEFORE.replace("}\n", '  size  int not null backfill "length(title)"\n}\n')


def rows(folder: Path, atl: Sequence[str]) -> list[table.Row]:
    names = ("apply of 1,000 new tables", f"backfill of {_ROWS:,} rows")
    try:
        with _server() as address:
            return [_tables(names[0], folder, atl, address), _backfill(names[1], folder, atl, address)]
    except LookupError as problem:
        return [table.Row(name, "", verdict=f"no server: {problem}") for name in names]


@contextmanager
def _server() -> Iterator[str]:
    """Raises LookupError where none can be started."""
    from tests.server import Unavailable, binaries, running

    found = binaries()
    if not found:
        raise LookupError("no PostgreSQL binaries found")
    try:
        with running(found[0], _SETTINGS) as address:
            yield address
    except Unavailable as problem:
        raise LookupError(str(problem)) from problem


_NUMBERS = count(1)


@contextmanager
def _fresh(server: str, like: str = "template1") -> Iterator[str]:
    name = f"bench_{next(_NUMBERS)}"
    with _connected(server) as connection:
        connection.execute(f"CREATE DATABASE {name} TEMPLATE {like}".encode())
        yield server.replace("dbname=postgres", f"dbname={name}")
        connection.execute(f"DROP DATABASE {name}".encode())


def _connected(address: str) -> Connection[tuple[Any, ...]]:
    import psycopg

    return psycopg.connect(address, autocommit=True)


def _taken(run: Callable[[str], Usage | None], server: str, like: str = "template1") -> Usage:
    """Of a database of its own; the wall time where `run` gives none."""
    with _fresh(server, like) as address:
        started = time.perf_counter()
        return run(address) or Usage(time.perf_counter() - started, 0, 0)


def _compared(
    ours: Callable[[str], Usage], theirs: Callable[[str], None], server: str, like: str = "template1"
) -> tuple[Usage, Usage]:
    pairs = [(_taken(ours, server, like), _taken(theirs, server, like)) for _ in range(_ROUNDS)]
    return middle([pair[0] for pair in pairs]), Usage(median(pair[1].seconds for pair in pairs), 0, 0)


def _tables(name: str, folder: Path, atl: Sequence[str], server: str) -> table.Row:
    from atl.diff import diff
    from atl.migrate.plan import make_plan
    from atl.schema.model import Schema
    from atl.workspace.sides import path_side

    work = folder / "tables"
    write_workspace(work, declarations(_FILES))
    plan = make_plan(diff(Schema(), path_side(str(work), "new").schema))
    stages = [[statement.sql.encode() for statement in stage.statements] for stage in plan.stages]

    def by_hand(address: str) -> None:
        with _connected(address) as connection:
            for stage in stages:
                with connection.transaction():
                    for sql in stage:
                        connection.execute(sql)

    def ours(address: str) -> Usage:
        return run_once(Job(name, [*atl, "apply", "--db", address], work))

    usage, other = _compared(ours, by_hand, server)
    return table.compared(name, usage, "its statements with psycopg", other, None)


def _backfill(name: str, folder: Path, atl: Sequence[str], server: str) -> table.Row:
    work = folder / "backfill"

    def ours(address: str) -> Usage:
        return run_once(Job(name, [*atl, "apply", "--backfill", "--db", address], work))

    with _fresh(server) as address:
        write_workspace(work, {"reading.atl": _BEFORE})
        ours(address)
        write_workspace(work, {"reading.atl": _AFTER})
        with _connected(address) as connection:
            fill = "INSERT INTO atlantis.bench_reading (title) SELECT 'reading ' || n FROM generate_series(1, %s) n"
            connection.execute(fill, (_ROWS,))
            connection.execute("VACUUM ANALYZE atlantis.bench_reading")
        usage, other = _compared(ours, _filled_by_hand, server, address.rpartition("dbname=")[2])
    beside = f"a loop with psycopg at {_ROWS / other.seconds:,.0f} rows/s"
    return table.compared(f"{name}: {_ROWS / usage.seconds:,.0f} rows/s", usage, beside, other, None)


def _filled_by_hand(address: str) -> None:
    """As somebody would write it who knows how long a statement may lock, and that nobody else writes."""
    update = "UPDATE atlantis.bench_reading SET size = length(title) WHERE id > %s AND id <= %s AND size IS NULL"
    with _connected(address) as connection:
        connection.execute("ALTER TABLE atlantis.bench_reading ADD COLUMN size int")
        for start in range(0, _ROWS, _BATCH):
            connection.execute(update, (start, start + _BATCH))
        connection.execute("ALTER TABLE atlantis.bench_reading ALTER COLUMN size SET NOT NULL")
