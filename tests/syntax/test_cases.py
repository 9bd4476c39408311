"""Each case is a text whose `//~ CODE` comments say what the parser reports on that line; `//~^^` means two lines up.

How it is worded, where exactly it stands and what fixes it stands in the snapshots.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from atl.syntax.tree import FileTree
from tests.syntax.trees import marked, tree

CASES = sorted((Path(__file__).parent / "cases").glob("*.atl"))
MARKER = re.compile(r"//~(\^*)((?: +ATL[0-9]{3})+)[ \t\r]*$")


def expected(text: str) -> set[tuple[int, str]]:
    found = set()
    for number, line in enumerate(text.split("\n"), 1):
        marker = MARKER.search(line)
        if marker:
            found |= {(number - len(marker[1]), code) for code in marker[2].split()}
    return found


def printed(file: FileTree) -> str:
    out = []
    for unit in file.units:
        for finding in unit.findings():
            line, column = file.file.lines.position(finding.place.span.start)
            out.append(f"{line}:{column} {finding.code} {finding.message}   [{finding.place.text}]")
            if finding.help:
                out.append(f"    help: {finding.help}")
            out += (f"    label: {label.message} [{label.place.text}]" for label in finding.labels)
            for fix in finding.fixes:
                edits = ", ".join(f"[{edit.place.text}] -> [{edit.new_text}]" for edit in fix.edits)
                out.append(f"    {'fix' if fix.safe else 'suggestion'}: {fix.title}: {edits}")
        out += (f"  {type(d).__name__} {d.name and d.name.text}: lost" for d in unit.chunk.declarations if d.lost)
    return "\n".join(out)


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, snapshot: SnapshotAssertion) -> None:
    text = path.read_text()
    file = tree(text)
    assert marked(file) == expected(text)
    assert printed(file) == snapshot
