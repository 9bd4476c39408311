"""Compare what a database really holds with what the workspace declares: tables, columns, constraints, indexes, types.

PostgreSQL itself spells both sides, in a transaction that is rolled back. Exit code 0: no difference; 1: some; 3: it
could not be told.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.cli.databases import opened, options, tell_of_pending
from atl.cli.output import write, write_document

if TYPE_CHECKING:
    import argparse

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    options(parser)
    parser.add_argument(
        "--checkpoint", action="store_true", help="compare with what the last apply recorded, not with the workspace"
    )


def run(args: argparse.Namespace) -> int:
    from atl.migrate import checkpoint
    from atl.migrate.inspect import inspect
    from atl.workspace.sides import path_side, root_of

    schema = None if args.checkpoint else path_side(root_of(args.path), "the workspace").schema
    with opened(args) as connection:
        tell_of_pending(connection)
        found = inspect(connection, schema if schema is not None else checkpoint.read(connection).schema)
    if args.format == "json":
        from json import dumps

        write_document(dumps([difference._asdict() for difference in found], indent=2) + "\n")
    elif found:
        write("".join(f"{difference.text}\n" for difference in found))
    else:
        write("no difference\n")
    return 1 if found else 0
