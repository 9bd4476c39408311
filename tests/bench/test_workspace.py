import re
from pathlib import Path

from atl.workspace.checking import Options, check_paths
from bench.measure import Usage, percentile
from bench.peers import prisma_file, write_prisma
from bench.planning import CHANGES, changed
from bench.table import compared, render, within
from bench.workspace import declarations, one_file, write_workspace


def test_thousand_files_have_the_size_that_goals_speak_of() -> None:
    texts = [text for path, text in declarations(1000).items() if path.endswith(".atl")]
    assert len(texts) == 1000
    assert sum(text.count("\n") for text in texts) == 99_000
    assert sum(len(re.findall(r"^(?:entity|job) ", text, re.MULTILINE)) for text in texts) == 2098


def test_nothing_is_found_in_the_workspace(tmp_path: Path) -> None:
    write_workspace(tmp_path, declarations(240))
    report = check_paths([str(tmp_path)], Options(cache=False, workers=1))
    assert (report.findings, report.files) == ((), 240)


def test_single_files_are_of_the_length_asked_for_and_clean(tmp_path: Path) -> None:
    for name, text in (("long", one_file(1500)), ("plain", one_file(99, sql=False)), ("short", one_file(99))):
        write_workspace(tmp_path / name, {"one.atl": text})
        assert check_paths([str(tmp_path / name)], Options(cache=False)).findings == ()
        assert text.count("\n") == {"long": 1500}.get(name, 99)
    for sign in ("sql", " raw ", " check ", "where deleted_at"):
        assert sign not in one_file(99, sql=False)
    assert prisma_file(700).count("\n") == 700


def test_table_says_what_is_missed() -> None:
    rows = [
        compared("a", Usage(0.2, 0.3, 0), "peer", Usage(0.4, 0.3, 0), 0.8),
        compared("b", Usage(0.2, 0.3, 0), "peer", Usage(0.2, 0.6, 0), 0.8),
        compared("c", Usage(0.2, 0.3, 0), "peer", None, 0.8),
        within("d", 12, "ms", 10),
    ]
    assert [row.verdict for row in rows] == ["ok", "missed", "peer not installed", "missed"]
    assert "| b    | 200 ms  | peer (200 ms) | 1.00  | 0.50 | 0.8  | missed " in render(rows)


def test_percentile() -> None:
    assert [percentile([3, 1, 2, 4], part) for part in (0.0, 0.5, 0.95)] == [1, 3, 4]


def test_both_languages_get_the_same_number_of_changes(tmp_path: Path) -> None:
    def differing(old: list[str], new: list[str]) -> int:
        return sum(a != b for a, b in zip(old, new, strict=True))

    ours = [text for path, text in declarations(200).items() if path.endswith(".atl")]
    theirs = [path.read_text() for path in write_prisma(tmp_path / "prisma", 200)]
    assert differing(ours, changed(ours)) == differing(theirs, changed(theirs, prisma=True)) == CHANGES
