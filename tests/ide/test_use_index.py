"""Whatever edits led here, uses are those of a fresh workspace."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from atl.ide.places import Location
from atl.ide.use_index import use_index
from atl.schema.targets import Target
from atl.workspace.live import Workspace
from tests.workspace.making import fragments, paths, texts


def everything(workspace: Workspace) -> dict[Target, list[Location]]:
    """All uses by target, as asking for each target gives them."""
    index = use_index(workspace)
    targets = {use.target for tree in workspace.trees().values() for unit in tree.units for use in index.of_unit(unit)}
    return {target: [each.location for each in index.of_target(target)] for target in targets}


edits = st.tuples(
    st.sampled_from(("set", "edit", "close", "ask")), paths, texts, fragments, st.integers(0, 400), st.integers(0, 60)
)


@given(st.dictionaries(paths, texts, max_size=4), st.lists(edits, max_size=8))
@settings(deadline=None, max_examples=120, suppress_health_check=[HealthCheck.too_slow])
def test_uses_are_those_of_a_fresh_workspace(
    start: dict[str, str], changes: list[tuple[str, str, str, str, int, int]]
) -> None:
    now = dict(start)
    workspace = Workspace.in_memory(now)
    everything(workspace)
    for kind, path, text, piece, at, length in changes:
        if kind == "set":
            now[path] = text
            workspace.set_text(path, text)
        elif kind == "edit":
            old = now.get(path, "")
            begin = min(at, len(old))
            end = min(begin + length, len(old))
            now[path] = old[:begin] + piece + old[end:]
            workspace.edit(path, begin, end, piece)
        elif kind == "close":
            now.pop(path, None)
            workspace.close(path)
        else:
            everything(workspace)
    assert everything(workspace) == everything(Workspace.in_memory(now))


def test_asking_one_target_first_finds_all_its_places() -> None:
    files = {
        "a.atl": 'enum State in s { open, "in transit", "--" }\nentity Order in s { id int primary '
        'st State default "--" }',
        "b.atl": "query Q for s.Order { output as s.Order sql touches(Order) { select * from s.ORDER where ST = '--' "
        "or st in ('in transit') } }",
    }
    for target, count in (
        (Target("field", "s.Order", "st"), 3),
        (Target("entity", "s.Order"), 5),
        (Target("label", "s.State", "--"), 3),
        (Target("label", "s.State", "in transit"), 2),
        (Target("enum", "s.State"), 2),
    ):
        workspace = Workspace.in_memory(files)
        assert len(use_index(workspace).of_target(target)) == count, target
