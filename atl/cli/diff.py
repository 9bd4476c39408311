"""Say what is between two schemas: what changed, what it costs, and the SQL that makes it.

OLD and NEW are each a git revision, a folder, an .atl file, schema JSON, or a database's address.

Exit code 0: additive; 1: backfill_required; 2: cross_caller_breaking; 4: destructive; 3: it could not be planned.
"""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from atl.cli import planning
from atl.cli.output import UsageError
from atl.cli.progress import Progress
from atl.workspace.sides import Side, judged, named_side, root_of

if TYPE_CHECKING:
    import argparse

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("sides", nargs="*", metavar="OLD NEW", help="what is compared")
    planning.options(parser)


def run(args: argparse.Namespace) -> int:
    if args.json_schema:
        return planning.print_json_schema()
    if len(args.sides) != 2:
        raise UsageError("name the old side and the new one: atl diff OLD NEW")
    root = root_of(os.getcwd())
    with Progress("planning"):
        new = _side(args.sides[1], root, True)
        with judged(new):
            old = _side(args.sides[0], root, False, new)
            plan = planning.plan_between(old, new)
    return planning.show(args, plan, old.label, new.label)


def _side(what: str, root: str, strict: bool, beside: Side | None = None) -> Side:
    from atl.migrate.database import is_address

    return planning.database_side(what)[0] if is_address(what) else named_side(what, root, strict, beside, aside=strict)
