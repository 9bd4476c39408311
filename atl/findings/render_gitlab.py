"""A GitLab code quality report."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps

from atl.findings.render_machine import fingerprints, well_formed
from atl.findings.resolved import ResolvedFinding

__all__ = ["render"]

_SEVERITIES = {"error": "major", "warning": "minor", "hint": "info"}


def render(findings: Sequence[ResolvedFinding]) -> str:
    entries = [
        {
            "description": well_formed(f"{finding.code}: {finding.message}"),
            "check_name": finding.name,
            "fingerprint": fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {
                "path": well_formed(finding.place.path),
                "lines": {"begin": finding.place.line, "end": finding.place.end_line},
            },
        }
        for finding, fingerprint in zip(findings, fingerprints(findings), strict=True)
    ]
    return dumps(entries, ensure_ascii=False, indent=2) + "\n"
