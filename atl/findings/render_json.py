"""The tool's own JSON: one object with every finding, its labels and fixes."""

from __future__ import annotations

from collections.abc import Sequence
from json import dumps
from typing import Any

from atl.findings.pages import url
from atl.findings.render_machine import fixes, well_formed
from atl.findings.resolved import ResolvedFinding, ResolvedPlace

__all__ = ["render"]


def render(findings: Sequence[ResolvedFinding], files: int) -> str:
    """A JSON document, a finding a line. files: how many files were checked."""
    severities = [finding.severity for finding in findings]
    summary = {
        "files": files,
        "errors": severities.count("error"),
        "warnings": severities.count("warning"),
        "hints": severities.count("hint"),
    }
    listed = ",\n".join(dumps(_finding(finding), ensure_ascii=False) for finding in findings)
    listed = f"[\n{listed}\n]" if listed else "[]"
    return f'{{"version": 1, "findings": {listed}, "summary": {dumps(summary)}}}\n'


def _finding(finding: ResolvedFinding) -> dict[str, Any]:
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": finding.severity,
        "message": well_formed(finding.message),
        **_place(finding.place),
        "help": well_formed(finding.help),
        "url": url(finding.code),
        "labels": [{**_place(place), "message": well_formed(message)} for place, message in finding.labels],
        "fixes": [
            {
                "title": well_formed(fix.title),
                "safe": fix.safe,
                "edits": [{**_place(place), "new_text": new_text} for place, new_text in fix.edits],
            }
            for fix in fixes(finding)
        ],
    }


def _place(place: ResolvedPlace) -> dict[str, Any]:
    return {
        "file": well_formed(place.path),
        "line": place.line,
        "column": place.column,
        "end_line": place.end_line,
        "end_column": place.end_column,
    }
