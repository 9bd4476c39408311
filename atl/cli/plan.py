"""Say what changed since WHAT, what it costs, and the SQL that makes it.

WHAT is a git revision, a folder, an .atl file, schema JSON, or a database's address; without one it is the merge base
with the default branch, and outside of a repository what the database of `atl apply` was last brought to.

Exit code 0: additive; 1: backfill_required; 2: cross_caller_breaking; 4: destructive; 3: it could not be planned.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from atl.cli import planning
from atl.cli.output import UsageError
from atl.cli.progress import Progress
from atl.workspace.sides import Side, default_side, judged, named_side, path_side, root_of

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

    from atl.migrate.model import Parked

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="the workspace's folder (default: here)")
    parser.add_argument("--against", metavar="WHAT", help="what the workspace is compared with")
    parser.add_argument("--db", metavar="URL", help="the same for a database: what it was last brought to")
    planning.options(parser)


def run(args: argparse.Namespace) -> int:
    if args.json_schema:
        return planning.print_json_schema()
    if args.against is not None and args.db is not None:
        raise UsageError("--against and --db both say what to compare with: give one")
    root = root_of(args.path)
    with Progress("planning"):
        new = path_side(root, "the workspace", aside=True)
        with judged(new):
            old, parked = _old(args, root, new)
            plan = planning.plan_between(old, new, parked)
    return planning.show(args, plan, old.label, new.label)


def _old(args: argparse.Namespace, root: str, new: Side) -> tuple[Side, Sequence[Parked]]:
    from atl.cli.databases import VARIABLE, given
    from atl.migrate.database import is_address

    address = given(args.db) or (args.against if args.against is not None and is_address(args.against) else None)
    if address is not None:
        return planning.database_side(address)
    if args.against is not None:
        return named_side(args.against, root, beside=new), ()
    if (side := default_side(root, new)) is not None:
        return side, ()
    address = os.environ.get(VARIABLE)
    return planning.database_side(address) if address else planning.embedded_side(root)
