"""One line a finding: `path:line:column: error[ATL105] message`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from atl.findings.render_cells import one_line
from atl.findings.resolved import ResolvedFinding

__all__ = ["render"]


def render(findings: Iterable[ResolvedFinding]) -> Iterator[str]:
    for finding in findings:
        place = finding.place
        where = f"{one_line(place.path)}:{place.line}:{place.column}"
        yield f"{where}: {finding.severity}[{finding.code}] {one_line(finding.message)}\n"
