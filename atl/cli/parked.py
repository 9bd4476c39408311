"""List the columns, tables and enums that were taken out of the schema and are kept: putting the declaration back
within their time brings them back with their rows. `atl apply --reap` drops those past it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.cli.databases import opened, options, table
from atl.cli.output import write, write_document

if TYPE_CHECKING:
    import argparse

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    options(parser)


def run(args: argparse.Namespace) -> int:
    from atl.migrate import parking

    with opened(args) as connection:
        kept = parking.everything(connection)
    if args.format == "json":
        from json import dumps

        found = [
            {
                "kind": each.parked.kind,
                "id": each.parked.id,
                "member": each.parked.member or None,
                "schema": each.parked.at[0],
                "table": each.parked.at[1],
                "column": each.parked.name or None,
                "plan": each.plan,
                "parked": each.at,
                "until": each.until,
                "due": each.due,
            }
            for each in kept
        ]
        write_document(dumps(found, indent=2) + "\n")
        return 0
    if not kept:
        write("nothing is parked\n")
        return 0
    rows = [("kind", "what", "where it is", "parked", "kept until")]
    for each in kept:
        what = f"{each.parked.id}.{each.parked.member}".rstrip(".")
        where = ".".join((*each.parked.at, each.parked.name)).rstrip(".")
        until = f"{each.until[:10]}{' (past)' * each.due}"
        rows.append((each.parked.kind, what, where, each.at[:10], until))
    write(table(rows))
    return 0
