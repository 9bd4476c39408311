"""`atl check --watch`: check again whenever something changes that can matter."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from atl.cli.asked import options_of
from atl.cli.output import UsageError, flush, note, shown, write
from atl.cli.reporting import print_report
from atl.workspace.checking import check_paths
from atl.workspace.errors import WorkspaceError
from atl.workspace.targets import targets

if TYPE_CHECKING:
    from atl.cli.asked import Arguments

__all__ = ["watch"]

_PAUSE = 0.3  # seconds between two looks


def watch(args: Arguments) -> int:
    """Check, wait for a change, check again, until interrupted."""
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
                note(f"atl: {shown(error)}")
            flush()
    except KeyboardInterrupt:
        return 0


def _state(paths: Sequence[str]) -> list[object]:
    """What a run over the paths depends on: configurations, and each file's size and times. One that is bad at the
    moment (a configuration half-written, a file renamed) is a state like any other."""
    state: list[object] = []
    try:
        for target in targets(paths, {}):
            state += [target, [(name, os.stat(name).st_mtime_ns) for name in target.listing.toml]]
    except (WorkspaceError, OSError) as error:
        state.append(str(error))
    return state
