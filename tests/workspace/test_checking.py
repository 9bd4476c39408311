"""A run over paths: with the cache on disk and without, in one process and in two."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atl.workspace import cache, identity, outcome, run, workers
from atl.workspace.checking import Options, Report, check_paths
from atl.workspace.errors import WorkspaceError
from atl.workspace.mending import fix_paths, write_changes
from tests.workspace.making import paths, texts


@pytest.fixture(autouse=True)
def _own_cache(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))


def write(root: Path, name: str, text: str) -> None:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def facts(report: Report) -> tuple[object, ...]:
    return report.findings, report.files, report.unreadable, report.hints


def same_with_and_without_cache(root: Path) -> Report:
    """What is found; from the cache twice, as the second run finds everything as the first left it."""
    plain = check_paths([str(root)], Options(cache=False, workers=1))
    assert facts(check_paths([str(root)])) == facts(plain)
    assert facts(check_paths([str(root)])) == facts(plain)
    return plain


A = "entity A in x {\n  id bigint primary\n  b bigint references x.B.id\n  badName int\n}\n"
B = "entity B in x { id bigint primary }\n"


@pytest.fixture
def trusting(monkeypatch: pytest.MonkeyPatch) -> None:
    """As though all files had been written long ago."""
    monkeypatch.setattr(identity, "now", lambda: time.time_ns() + 10_000_000_000)


@pytest.mark.usefixtures("trusting")
def test_nothing_is_run_when_nothing_has_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.atl", A)
    first = check_paths([str(tmp_path)])
    monkeypatch.setattr(run, "check_all", None)
    monkeypatch.setattr(run, "check_changed", None)
    monkeypatch.setattr(outcome, "read_contents", None)
    assert facts(check_paths([str(tmp_path)])) == facts(first)
    only_warnings = check_paths([str(tmp_path)], Options(hints=False))
    assert only_warnings.findings == tuple(f for f in first.findings if f.severity != "hint")
    assert only_warnings.hints == first.hints


@pytest.mark.usefixtures("trusting")
def test_a_change_is_checked_with_what_depends_on_it_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.atl", A)
    write(tmp_path, "b.atl", B)
    write(tmp_path, "c.atl", B.replace("B in x", "C in y"))
    same_with_and_without_cache(tmp_path)
    seen: list[str] = []
    real = run.Core.findings
    monkeypatch.setattr(run.Core, "findings", lambda self, path: (seen.append(path), real(self, path))[1])
    monkeypatch.setattr(run, "check_all", None)
    write(tmp_path, "b.atl", B.replace("bigint", "int"))
    assert "ATL308" in {f.code for f in check_paths([str(tmp_path)]).findings}
    assert seen == ["a.atl", "b.atl"]
    seen.clear()
    write(tmp_path, "b.atl", B + "// end\n")
    check_paths([str(tmp_path)])
    assert seen == ["a.atl", "b.atl"]
    seen.clear()
    write(tmp_path, "b.atl", B + "// the end\n")
    check_paths([str(tmp_path)])
    assert seen == ["b.atl"], "what others see of it is as it was"


def test_a_label_moves_with_its_file(tmp_path: Path) -> None:
    write(tmp_path, "b.atl", B)
    write(tmp_path, "c.atl", B)
    same_with_and_without_cache(tmp_path)
    write(tmp_path, "b.atl", "\n\n\n" + B)
    (finding,) = same_with_and_without_cache(tmp_path).findings
    assert [label.place.line for label in finding.labels] == [4]


def test_equal_size_and_time(tmp_path: Path) -> None:
    """A second write within the clock's grain, of the same length, is seen all the same."""
    for text in (B, B.replace("id bigint", "id bigont"), B):
        write(tmp_path, "b.atl", text)
        os.utime(tmp_path / "b.atl", ns=(1, 1))
        assert [f.code for f in check_paths([str(tmp_path)]).findings] == (["ATL107"] if "bigont" in text else [])


def test_the_configuration_counts(tmp_path: Path) -> None:
    write(tmp_path, "a.atl", 'job J in x { visible_to "y" }\n' + A)
    assert {f.code for f in same_with_and_without_cache(tmp_path).findings} >= {"ATL103", "ATL108"}
    write(tmp_path, "tide.yaml", "caller: z\n")
    assert "ATL411" in {f.code for f in same_with_and_without_cache(tmp_path).findings}
    write(tmp_path, "tide.yaml", "caller: y\n")
    assert "ATL411" not in {f.code for f in same_with_and_without_cache(tmp_path).findings}
    write(tmp_path, "atl.toml", 'ignore = ["ATL1"]\n')
    codes = {f.code for f in same_with_and_without_cache(tmp_path).findings}
    assert "ATL108" not in codes
    assert "ATL103" in codes, "errors are never hidden"
    write(tmp_path, "atl.toml", 'exclude = ["a.atl"]\n')
    assert same_with_and_without_cache(tmp_path).files == 0


def test_select_and_ignore_pick_among_everything(tmp_path: Path) -> None:
    write(tmp_path, "a.atl", A)
    for options, wanted in (
        (Options(select=("ATL108",)), {"ATL108"}),
        (Options(select=("ATL1",), ignore=("naming-style",)), {"ATL103"}),
        (Options(ignore=("ATL103", "ATL108", "ATL327")), set()),
    ):
        assert {f.code for f in check_paths([str(tmp_path)], options).findings} == wanted
    with pytest.raises(WorkspaceError, match="`--select` names no rule: `ATL099`"):
        check_paths([str(tmp_path)], Options(select=("ATL099",)))


def test_a_cache_that_is_damaged_or_of_something_else_is_no_cache(tmp_path: Path) -> None:
    write(tmp_path, "a.atl", A)
    write(tmp_path, "b.atl", B)
    plain = facts(same_with_and_without_cache(tmp_path))
    place = Path(identity.cache_file(str(tmp_path)))
    good = place.read_bytes()
    head = good.index(b"\n")
    for bad in (
        b"",
        b"\n",
        good[:-1],
        good[: len(good) // 2],
        good[:-10] + b"x" + good[-9:],
        good[: head + 50] + b"x" + good[head + 51 :],
        good.replace(b"cache 1", b"cache 0"),
        os.urandom(200),
    ):
        place.write_bytes(bad)
        assert facts(check_paths([str(tmp_path)])) == plain
        place.write_bytes(bad)
        write(tmp_path, "b.atl", B + "\n")
        assert facts(check_paths([str(tmp_path)])) == plain
        write(tmp_path, "b.atl", B)
    place.unlink()
    place.mkdir()
    assert facts(check_paths([str(tmp_path)])) == plain


def test_caches_that_no_one_writes_are_removed(tmp_path: Path) -> None:
    write(tmp_path, "a.atl", A)
    check_paths([str(tmp_path)])
    folder = Path(identity.cache_file(str(tmp_path))).parent
    write(folder, "old", "")
    write(folder, "fresh", "")
    os.utime(folder / "old", (1, 1))
    write(tmp_path, "tide.yaml", "caller: x\n")
    check_paths([str(tmp_path)])
    assert {"fresh"} == {"old", "fresh"} & {path.name for path in folder.iterdir()}


def test_another_program_is_another_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = identity.identity(str(tmp_path), None)
    assert key == identity.identity(str(tmp_path), None) != identity.identity(str(tmp_path), "x")
    monkeypatch.setattr(identity, "_program", lambda: ["other"])
    assert identity.identity(str(tmp_path), None) != key


changes = st.lists(
    st.one_of(
        st.tuples(st.just("write"), paths, texts),
        st.tuples(st.just("delete"), paths, st.just("")),
        st.tuples(st.just("rename"), paths, paths),
        st.tuples(st.just("touch"), paths, st.just("")),
        st.tuples(st.just("prepend"), paths, st.sampled_from(["\n", "// x\n", "é"])),
    ),
    min_size=1,
    max_size=5,
)


@given(
    st.dictionaries(paths, texts, min_size=1, max_size=5),
    st.lists(changes, min_size=1, max_size=3),
    st.booleans(),
    st.sampled_from([0, 2, 64]),
)
@settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
def test_the_cache_never_changes_an_answer(
    tmp_path_factory: pytest.TempPathFactory,
    start: dict[str, str],
    rounds: list[list[tuple[str, str, str]]],
    trust: bool,
    journal: int,
) -> None:
    root = tmp_path_factory.mktemp("w")
    count = 0

    def put(name: str, text: str) -> None:
        nonlocal count
        count += 1  # no two texts of one length, so that trusting the clock is right here
        write(root, name, text + "// " + "x" * count)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(run, "_SMALL", 100)
        patch.setattr(cache, "_JOURNAL", journal)
        if trust:
            patch.setattr(identity, "now", lambda: time.time_ns() + 10_000_000_000)
        for name, text in start.items():
            put(name, text)
        same_with_and_without_cache(root)
        for steps in rounds:
            for kind, name, new in steps:
                path = root / name
                if kind == "write":
                    put(name, new)
                elif path.exists() and kind == "delete":
                    path.unlink()
                elif path.exists() and kind == "rename":
                    put(new, path.read_text())
                    path.unlink(missing_ok=new == name)
                elif path.exists() and kind == "touch":
                    path.touch()
                elif path.exists():
                    put(name, new + path.read_text())
            same_with_and_without_cache(root)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@given(st.dictionaries(paths, texts, min_size=1, max_size=5))
@settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
def test_two_processes_find_what_one_does(tmp_path_factory: pytest.TempPathFactory, files: dict[str, str]) -> None:
    root = tmp_path_factory.mktemp("w")
    for name, text in files.items():
        write(root, name, text)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(workers, "pays", lambda contents: True)
        two = check_paths([str(root)], Options(cache=True))
        again = check_paths([str(root)], Options(cache=True))
    assert facts(two) == facts(again) == facts(check_paths([str(root)], Options(cache=False, workers=1)))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_second_process_that_fails_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in "abc":
        write(tmp_path, f"{name}.atl", A)
    plain = facts(check_paths([str(tmp_path)], Options(cache=False, workers=1)))
    monkeypatch.setattr(workers, "pays", lambda contents: True)

    def fails(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(workers, "_serve", fails)
    assert facts(check_paths([str(tmp_path)], Options(cache=False))) == plain
    monkeypatch.setattr(os, "fork", lambda: (_ for _ in ()).throw(OSError()))
    assert facts(check_paths([str(tmp_path)], Options(cache=False))) == plain


def test_unreadable_files(tmp_path: Path) -> None:
    write(tmp_path, "a.atl", A)
    (tmp_path / "b.atl").symlink_to(tmp_path / "nosuch")
    report = check_paths([str(tmp_path)])
    assert [why for _, why in report.unreadable] == ["no such file or directory"]
    assert report.files == 1


def test_a_text_stands_for_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "a.atl", A)
    write(tmp_path, "b.atl", "")
    monkeypatch.chdir(tmp_path)
    text = A.replace("A in x", "Aa in x")
    for _ in range(2):
        report = check_paths(["b.atl"], Options(texts={str(tmp_path / "b.atl"): text}))
        assert {f.place.path for f in report.findings} == {"b.atl"}
        assert report.text("b.atl") == text
        new = check_paths(["new.atl"], Options(texts={str(tmp_path / "new.atl"): B}))
        assert (new.findings, new.files) == ((), 1)
        assert "ATL103" in {f.code for f in check_paths(["a.atl"]).findings}, "nothing of it is kept"


def test_paths_are_relative_to_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, "tide.yaml", "schema_paths: [s]\n")
    write(tmp_path, "s/x/a.atl", B)
    write(tmp_path, "s/y/b.atl", B)
    for folder, shown in ((".", ("s/y/b.atl", "s/x/a.atl")), ("s/y", ("b.atl", "../x/a.atl"))):
        monkeypatch.chdir(tmp_path / folder)
        (finding,) = check_paths([]).findings if folder == "." else check_paths(["b.atl"]).findings
        assert (finding.place.path, finding.labels[0].place.path) == shown
        assert check_paths([str(tmp_path)]).text(shown[1]) == B


# ------------------------------------------------------------------ fixes


@pytest.fixture
def mess(tmp_path: Path) -> Iterator[Path]:
    write(tmp_path, "a.atl", "job J in x {\n  queue 'q' /* one */\n  timeout 2m // atl: ignore[ATL405, ATL108]\n}\n")
    write(tmp_path, "b.atl", "\ufeffentity E in x {\r\n  id bigint primary /* é */\r\n}\r\n")
    (tmp_path / "b.atl").chmod(0o640)
    yield tmp_path


@pytest.mark.parametrize("cached", [True, False])
def test_fixes_converge_and_are_written(mess: Path, monkeypatch: pytest.MonkeyPatch, cached: bool) -> None:
    monkeypatch.chdir(mess)
    fixed = fix_paths([], Options(cache=cached))
    assert [change.path for change in fixed.changes] == ["a.atl", "b.atl"]
    assert fixed.report.findings == ()
    assert (mess / "a.atl").read_text().count("'") == 2, "nothing is written yet"
    assert write_changes(fixed.changes) == []
    assert (mess / "b.atl").read_bytes() == "\ufeffentity E in x {\r\n  id bigint primary // é\r\n}\r\n".encode()
    assert (mess / "b.atl").stat().st_mode & 0o777 == 0o640
    assert check_paths([]).findings == ()
    assert sorted(path.name for path in mess.iterdir()) == ["a.atl", "b.atl"], "no temporary file is left"
    assert fix_paths([]).changes == ()


def test_only_what_is_reported_on_changes(mess: Path) -> None:
    assert [Path(change.path).name for change in fix_paths([str(mess / "a.atl")]).changes] == ["a.atl"]
    ignoring = fix_paths([str(mess)], Options(ignore=("ATL007", "ATL014")))
    assert [change.new for change in ignoring.changes if change.path.endswith("a.atl")] != []
    assert "'q'" in next(change.new for change in ignoring.changes if change.path.endswith("a.atl"))


def test_a_file_that_changed_meanwhile_is_left_alone(mess: Path) -> None:
    fixed = fix_paths([str(mess)])
    write(mess, "a.atl", "// other\n")
    failed = write_changes(fixed.changes)
    assert [reason for _, reason in failed] == ["changed since it was checked"]
    assert (mess / "a.atl").read_text() == "// other\n"


def test_nothing_outside_the_workspace_is_written(mess: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    outside = tmp_path_factory.mktemp("outside")
    write(outside, "c.atl", "job K in x { queue 'q' }\n")
    (mess / "c.atl").symlink_to(outside / "c.atl")
    (mess / "d.atl").symlink_to(mess / "nosuch")
    assert sorted(Path(change.path).name for change in fix_paths([str(mess)]).changes) == ["a.atl", "b.atl"]
