"""Writing to the two streams: encodings, colours, and the one line that says why a command could not run."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING, TextIO

if TYPE_CHECKING:
    import argparse

    from atl.findings.render_paint import Paint
    from atl.findings.render_text import Terminal
    from atl.workspace.errors import WorkspaceError

__all__ = [
    "UsageError",
    "abandon",
    "colour_option",
    "fail",
    "flush",
    "is_coloured",
    "note",
    "paint_for",
    "prepare",
    "shown",
    "terminal",
    "write",
    "write_document",
]


class UsageError(Exception):
    """The command cannot be run as it was written; the text is one line for the user."""


def prepare() -> None:
    """What a stream's encoding cannot hold is written with backslashes instead of ending the program; a stream that
    was closed takes everything and shows nothing."""
    sys.stdout = sys.stdout or _nowhere()
    sys.stderr = sys.stderr or _nowhere()
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _nowhere() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")


def flush() -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.flush()


def abandon() -> None:
    """Send what is still to be written nowhere, so that the interpreter's end does not fail on it."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())


def write(text: str) -> None:
    """Text for people, in the terminal's encoding."""
    sys.stdout.write(text)


def write_document(text: str) -> None:
    """A document for programs: UTF-8 and LF, whatever the locale."""
    if hasattr(sys.stdout, "reconfigure"):
        sys.stdout.reconfigure(encoding="utf-8", newline="\n")
    sys.stdout.write(text)


def note(text: str) -> None:
    """A line beside the output, on standard error."""
    from atl.findings.render_cells import one_line

    sys.stderr.write(f"{one_line(text)}\n")


def fail(text: str, code: int = 2) -> int:
    """Say why the command could not run; the exit code for it."""
    note(f"atl: {text}")
    return code


def shown(error: WorkspaceError) -> str:
    """The error with its path as findings have theirs, relative to the current folder."""
    if not error.path:
        return error.message
    from atl.workspace.files import relative_path

    path = relative_path(error.path, os.getcwd()) if os.path.isabs(error.path) else error.path
    return f"{path}:{error.line}: {error.message}" if error.line else f"{path}: {error.message}"


def colour_option(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--color", choices=("auto", "always", "never"), default="auto", help="colours (auto: on a terminal)"
    )


def is_coloured(choice: str, stream: TextIO | None = None) -> bool:
    """Whether to colour a stream (standard output when None) under `--color`, NO_COLOR and TERM."""
    if choice != "auto":
        return choice == "always"
    stream = stream or sys.stdout
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb" or not stream.isatty():
        return False
    if sys.platform == "win32":
        os.system("")  # makes the console understand colour codes
    return True


def paint_for(choice: str) -> Paint:
    from atl.findings.render_paint import COLOUR, PLAIN

    return COLOUR if is_coloured(choice) else PLAIN


def terminal(choice: str) -> Terminal:
    """What standard output can show. Lines of a file or pipe are cut at the fixed default, so that they do not depend
    on who runs the command."""
    from atl.findings.render_text import Terminal

    encoding = sys.stdout.encoding or "utf-8"
    if not sys.stdout.isatty():
        return Terminal(colour=is_coloured(choice), encoding=encoding)
    columns = os.get_terminal_size(sys.stdout.fileno()).columns
    return Terminal(is_coloured(choice), columns or Terminal().columns, encoding)
