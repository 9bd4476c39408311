"""Printing a report in the format asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.cli.output import note, write, write_document

if TYPE_CHECKING:
    from collections.abc import Sequence

    from atl.cli.asked import Arguments
    from atl.findings.resolved import ResolvedFinding
    from atl.workspace.checking import Report

__all__ = ["number", "print_report", "summary"]


def print_report(args: Arguments, report: Report, fixes: int = 0) -> int:
    """Print what was found; the exit code of `atl check`. fixes: how many were applied before."""
    findings = report.findings
    if args.statistics:
        from atl.cli.statistics import statistics

        write_document(statistics(findings, args.format))
    elif args.format == "text":
        _print_text(args, findings, report, fixes)
    elif args.format == "concise":
        from atl.findings.render_concise import render

        for line in render(findings):
            write(line)
    else:
        write_document(_document(args.format, findings, report.files))
    for path, reason in report.unreadable:
        note(f"atl: {path}: {reason}")
    if report.unreadable:
        return 2
    return 1 if any(f.severity != "hint" for f in findings) else 0


def _print_text(args: Arguments, findings: Sequence[ResolvedFinding], report: Report, fixes: int) -> None:
    if findings:
        from atl.cli.output import terminal
        from atl.findings.render_text import render

        for block in render(findings, report.text, terminal(args.color)):
            write(block)
    text = summary(findings, report.files, fixes)
    if report.hints and not args.hints:
        text += f"; --hints shows {number(report.hints, 'hint')}"
    write(f"{text}\n")


def _document(format: str, findings: Sequence[ResolvedFinding], files: int) -> str:
    if format == "json":
        from atl.findings import render_json

        return render_json.render(findings, files)
    if format == "sarif":
        from atl.check.registry import documentation
        from atl.findings import render_sarif

        return render_sarif.render(findings, documentation)
    if format == "github":
        from atl.findings import render_github

        return "".join(render_github.render(findings))
    if format == "gitlab":
        from atl.findings import render_gitlab

        return render_gitlab.render(findings)
    from atl.findings import render_junit

    return render_junit.render(findings)


def summary(findings: Sequence[ResolvedFinding], files: int, fixes: int = 0) -> str:
    """`2 errors, 1 warning in 12 files; --fix mends 1`."""
    if not files:
        return "no .atl file to check"
    counts = [(sum(f.severity == s for f in findings), s) for s in ("error", "warning", "hint")]
    found = ", ".join(number(count, severity) for count, severity in counts if count) or "nothing found"
    text = f"{found} in {number(files, 'file')}"
    if fixes:
        text = f"{number(fixes, 'fix', 'fixes')} applied; {text}"
    mendable = sum(any(fix.safe for fix in finding.fixes) for finding in findings)
    return f"{text}; --fix mends {mendable}" if mendable else text


def number(count: int, one: str, many: str = "") -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
