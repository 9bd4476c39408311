"""ATL016, as far as one side alone can tell."""

from __future__ import annotations

import pytest

from tests.check.checking import check_files, check_text, mended

FIELDS = "entity E in x {\n  id bigint primary\n%s}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (FIELDS % "  a int // atl: renamed-from a\n", [3]),
        (FIELDS % "  // atl: renamed-from a\n  a int\n", [3]),
        (FIELDS % "  a int // atl: renamed-from b\n", []),
        (FIELDS % "  a int // atl: renamed-from b\n  b int // atl: renamed-from a\n", []),
        (FIELDS % "  a int // atl: renamed-from c\n  b int // atl: renamed-from c\n", [4]),
        (FIELDS % "  // atl: renamed-from c\n  // atl: renamed-from c\n  b int\n", []),
        (FIELDS % "  a int // atl: renamed-from\n", []),
        ("// atl: renamed-from E\n" + FIELDS % "", [1]),
        ("// atl: renamed-from Old\n" + FIELDS % "  a int // atl: renamed-from Old\n", []),
        ("// atl: renamed-from J\njob J in x { retries 1 }\n", [1]),
        (
            "enum S in x {\n  a, // atl: renamed-from a\n  b, // atl: renamed-from z\n  c // atl: renamed-from z\n}\n",
            [2, 4],
        ),
        ('enum S in x { "a b" } // atl: renamed-from S\n', [1]),
        ("job J in x {\n  args {\n    a int // atl: renamed-from a\n  }\n}\n", []),
    ],
)
def test_stale_hint(text: str, lines: list[int]) -> None:
    found = [finding for finding in check_text(text) if finding.code == "ATL016"]
    assert [f.place.anchor.file.lines.position(f.place.span.start)[0] for f in found] == lines
    for finding in found:
        after = check_text(mended(text, finding.fixes[0]))
        assert sum(f.code == "ATL016" for f in after) == len(found) - 1


TWO = "// atl: renamed-from Old\n{} A in x {{ {} }}\n// atl: renamed-from Old\n{} B in {} {{ {} }}\n"


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        (TWO.format("entity", "id int primary", "entity", "x", "id int primary"), [3]),
        (TWO.format("job", "", "job", "x", ""), [3]),
        (TWO.format("enum", "a", "enum", "x", "b"), [3]),
        (TWO.format("enum", "a", "enum", "y", "b"), []),
        (TWO.format("enum", "a", "job", "x", ""), []),
    ],
)
def test_two_declarations_of_one_old_name(text: str, lines: list[int]) -> None:
    found = [finding for finding in check_text(text) if finding.code == "ATL016"]
    assert [f.place.anchor.file.lines.position(f.place.span.start)[0] for f in found] == lines
    first, second, *_ = text.split("// atl")[1:]
    apart = check_files({"a.atl": f"// atl{first}", "b.atl": f"// atl{second}"})
    assert [f.place.path for f in apart if f.code == "ATL016"] == ["b.atl"] * len(lines)
    assert [f.labels[0].place.path for f in apart if f.code == "ATL016"] == ["a.atl"] * len(lines)
