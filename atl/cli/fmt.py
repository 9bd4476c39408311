"""Lay files out in the one standard form. It changes white space and nothing else.

A folder stands for its files. Without PATH, what is piped in is formatted to standard output, as with `-`; from a
terminal it is the current folder. A declaration with a syntax error stays as it is. Exit code 0: done; 1: with --check
or --diff, something would change; 2: could not run.
"""

from __future__ import annotations

import os
import stat
import sys
from typing import TYPE_CHECKING

from atl.cli.output import UsageError, colour_option, note, paint_for, write
from atl.cli.reporting import number

if TYPE_CHECKING:
    import argparse

    from atl.source import SourceFile

__all__ = ["arguments", "run"]


def arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders; - for standard input")
    how = parser.add_mutually_exclusive_group()
    how.add_argument("--check", action="store_true", help="write nothing; say which files would change")
    how.add_argument("--diff", action="store_true", help="write nothing; print what would change")
    colour_option(parser)


def run(args: argparse.Namespace) -> int:
    if "-" in args.paths or not args.paths:
        if len(args.paths) > 1:
            raise UsageError("`-` stands for the one PATH")
        data = sys.stdin.buffer.read() if args.paths or _is_fed() else b""
        # An empty pipe is what a job without a terminal has for standard input: then it is the folder, too.
        if data or args.paths:
            return _format_input(args, data)
    return _format_files(args)


def _is_fed() -> bool:
    """Whether standard input is a pipe or a file, not a terminal or the null device."""
    try:
        mode = os.fstat(sys.stdin.fileno()).st_mode
    except (AttributeError, OSError, ValueError):
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)


def _formatted(file: SourceFile) -> tuple[str, int]:
    """The formatted text, and how many declarations stay as they are for a syntax error."""
    from atl.findings import CODES, Severity
    from atl.format.document import format_tree
    from atl.syntax.parser import parse

    tree = parse(file)
    left = sum(any(CODES[raw.code].severity is Severity.ERROR for raw in unit.chunk.raw) for unit in tree.units)
    return format_tree(tree), left


def _format_input(args: argparse.Namespace, data: bytes) -> int:
    from atl.source import SourceFile

    file = SourceFile.from_bytes("-", data)
    text, left = _formatted(file)
    if args.diff:
        _print_diff(args, "-", file.text, text)
    elif not args.check:
        sys.stdout.buffer.write(_bytes(text))
    _say_left("standard input", left)
    return 1 if (args.check or args.diff) and _bytes(text) != data else 0


def _format_files(args: argparse.Namespace) -> int:
    from atl.source import SourceFile
    from atl.workspace.files import read_bytes, reason
    from atl.workspace.mending import replace_bytes

    dry = args.check or args.diff
    changed = failed = 0
    files = _files(args.paths)
    for path, full, writable in files:
        try:
            data = read_bytes(full)
            file = SourceFile.from_bytes(path, data)
            text, left = _formatted(file)
            new = _bytes(text)
            if new != data:
                if not writable and not dry:
                    raise OSError(0, "a link leads out of the workspace, where nothing is written")
                changed += 1
                if args.diff:
                    _print_diff(args, path, file.text, text)
                else:
                    if not dry:
                        replace_bytes(full, new)
                    write(f"{'would format' if dry else 'formatted'} {path}\n")
            _say_left(path, left)
        except OSError as error:
            failed += 1
            note(f"atl: {path}: {reason(error)}")
    if not args.diff:
        rest = len(files) - changed - failed
        write(f"{number(changed, 'file')} {'would change' if dry else 'changed'}, {rest} in form\n")
    return 2 if failed else 1 if dry and changed else 0


def _files(paths: list[str]) -> list[tuple[str, str, bool]]:
    """(path to show, absolute path, whether it may be written) of what `atl check` would report on, sorted."""
    from atl.workspace.files import relative_path
    from atl.workspace.targets import targets

    here = os.getcwd()
    found: list[tuple[str, str, bool]] = []
    for target in targets(paths, {}):
        writable = {entry.path for entry in target.writable()}
        found += [(relative_path(e.full, here), e.full, e.path in writable) for e in target.reported()]
    return sorted(found)


def _say_left(path: str, left: int) -> None:
    if left:
        note(f"atl: {path}: {number(left, 'declaration')} left as written for a syntax error (see `atl check`)")


def _print_diff(args: argparse.Namespace, path: str, old: str, new: str) -> None:
    from atl.cli.diffing import unified_diff

    write(unified_diff(path, old, new, paint_for(args.color)))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
