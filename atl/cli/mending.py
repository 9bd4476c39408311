"""`atl check --fix`, `--unsafe-fixes` and `--diff`."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from atl.cli.diffing import unified_diff
from atl.cli.output import note, paint_for, write
from atl.cli.progress import Progress
from atl.cli.reporting import number, print_report
from atl.workspace.mending import Fixed, fix_paths, write_changes

if TYPE_CHECKING:
    from atl.cli.asked import Arguments
    from atl.workspace.checking import Options

__all__ = ["mend"]


def mend(args: Arguments, paths: list[str], options: Options) -> int:
    """Apply fixes, or show them, and print what is left; the exit code. With `--diff` what would change counts as
    found."""
    with Progress("checking"):
        fixed = fix_paths(paths, options, unsafe=args.unsafe_fixes)
    if args.diff:
        return _show(args, fixed)
    if args.stdin_filename is not None:
        return _pass_on(fixed, options)
    failed = write_changes(fixed.changes)
    code = print_report(args, fixed.report, len(fixed.fixes))
    for path, reason in failed:
        note(f"atl: {path}: {reason}")
    return 2 if failed else code


def _show(args: Arguments, fixed: Fixed) -> int:
    paint = paint_for(args.color)
    for change in fixed.changes:
        write(unified_diff(change.path, change.old, change.new, paint))
    if fixed.changes:
        note(f"would apply {number(len(fixed.fixes), 'fix', 'fixes')} in {number(len(fixed.changes), 'file')}")
    left = sum(f.severity != "hint" for f in fixed.report.findings)
    if left:
        note(f"{number(left, 'finding')} would be left")
    return 1 if fixed.changes or left else 0


def _pass_on(fixed: Fixed, options: Options) -> int:
    """Standard input, mended, to standard output; what is left goes beside it, one line each."""
    from atl.findings.render_concise import render

    text = fixed.changes[0].new if fixed.changes else next(iter(options.texts.values()))
    sys.stdout.buffer.write(text.encode("utf-8", "surrogateescape"))
    sys.stderr.writelines(render(fixed.report.findings))
    return 1 if any(f.severity != "hint" for f in fixed.report.findings) else 0
