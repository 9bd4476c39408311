"""The command line: `atl COMMAND ...`.

One thin module a command, imported when it is called; `commands.py` lists them. A module has `arguments(parser)`, which
declares its options, and `run(args)`, which returns the exit code.
"""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Sequence
from contextlib import suppress

__all__ = ["main", "program"]


def program() -> int:
    """`main` as a whole process: it ends where it stands. Taking apart trees and modules that go away anyway would take
    a tenth of the time of a check."""
    # Starting makes many objects and no garbage; a command that may go on for long has it enabled again.
    gc.disable()
    try:
        code = main()
    except SystemExit as end:  # from the parser of options, which has said why
        code = end.code if isinstance(end.code, int) else 2
    threading = sys.modules.get("threading")
    if threading is not None and threading.active_count() > 1:
        return code
    import atexit

    atexit._run_exitfuncs()
    with suppress(OSError, ValueError):
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; "could not run", said in one line on standard error, is 2 (of some
    commands 3, see `Command.trouble`)."""
    from atl.cli.output import UsageError, abandon, fail, flush, prepare, shown
    from atl.workspace.errors import WorkspaceError

    prepare()
    words = list(sys.argv[1:] if argv is None else argv)
    try:
        code = _run(words)
        flush()
        return code
    except UsageError as error:
        return fail(str(error), _trouble(words))
    except WorkspaceError as error:
        return fail(shown(error), _trouble(words))
    except BrokenPipeError:
        # Who reads the output has gone away (`atl check | head`): the shell's own code for it.
        abandon()
        return 141
    except OSError as error:
        # A full disk under the output, a current folder that has gone.
        abandon()
        said = f"{error.filename}: {error.strerror}" if error.filename else error.strerror or str(error)
        return fail(said, _trouble(words))
    except KeyboardInterrupt:
        return 130
    except Exception:
        from traceback import print_exc

        print_exc()
        return fail("this is a mistake in atl itself; please report it with what is above", _trouble(words))


def _trouble(words: Sequence[str]) -> int:
    from atl.cli.commands import COMMANDS

    return next((row.trouble for row in COMMANDS if words[:1] == [row.name]), 2)


def _run(argv: list[str]) -> int:
    name, rest = (argv[0], argv[1:]) if argv else ("", [])
    # These two go without argparse, whose import takes as long as what they do.
    if name == "check":
        from atl.cli import check

        if (args := check.quick(rest)) is not None:
            return check.run(args)
    if name in ("version", "--version", "-V") and not rest:
        from atl.cli import version

        return version.run()
    from atl.cli.parsing import dispatch

    return dispatch(name, rest)
