"""Workflow commands that GitHub Actions turns into annotations, one a line.

Data and properties are escaped as the runner's own toolkit does it: `%`, CR and LF in both, `:` and `,` in properties.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from atl.findings.render_machine import well_formed
from atl.findings.resolved import ResolvedFinding

__all__ = ["render"]

# A log is shown in a terminal, too.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]")
_COMMANDS = {"error": "error", "warning": "warning", "hint": "notice"}


def render(findings: Iterable[ResolvedFinding]) -> Iterator[str]:
    for finding in findings:
        place = finding.place
        properties = [f"file={_property(place.path)}", f"line={place.line}"]
        if place.end_line == place.line:
            # An annotation has columns only within one line, and its end is inclusive.
            properties += [f"col={place.column}", f"endColumn={max(place.column, place.end_column - 1)}"]
        else:
            properties.append(f"endLine={place.end_line}")
        properties.append(f"title={_property(f'{finding.code} {finding.name}')}")
        message = f"{finding.message}\nhelp: {finding.help}" if finding.help else finding.message
        yield f"::{_COMMANDS[finding.severity]} {','.join(properties)}::{_data(message)}\n"


def _data(text: str) -> str:
    text = _CONTROLS.sub("\ufffd", well_formed(text))
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
