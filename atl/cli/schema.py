"""Print the resolved schema of a workspace: every default filled in, every name resolved, as canonical JSON."""

from __future__ import annotations

import argparse
import os

from atl.cli.output import note, write_document
from atl.cli.reporting import number
from atl.workspace.checking import check_paths
from atl.workspace.config import find_root
from atl.workspace.errors import WorkspaceError

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", nargs="?", default=".", metavar="PATH", help="the workspace's folder (default: here)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--json-schema", action="store_true", help="print the JSON Schema of the output instead")
    what.add_argument("--digest", action="store_true", help="print only the SHA-256 of the schema")


def run(args: argparse.Namespace) -> int:
    from atl.schema import canonical

    if args.json_schema:
        from json import dumps

        write_document(dumps(canonical.json_schema(), indent=2, ensure_ascii=False) + "\n")
        return 0
    from atl.workspace.live import Workspace

    root = _root(args.path)
    errors = sum(f.severity == "error" for f in check_paths([root]).findings)
    if errors:
        # What could not be read is missing in the schema: whoever compares it would take that for a removal.
        note(f"atl: {number(errors, 'error')} in this workspace: a schema needs all of it (see `atl check`)")
        return 1
    schema = Workspace(root).schema()
    write_document(f"{canonical.digest(schema)}\n" if args.digest else canonical.dump(schema))
    return 0


def _root(path: str) -> str:
    """The root of the workspace that a folder or file is in, absolute."""
    if not os.path.exists(path):
        raise WorkspaceError("no such file or folder", path)
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return find_root(folder) or folder
