"""Looking for what cannot be read, and for names, alone finds all of that which looking for everything does."""

from __future__ import annotations

from pathlib import Path

from tests.check.case_files import files_of
from tests.check.checking import check_files

CASES = sorted(
    path for path in Path(__file__).parent.parent.rglob("*.atl") if "//~" in path.read_text("utf-8", "replace")
)
READING = ("ATL0", "ATL1")
# Of silences, which need all findings.
SILENCES = {"ATL014", "ATL015"}


WORDS = "job J in s {\n  args {\n    x int default foo\n  }\n  retries often\n}\n"


def test_every_case() -> None:
    found = 0
    for texts in (
        {"a.atl": WORDS},
        *(files_of(path.read_bytes().decode("utf-8", "surrogateescape")) for path in CASES),
    ):
        all_, some = (
            {(f.place.path, f.place.span, f.code) for f in check_files(texts, names_only=only)}
            for only in (False, True)
        )
        wanted = {key for key in all_ if key[2].startswith(READING) and key[2] not in SILENCES}
        assert wanted == {key for key in some if key[2].startswith(READING) and key[2] not in SILENCES}, texts
        found += len(wanted)
    assert found > 100
