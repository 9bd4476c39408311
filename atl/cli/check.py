"""Find what the server or PostgreSQL would refuse, and what is very likely wrong.

A folder stands for its files; a file is checked within its workspace and reported alone; no PATH means the current
folder. Exit code 0: nothing found (hints do not count); 1: errors or warnings; 2: could not run.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.cli.asked import FORMATS, Arguments, options_of
from atl.cli.output import UsageError
from atl.workspace.checking import Options, check_paths

if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

__all__ = ["Arguments", "arguments", "quick", "run"]

_FLAGS = {"--hints": "hints", "--exit-zero": "exit_zero", "--no-cache": "no_cache", "--fix": "fix"}


def quick(words: Sequence[str]) -> Arguments | None:
    """The arguments of a plain command line, or None when it needs the real parser: importing that one takes as long
    as checking unchanged files."""
    args = Arguments()
    paths: list[str] = []
    rest = iter(words)
    for word in rest:
        if word in _FLAGS:
            setattr(args, _FLAGS[word], True)
        elif word == "--format" or word.startswith("--format="):
            name = word[len("--format=") :] if "=" in word else next(rest, "")
            if name not in FORMATS:
                return None
            args.format = name
        elif word.startswith("-"):
            return None
        else:
            paths.append(word)
    args.paths = paths
    return args


def arguments(parser: argparse.ArgumentParser) -> None:
    from atl.cli.output import colour_option

    parser.add_argument("paths", nargs="*", metavar="PATH", help="files and folders (default: the current folder)")
    parser.add_argument("--format", choices=FORMATS, default="text", help="what is printed (default: text)")
    parser.add_argument("--hints", action="store_true", help="show hints too")
    parser.add_argument("--fix", action="store_true", help="apply the fixes that need no thought")
    parser.add_argument("--unsafe-fixes", action="store_true", help="apply suggestions too; look at what they did")
    parser.add_argument("--diff", action="store_true", help="print what the fixes would change, and write nothing")
    parser.add_argument(
        "--select", action="append", default=[], metavar="CODES", help="only these: ATL408, ATL3, a rule's name"
    )
    parser.add_argument("--ignore", action="append", default=[], metavar="CODES", help="not these")
    parser.add_argument("--statistics", action="store_true", help="print how often each rule found something instead")
    parser.add_argument("--watch", action="store_true", help="check again whenever a file changes")
    parser.add_argument("--stdin-filename", metavar="PATH", help="check standard input as this file of its workspace")
    parser.add_argument("--exit-zero", action="store_true", help="exit with 0 whatever is found")
    parser.add_argument("--no-cache", action="store_true", help="neither read nor write the cache on disk")
    colour_option(parser)


def run(args: Arguments) -> int:
    if args.statistics and args.format not in ("text", "json"):
        raise UsageError("--statistics goes with --format text or json")
    if args.watch:
        from atl.cli.watching import watch

        return watch(args)
    code = _run(args)
    return 0 if args.exit_zero and code == 1 else code


def _run(args: Arguments) -> int:
    paths, options = list(args.paths), options_of(args)
    if args.stdin_filename is not None:
        if paths:
            raise UsageError("--stdin-filename stands for the one PATH")
        paths, options = [args.stdin_filename], _with_standard_input(args.stdin_filename, options)
    if args.fix or args.unsafe_fixes or args.diff:
        from atl.cli.mending import mend

        return mend(args, paths, options)
    from atl.cli.progress import Progress
    from atl.cli.reporting import print_report

    with Progress("checking"):
        report = check_paths(paths, options)
    return print_report(args, report)


def _with_standard_input(name: str, options: Options) -> Options:
    import os
    import sys

    from atl.source import decode

    text, _ = decode(sys.stdin.buffer.read())
    return options._replace(texts={os.path.abspath(name): text})
