"""Case files: text with its findings beside it, `//~ ATL104` on the line or `//~^ ATL104` below it.

Errors and warnings are compared as (line, code); hints only in files whose name begins with `hint-`. A line
`// file: other.atl` begins another file of the same workspace, whose lines count on.
"""

from __future__ import annotations

import re
from pathlib import Path

from atl.findings import Finding, Severity
from tests.check.checking import check_files

MARKER = re.compile(r"//~(\^*)((?: +ATL[0-9]{3})+)[ \t\r]*$")
FILE = re.compile(r"^// file: (\S+)\n", re.MULTILINE)


def expected(text: str) -> set[tuple[int, str]]:
    found: set[tuple[int, str]] = set()
    for number, line in enumerate(text.split("\n"), 1):
        if marker := MARKER.search(line):
            found |= {(number - len(marker[1]), code) for code in marker[2].split()}
    return found


def files_of(text: str) -> dict[str, str]:
    """The files of a case. Each is padded with empty lines in front, so that its lines have the case's numbers."""
    parts = FILE.split(text)
    files = {"main.atl": parts[0]}
    line = parts[0].count("\n")
    for name, body in zip(parts[1::2], parts[2::2], strict=True):
        files[name] = "\n" * (line + 1) + body
        line += 1 + body.count("\n")
    return files


def findings(path: Path) -> list[Finding]:
    found = check_files(files_of(path.read_text("utf-8")))
    hints = path.name.startswith("hint-")
    return [f for f in found if hints or f.severity is not Severity.HINT]


def reported(path: Path) -> set[tuple[int, str]]:
    return {(f.place.anchor.file.lines.position(f.place.span.start)[0], f.code) for f in findings(path)}
