"""What the commands on a database share: which one it is, and tables of text."""

from __future__ import annotations

import os
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from atl.cli.output import UsageError, note
from atl.workspace.sides import root_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from psycopg import Connection

__all__ = ["VARIABLE", "given", "opened", "options", "table", "tell_of_pending"]

VARIABLE = "ATL_DATABASE_URL"


def options(parser: argparse.ArgumentParser, formats: bool = True) -> None:
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="the workspace's folder (default: here)")
    parser.add_argument(
        "--db",
        metavar="URL",
        help=f"the database (default: what {VARIABLE} says, else the embedded one in the workspace's .atl/)",
    )
    if formats:
        parser.add_argument(
            "--format", choices=("text", "json"), default="text", help="what is printed (default: text)"
        )


def given(address: str | None) -> str | None:
    """What `--db` says. Raises UsageError when it is empty: a variable without a value must not mean another one."""
    if address is not None and not address.strip():
        raise UsageError("--db is empty: has the variable that it is taken from a value?")
    return address


@contextmanager
def opened(args: argparse.Namespace) -> Iterator[Connection[Any]]:
    """A connection to the database that is meant; the embedded one runs for so long. Raises MigrateError."""
    from atl.migrate import database

    if address := given(args.db) or os.environ.get(VARIABLE):
        with database.session(address) as connection:
            yield connection
        return
    from atl.migrate import embedded

    root = root_of(args.path)
    folder = os.path.normpath(os.path.join(os.path.relpath(root), ".atl"))
    note(f"atl: the embedded database in {folder} (--db names another)")
    with embedded.running(root) as address, database.session(address) as connection:
        yield connection


def tell_of_pending(connection: Connection[Any], what: str = "this database") -> None:
    """Say it when a plan was stopped halfway: what the database has now is neither of the two states. Or that it cannot
    be told. what: how the database is called."""
    from atl.migrate import checkpoint
    from atl.migrate.errors import MigrateError

    try:
        state = checkpoint.read(connection)
    except MigrateError as error:
        note(f"atl: {error.message}")
        return
    if state.pending is not None:
        note(
            f"atl: an apply of plan {state.pending.plan} to {what} has stopped halfway; `atl apply` finishes it first,"
            " `atl apply --back-out` takes it back"
        )


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows in columns as wide as they need, two blanks apart; the first row is the head."""
    from atl.findings.render_cells import one_line

    cells = [[one_line(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    return "".join(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() + "\n" for row in cells
    )
