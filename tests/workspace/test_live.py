"""A workspace in memory: whatever led there, its answers are those of a fresh one."""

from __future__ import annotations

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atl.findings.resolved import ResolvedFinding, resolve
from atl.workspace.live import Workspace
from tests.workspace.making import fragments, paths, texts

Answers = dict[str, list[ResolvedFinding]]


def answers(workspace: Workspace) -> Answers:
    return {path: [resolve(finding) for finding in found] for path, found in workspace.all_findings().items()}


edits = st.one_of(
    st.tuples(st.just("set"), paths, texts, st.just(0), st.just(0)),
    st.tuples(st.just("edit"), paths, fragments, st.integers(0, 400), st.integers(0, 60)),
    st.tuples(st.just("close"), paths, st.just(""), st.just(0), st.just(0)),
    st.tuples(st.just("rename"), paths, paths, st.just(0), st.just(0)),
    st.tuples(st.just("look"), paths, st.just(""), st.just(0), st.just(0)),
)


@given(st.dictionaries(paths, texts, max_size=4), st.lists(edits, max_size=8))
@settings(deadline=None, max_examples=150, suppress_health_check=[HealthCheck.too_slow])
def test_every_answer_is_that_of_a_fresh_workspace(
    start: dict[str, str], changes: list[tuple[str, str, str, int, int]]
) -> None:
    now = dict(start)
    workspace = Workspace.in_memory(now)
    answers(workspace)
    for kind, path, new, at, length in changes:
        if kind == "set":
            now[path] = new
            workspace.set_text(path, new)
        elif kind == "edit":
            old = now.get(path, "")
            begin = min(at, len(old))
            end = min(begin + length, len(old))
            now[path] = old[:begin] + new + old[end:]
            workspace.edit(path, begin, end, new)
        elif kind == "close":
            now.pop(path, None)
            workspace.close(path)
        elif kind == "rename" and path in now:
            now[new] = now.pop(path)
            workspace.close(path)
            workspace.set_text(new, now[new])
        else:
            workspace.findings(path)
        if kind != "look":
            source = workspace.source(path)
            assert source is None or source.text == now.get(path)
    fresh = Workspace.in_memory(now)
    assert answers(workspace) == answers(fresh)
    assert workspace.schema() == fresh.schema()


def test_the_disk_and_open_files(tmp_path: Path) -> None:
    (tmp_path / "tide.yaml").write_text("schema_paths: [s]\n")
    (tmp_path / "s").mkdir()
    a, b = tmp_path / "s" / "a.atl", tmp_path / "s" / "b.atl"
    a.write_text("entity A in x {\n  id bigint primary\n  b bigint references x.B.id\n}\n")
    workspace = Workspace(str(tmp_path))

    def codes(path: str = "s/a.atl") -> list[str]:
        return [finding.code for finding in workspace.findings(path) if finding.code != "ATL327"]

    assert codes() == ["ATL103"]
    b.write_text("entity B in x { id bigint primary }\n")
    assert workspace.refresh() is False
    assert codes() == []
    workspace.set_text("s/b.atl", "entity C in x { id bigint primary }\n")
    assert codes() == ["ATL103"], "an unsaved text counts for all files"
    workspace.close("s/b.atl")
    assert codes() == [], "and what is on disk when it is closed"
    b.unlink()
    workspace.refresh()
    assert (codes(), workspace.paths()) == (["ATL103"], ["s/a.atl"])

    workspace.set_text("s/new.atl", "entity B in x { id bigint primary }\n")
    assert codes() == [], "a file that is not on disk yet"
    workspace.set_text("old/copy.atl", a.read_text())
    assert codes() == [], "a file outside has no bearing on the others"
    assert codes("old/copy.atl") == ["ATL101"] or codes("old/copy.atl") == []
    assert "old/copy.atl" not in workspace.paths()

    (tmp_path / "tide.yaml").write_text("schema_paths: [s, old]\ncaller: x\n")
    assert workspace.refresh() is True
    assert workspace.paths() == ["old/copy.atl", "s/a.atl", "s/new.atl"]
    assert codes() == ["ATL101"]
    (tmp_path / "atl.toml").write_text('ignore = ["ATL108"]\nexclude = ["copy.atl"]\n')
    assert workspace.refresh() is True
    assert codes() == []


def test_an_unreadable_configuration_leaves_everything_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "a.atl").write_text("entity A in x { id bigint primary }\n")
    workspace = Workspace(str(tmp_path))
    (tmp_path / "tide.yaml").write_text("schema_paths: x\n")
    try:
        workspace.refresh()
    except Exception as error:
        assert "schema_paths" in str(error)
    assert workspace.paths() == ["a.atl"]
