"""Comments that silence, and what is said of them."""

from __future__ import annotations

import pytest

from atl.findings import Finding
from atl.findings.fixing import apply_fixes
from atl.findings.resolved import resolve
from atl.workspace.live import Workspace


def findings(text: str) -> list[Finding]:
    return Workspace.in_memory({"a.atl": text}).findings("a.atl")


def shown(text: str) -> list[tuple[int, str]]:
    """(line, code) of what is reported, hints too."""
    found = findings(text)
    return [(f.place.anchor.file.lines.position(f.place.span.start)[0], f.code) for f in found]


BODY = "entity Unit in plant {\n  id bigint primary\n%s}\n"

CASES = {
    "at a line's end": (BODY % "  badName int // atl: ignore[ATL108]\n", []),
    "only of its line": (
        BODY % "  badName int // atl: ignore[ATL108]\n  worseName int\n",
        [(4, "ATL108")],
    ),
    "only its code": (BODY % "  badName int // atl: ignore[ATL326]\n", [(3, "ATL108"), (3, "ATL014")]),
    "several codes, loosely written": (
        "//atl:ignore[ ATL405 ,ATL108]\njob poll in plant { timeout 2m }\n",
        [],
    ),
    "text may follow": (BODY % "  badName int // atl: ignore[ATL108] as the old system has it\n", []),
    "the next member": (BODY % "  // atl: ignore[ATL108]\n  badName int\n  worseName int\n", [(5, "ATL108")]),
    "the next member over lines": (
        BODY % "  // atl: ignore[ATL308]\n\n  // why\n  parent\n    int\n    references plant.Unit.id\n",
        [(8, "ATL327")],
    ),
    "the next declaration, all of it": (
        "// atl: ignore[ATL108]\nentity unit in plant {\n  id bigint primary\n  badName int\n}\n"
        "entity Other in plant {\n  id bigint primary\n  badName int\n}\n",
        [(8, "ATL108")],
    ),
    "a member of a member": (
        "job Poll in plant {\n  args {\n    // atl: ignore[ATL108]\n    badName int\n    worseName int\n  }\n}\n",
        [(5, "ATL108")],
    ),
    "a comment behind the member": (BODY % "  // atl: ignore[ATL009]\n  size int /* cm */\n", []),
    "two declarations on one line": (
        "job A in x { timeout 2m } job B in x { timeout 2m } // atl: ignore[ATL405]\n",
        [],
    ),
    "the first of two on one line": (
        "// atl: ignore[ATL405]\njob A in x { timeout 2m } job B in x { timeout 2m }\n",
        [(2, "ATL405")],
    ),
    "the file": ("// about\n// atl: ignore-file[ATL108]\n\n" + BODY % "  badName int\n  worseName int\n", []),
    "the file, below the first comment block": (
        "// about\n\n// atl: ignore-file[ATL108]\n" + BODY % "  badName int\n",
        [(3, "ATL014"), (6, "ATL108")],
    ),
    "the file, in its middle": (
        BODY % "  badName int\n" + "// atl: ignore-file[ATL108]\n",
        [(3, "ATL108"), (5, "ATL014")],
    ),
    "the file, at a line's end": (
        "job A in x { timeout 2m } // atl: ignore-file[ATL405]\n",
        [(1, "ATL405"), (1, "ATL014")],
    ),
    "a hint": (
        BODY % "  other bigint references plant.Unit.id // atl: ignore[ATL327]\n",
        [],
    ),
    "nothing follows": (BODY % "  // atl: ignore[ATL108]\n", [(3, "ATL014")]),
    "nothing follows in the file": (BODY % "" + "// atl: ignore[ATL108]\n", [(4, "ATL014")]),
    "an unknown code": (BODY % "  badName int // atl: ignore[ATL108, ATL999]\n", [(3, "ATL014")]),
    "no code": (BODY % "  size int // atl: ignore[]\n", [(3, "ATL014")]),
    "a name is no code": (BODY % "  badName int // atl: ignore[naming-style]\n", [(3, "ATL108"), (3, "ATL014")]),
    "an error": (
        'job Poll in plant { queue "" } // atl: ignore[ATL406]\n',
        [(1, "ATL406"), (1, "ATL015")],
    ),
    "an error among warnings of one code": (
        BODY % "  a int references plant.Unit.id // atl: ignore[ATL308, ATL327]\n",
        [],
    ),
    "an error that is not there": (BODY % "  size int // atl: ignore[ATL406]\n", [(3, "ATL014")]),
    "an error and something unused": (
        'job Poll in plant { queue "" } // atl: ignore[ATL406, ATL108]\n',
        [(1, "ATL406"), (1, "ATL015"), (1, "ATL014")],
    ),
    "a silence of the silences": (
        BODY % "  size int // atl: ignore[ATL108, ATL014]\n",
        [],
    ),
    "an unused one of these": (BODY % "  size int // atl: ignore[ATL014]\n", [(3, "ATL014")]),
    "what was not read is not judged": (
        BODY % "  // atl: ignore[ATL108]\n  badName ) int\n",
        [(4, "ATL001")],
    ),
    "prose": (BODY % "  size int // atl: ignore this\n  b int // see atl: ignore[ATL108]\n", []),
    "a block comment": (BODY % "  badName int /* atl: ignore[ATL108] */\n", [(3, "ATL108"), (3, "ATL009")]),
    "in a string": ('job A in x { timeout 2m queue "// atl: ignore[ATL405]" }\n', [(1, "ATL405")]),
    "CR LF": ("// atl: ignore-file[ATL108]\r\n" + (BODY % "  badName int\n").replace("\n", "\r\n"), []),
    "no line end": ("job A in x { timeout 2m } // atl: ignore[ATL405]", []),
}


@pytest.mark.parametrize("name", CASES)
def test_silences(name: str) -> None:
    text, wanted = CASES[name]
    assert shown(text) == wanted


@pytest.mark.parametrize(
    ("text", "mended"),
    [
        (BODY % "  size int // atl: ignore[ATL108] because\n", BODY % "  size int\n"),
        (BODY % "  // atl: ignore[ATL108]\n  size int\n", BODY % "  size int\n"),
        (
            BODY % "  badName int // atl: ignore[ATL009, ATL108, ATL999]\n",
            BODY % "  badName int // atl: ignore[ATL108]\n",
        ),
        ("// atl: ignore-file[ATL108]\r\n" + BODY % "", BODY % ""),
        (BODY % "" + "// atl: ignore[ATL108]", BODY % ""),
    ],
)
def test_unused_ones_are_removed(text: str, mended: str) -> None:
    while True:
        done = apply_fixes([resolve(f) for f in findings(text) if f.code == "ATL014"], {"a.atl": text})
        if not done.texts:
            break
        text = done.texts["a.atl"]
    assert text == mended


def test_the_places_and_words() -> None:
    text = 'job Poll in plant { queue "" } // atl: ignore[ATL406, atl108]\n'
    silenced, unused = (f for f in findings(text) if f.code in ("ATL014", "ATL015"))
    assert (silenced.place.text, silenced.labels[0].place.text) == ("ATL406", 'queue ""')
    assert (unused.place.text, unused.help) == ("atl108", "write `ATL108`")
