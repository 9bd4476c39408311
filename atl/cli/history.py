"""List what was done to a database, oldest first: who applied which plan, stage by stage."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.cli.databases import opened, options, table, tell_of_pending
from atl.cli.output import write, write_document

if TYPE_CHECKING:
    import argparse

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    options(parser)
    parser.add_argument("--stages", action="store_true", help="each stage of a plan too")


def run(args: argparse.Namespace) -> int:
    from atl.migrate import checkpoint

    with opened(args) as connection:
        events = checkpoint.history(connection)
        tell_of_pending(connection)
    if args.format == "json":
        from json import dumps

        write_document(dumps([event._asdict() for event in events], indent=2) + "\n")
        return 0
    shown = [event for event in events if args.stages or event.event != "stage"]
    if not shown:
        write("nothing has been applied\n")
        return 0
    rows = [("when", "who", "what", "plan", "from", "to")]
    for event in shown:
        what = f"{event.event} {event.stage} of {event.stages}" if event.event == "stage" else event.event
        what += f" ({event.note})" if event.note else ""
        rows.append((event.at, event.by, what, event.plan or "-", event.from_digest[:12], event.to_digest[:12]))
    write(table(rows))
    return 0
