"""`atl check --statistics`: how often each rule found something."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps

from atl.findings.resolved import ResolvedFinding

__all__ = ["statistics"]


def statistics(findings: Sequence[ResolvedFinding], format: str) -> str:
    """A table, the most frequent first, or `{"version": 1, "rules": [{"code", "name", "severity", "count",
    "fixable"}]}`. fixable: how many of them `--fix` mends. A rule with two severities has two rows."""
    counts: dict[tuple[str, str, str], list[int]] = {}
    for finding in findings:
        count = counts.setdefault((finding.code, finding.name, finding.severity), [0, 0])
        count[0] += 1
        count[1] += any(fix.safe for fix in finding.fixes)
    rows = sorted(counts.items(), key=lambda row: (-row[1][0], row[0]))
    if format == "json":
        rules = [
            {"code": code, "name": name, "severity": severity, "count": count, "fixable": fixable}
            for (code, name, severity), (count, fixable) in rows
        ]
        return dumps({"version": 1, "rules": rules}, indent=2) + "\n"
    width = max((len(str(count)) for _, (count, _) in rows), default=0)
    return "".join(
        f"{count:>{width}}  {code}  {severity:<7}  {name}{f'  ({fixable} by --fix)' if fixable else ''}\n"
        for (code, name, severity), (count, fixable) in rows
    )
