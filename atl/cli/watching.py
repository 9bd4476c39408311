"""`atl check --watch`: check again whenever something changes that can matter."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from atl.cli.output import UsageError, flush, note, write
from atl.cli.reporting import print_report
from atl.workspace.checking import check_paths
from atl.workspace.config import find_root, read_config
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import list_files

if TYPE_CHECKING:
    from atl.cli.check import Arguments

__all__ = ["watch"]

_PAUSE = 0.3  # seconds between two looks


def watch(args: Arguments) -> int:
    """Check, wait for a change, check again, until interrupted."""
    from atl.cli.check import options_of

    if args.fix or args.unsafe_fixes or args.diff or args.stdin_filename is not None:
        raise UsageError("--watch goes with no option that changes files or reads standard input")
    options = options_of(args)
    seen: object = None
    try:
        while True:
            found = _state(args.paths)
            if found == seen:
                time.sleep(_PAUSE)
                continue
            seen = found
            if sys.stdout.isatty():
                write("\x1b[H\x1b[2J\x1b[3J")
            try:
                print_report(args, check_paths(args.paths, options))
            except WorkspaceError as error:
                note(f"atl: {error}")
            flush()
    except KeyboardInterrupt:
        return 0


def _state(paths: Sequence[str]) -> list[object]:
    """What a run over the paths depends on: configurations, and each file's size and times. A configuration that is
    bad at the moment (half-written) is a state like any other."""
    state: list[object] = []
    todo = [os.path.abspath(path) for path in paths or (".",)]
    for path in todo:
        folder = path if os.path.isdir(path) else os.path.dirname(path)
        try:
            config = read_config(find_root(folder) or folder)
            listing = list_files(config, [path])
        except WorkspaceError as error:
            state.append(str(error))
        else:
            todo.extend(listing.nested)
            state += [config, listing, [(name, os.stat(name).st_mtime_ns) for name in listing.toml]]
    return state
