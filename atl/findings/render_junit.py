"""A JUnit report: a suite for each file with findings, a failed case for each finding."""

from __future__ import annotations

import re
from collections.abc import Sequence

from atl.findings.render_machine import well_formed
from atl.findings.resolved import ResolvedFinding

__all__ = ["render"]

# What XML 1.0 cannot hold, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(findings: Sequence[ResolvedFinding]) -> str:
    """An XML document. Without findings it has one case, which passes: some readers take an empty report for a
    failure."""
    files: dict[str, list[ResolvedFinding]] = {}
    for finding in findings:
        files.setdefault(finding.place.path, []).append(finding)
    rows = ['<?xml version="1.0" encoding="UTF-8"?>']
    count = len(findings)
    rows.append(f'<testsuites name="atl check" tests="{max(1, count)}" failures="{count}" errors="0">')
    if not findings:
        rows.append('  <testsuite name="atl check" tests="1" failures="0" errors="0">')
        rows.append('    <testcase classname="atl" name="check"/>')
        rows.append("  </testsuite>")
    for path, found in files.items():
        name = _attribute(path)
        rows.append(f'  <testsuite name="{name}" tests="{len(found)}" failures="{len(found)}" errors="0">')
        for finding in found:
            place = finding.place
            title = _attribute(f"{finding.code} {finding.name} {place.line}:{place.column}")
            rows.append(f'    <testcase classname="{name}" name="{title}" file="{name}" line="{place.line}">')
            body = f"{path}:{place.line}:{place.column}: {finding.message}"
            if finding.help:
                body += f"\nhelp: {finding.help}"
            kind, message = finding.severity, _attribute(finding.message)
            rows.append(f'      <failure type="{kind}" message="{message}">{_text(body)}</failure>')
            rows.append("    </testcase>")
        rows.append("  </testsuite>")
    rows.append("</testsuites>")
    return "\n".join(rows) + "\n"


def _text(text: str) -> str:
    text = _FORBIDDEN.sub("\ufffd", well_formed(text))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace("\r", "&#13;")


def _attribute(text: str) -> str:
    text = _text(text).replace('"', "&quot;")
    return text.replace("\t", "&#9;").replace("\n", "&#10;")
