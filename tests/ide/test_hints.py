# ruff: noqa: E501 - expected lines stand as they are in the texts
"""Inlay hints and lenses, where they are shown."""

from __future__ import annotations

from atl.diff.callers import find_users
from atl.diff.differ import diff
from atl.diff.model import Class, strongest
from atl.ide.hints import inlay_hints
from atl.ide.lens import lenses
from atl.workspace.live import Workspace

FILES = {
    "a.atl": """entity Item in shop { id int primary  kind other.Kind  own Size }
enum Size in shop { s }
job Sweep in shop {
  retries 2
  schedule "0 3 * * *"
}
ephemeral Session in shop { token text primary }
query Find for Item { output as Far sql touches(Item, Far) { select * from shop.item, other.far } }
workflow W in shop { step a { job Sweep } step b { job other.Sweep } }
""",
    "b.atl": "enum Kind in other { a }\nentity Far in other { id int primary }\njob Sweep in other { }",
}


def with_hints(text: str, workspace: Workspace, path: str) -> str:
    for hint in reversed(inlay_hints(workspace, path)):
        shown = f"{' ' * hint.before}«{hint.label}»{' ' * hint.after}"
        text = text[: hint.offset] + shown + text[hint.offset :]
    return text


def test_hints() -> None:
    workspace = Workspace.in_memory(FILES)
    assert with_hints(FILES["a.atl"], workspace, "a.atl") == (
        """entity Item in shop { id int primary  kind other.Kind  own Size }
enum Size in shop { s }
job Sweep in shop { «timeout 30m  heartbeat 5m  queue "default"  visible_to "*"»
  retries 2
  schedule "0 3 * * *" «at 03:00»
}
ephemeral Session in shop { «ttl = 24h» token text primary }
query Find for «shop.»Item { output as «other.»Far sql touches(Item, «other.»Far) { select * from shop.item, other.far } }
workflow W in shop { step a { job Sweep } step b { job other.Sweep } }
"""
    )


def test_what_a_hint_inserts_means_the_same() -> None:
    workspace = Workspace.in_memory(FILES)
    text = FILES["a.atl"]
    for hint in reversed(inlay_hints(workspace, "a.atl")):
        if hint.insert is not None:
            text = text[: hint.offset] + hint.insert + text[hint.offset :]
    assert Workspace.in_memory({**FILES, "a.atl": text}).schema() == workspace.schema()
    assert "visible_to" in text and "shop.Item" in text


def test_lenses() -> None:
    workspace = Workspace.in_memory(FILES)
    text = FILES["a.atl"]
    base = workspace.schema()
    assert [(text[slice(*lens.span)], lens.title, len(lens.places)) for lens in lenses(workspace, "a.atl", base)] == [
        ("Item", "3 uses", 3),
        ("Size", "1 use", 1),
        ("Sweep", "1 use", 1),
    ]
    assert [lens.title for lens in lenses(workspace, "b.atl")] == ["1 use", "3 uses", "1 use"]
    workspace.set_text("a.atl", text.replace("own Size", "own Size not null"))
    assert [lens.title for lens in lenses(workspace, "a.atl", base) if lens.kind == "plan"] == [
        "plan: backfill_required"
    ]
    workspace.set_text("a.atl", text)
    assert [lens for lens in lenses(workspace, "a.atl", base) if lens.kind == "plan"] == []


def test_the_plan_of_a_file_is_its_part_of_the_whole_plan() -> None:
    files = {
        "a.atl": 'entity A in s { id int primary  k Kind default "x"  b int references s.B.id }\n'
        "query Q for A { output as A sql touches(A, B) { select a.* from s.a join s.b on s.b.id = a.b where k = 'x' } }\n"
        "job J in s { args { k Kind } }",
        "b.atl": "enum Kind in s { x, y }\nentity B in s { id int primary }\n",
    }
    workspace = Workspace.in_memory(files)
    base = workspace.schema()
    for path, old, new in (
        ("a.atl", "id int primary", "id bigint primary"),
        ("a.atl", "args { k Kind }", "args { k Kind not null }"),
        ("a.atl", "job J in s {", "job K in s {"),
        ("b.atl", "{ x, y }", "{ y }"),
        ("b.atl", "{ x, y }", "{\n// atl: renamed-from x\nz, y }"),
        ("b.atl", "entity B in s", "// atl: renamed-from B\nentity C in s"),
    ):
        changed = {**files, path: files[path].replace(old, new)}
        if "renamed-from" in new:
            changed["a.atl"] = changed["a.atl"].replace('"x"', '"z"').replace("'x'", "'z'").replace("s.B.id", "s.C.id")
            changed["a.atl"] = (
                changed["a.atl"].replace("B)", "C)").replace("s.b", "s.c") if "C in" in new else changed["a.atl"]
            )
        edited = Workspace.in_memory(changed)
        whole: dict[str, list[Class]] = {}
        for change in diff(base, edited.schema(), None, find_users(base, edited.schema(), [])).changes:
            whole.setdefault(change.id, []).append(change.cls)
        declared = {"a.atl": ("s.A", "s.Q", "s.J", "s.K"), "b.atl": ("s.Kind", "s.B", "s.C")}
        for each in files:
            shown = [lens.title for lens in lenses(edited, each, base) if lens.kind == "plan"]
            expected = [f"plan: {strongest(whole[id]).value}" for id in declared[each] if id in whole]
            gone = ["s.J"] if "job K" in new else ["s.B"] if "entity C" in new and each == "b.atl" else []
            assert len(shown) == len(expected) - sum(id in whole for id in gone if id in declared[each]), (new, each)
            assert set(shown) <= set(expected)
