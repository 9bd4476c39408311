"""`tide.yaml` and `atl.toml`."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, target
from hypothesis import strategies as st

from atl.workspace import config as tide
from atl.workspace.config import find_root, read_config
from atl.workspace.errors import WorkspaceError
from atl.workspace.lint import Nearest, pattern


def config(folder: Path, text: str | bytes) -> tide.Config:
    (folder / "tide.yaml").write_bytes(text.encode() if isinstance(text, str) else text)
    return read_config(str(folder))


@pytest.mark.parametrize(
    ("text", "caller", "paths"),
    [
        ("", None, None),
        ("# nothing\n", None, None),
        ("caller: directory\nschema_paths: [internal/foo]\n", "directory", ("internal/foo",)),
        ("caller: a # us\nschema_paths: [ a, b/c ] # here\nother: x", "a", ("a", "b/c")),
        ("schema_paths:\n  - a\n  # and\n  - b/c\n\ncaller: x\n", "x", ("a", "b/c")),
        ("schema_paths:\n- a\n- 'b c'\n", None, ("a", "b c")),
        ('caller: "a b"\nschema_paths: ["x y", z]\n', "a b", ("x y", "z")),
        ("caller: 12\nschema_paths: [1.5, no]\n", "12", ("1.5", "no")),
        ("caller:\nschema_paths: ~\n", None, None),
        ("schema_paths: []\n", None, ()),
        ("limits:\n  files: 10\ngenerate: [x]\ncaller: é\n", "é", None),
        ("\ufeffcaller: x\r\nschema_paths: [a]\r\n", "x", ("a",)),
        ("? [complex]\n: key\ncaller: x\n", "x", None),
        ("x: &a y\ncaller: *a\n", "y", None),
    ],
)
def test_reads(tmp_path: Path, text: str, caller: str | None, paths: tuple[str, ...] | None) -> None:
    read = config(tmp_path, text)
    assert (read.caller, read.schema_paths) == (caller, paths)


@pytest.mark.parametrize(
    ("text", "line", "part"),
    [
        ("caller: x\nschema_paths: foo\n", 2, "write `[foo]`"),
        ("caller: [x]\n", 1, "not a list"),
        ("caller: {a: b}\n", 1, "is not a name"),
        ("schema_paths: [[a]]\n", 1, "not a list of folders"),
        ("caller: x\ncaller: y\n", 2, "second time"),
        ("a: b\n\tc: d\n", 2, "is no YAML"),
        ("a: [\n", 2, "is no YAML"),
        ("- a\n", 1, "holds no keys"),
        (b"caller: \xff\xfe\n", 0, "is no YAML"),
        ("a: " + "[" * 5000, 0, "nested too deeply"),
    ],
)
def test_refuses(tmp_path: Path, text: str, line: int, part: str) -> None:
    with pytest.raises(WorkspaceError, match=r"tide\.yaml") as caught:
        config(tmp_path, text)
    assert caught.value.line == line
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


words = st.one_of(
    st.text("abyYnNoOfF_-./ #:0", min_size=0, max_size=6),
    st.sampled_from(["yes", "No", "null", "internal/foo", '"a b"', '"yes"', "'q'", "~", "a#b", "x: y", "*a", "&a b"]),
)
keys = st.sampled_from(["caller", "schema_paths", "other", "no", '"caller"', " caller"])
lines = st.one_of(
    st.builds("{}: {}".format, keys, words),
    st.builds("{}: [{}]".format, keys, st.lists(words, max_size=3).map(", ".join)),
    st.builds("{}- {}".format, st.text(" ", max_size=3), words),
    st.builds("{}:{}".format, keys, st.sampled_from(["", " ", " # c"])),
    st.builds("{}#{}".format, st.text(" ", max_size=2), words),
    st.just(""),
)


@given(st.lists(lines, max_size=5).map("\n".join))
def test_the_plain_reader_reads_as_pyyaml_does(text: str) -> None:
    plain = tide._plain(text.encode())
    if plain is None:
        return
    known = {key: plain[key] for key in ("caller", "schema_paths") if key in plain}
    target(len(known))
    assert tide._yaml(text.encode(), "tide.yaml") == known


def test_the_plain_reader_takes_what_people_write() -> None:
    text = b"# us\ncaller: directory  # who\nschema_paths: [internal/foo, b]\ngenerate:\n  - directory\nlanguage: go\n"
    assert tide._plain(text) is not None


def test_the_root_is_the_nearest_folder_with_a_tide_yaml(tmp_path: Path) -> None:
    inner = tmp_path / "a" / "b"
    inner.mkdir(parents=True)
    (tmp_path / "tide.yaml").touch()
    assert find_root(str(inner)) == str(tmp_path)
    (tmp_path / "a" / "tide.yaml").mkdir()
    assert find_root(str(inner)) == str(tmp_path), "a folder of that name is none"
    (inner / "tide.yaml").touch()
    assert find_root(str(inner)) == str(inner)


# ------------------------------------------------------------------ atl.toml


def test_the_nearest_toml_counts_alone(tmp_path: Path) -> None:
    inner = tmp_path / "legacy" / "old"
    inner.mkdir(parents=True)
    (tmp_path / "atl.toml").write_text('ignore = ["ATL108"]\n[per-file-ignores]\n"*.old.atl" = ["ATL32"]\n')
    lint = Nearest().of(str(inner))
    assert lint.hidden(str(inner / "a.atl")) == {"ATL108"}
    assert lint.hidden(str(inner / "a.old.atl")) == {
        "ATL108", "ATL320", "ATL321", "ATL322", "ATL323", "ATL324", "ATL326", "ATL327", "ATL328", "ATL329",
    }  # fmt: skip
    (inner / "atl.toml").write_text('select = ["naming-style", "atl326"]\nexclude = ["gen/", "b.atl"]\n')
    lint = Nearest().of(str(inner))
    assert (lint.select, lint.ignore) == ({"ATL108", "ATL326"}, frozenset())
    assert [lint.excludes(str(inner / name)) for name in ("gen/a.atl", "x/gen/a.atl", "b.atl", "a.atl")] == [
        True, True, True, False,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('ingore = ["ATL108"]\n', "atl.toml:1: unknown key `ingore`; did you mean `ignore`?"),
        ('\nignore = ["ATL999"]\n', "atl.toml:2: `ignore` names no rule: `ATL999`"),
        ('select = ["naming-stile"]\n', "did you mean `naming-style`?"),
        ('ignore = ["ATL103"]\n', "`ATL103` is an error, and no configuration hides errors"),
        ('ignore = "ATL108"\n', "`ignore` is a list of strings"),
        ("per-file-ignores = 1\n", "is a table of patterns"),
        ('[per-file-ignores]\n"a.atl" = ["x"]\n', "atl.toml:2: `a.atl` names no rule: `x`"),
        ("ignore = [\n", "is no TOML"),
        ("a = 1\na = 2\n", "atl.toml:2: is no TOML"),
    ],
)
def test_a_bad_toml_says_where(tmp_path: Path, text: str, message: str) -> None:
    (tmp_path / "atl.toml").write_text(text)
    with pytest.raises(WorkspaceError) as caught:
        Nearest().of(str(tmp_path))
    assert message in str(caught.value)


def test_errors_that_can_be_warnings_may_be_ignored(tmp_path: Path) -> None:
    (tmp_path / "atl.toml").write_text('ignore = ["ATL308", "ATL1"]\n')
    assert {"ATL308", "ATL103", "ATL108"} <= Nearest().of(str(tmp_path)).ignore


@pytest.mark.parametrize(
    ("glob", "yes", "no"),
    [
        ("a.atl", ["a.atl", "x/a.atl", "a.atl/b.atl"], ["ba.atl", "a.atlx"]),
        ("x/a.atl", ["x/a.atl"], ["y/x/a.atl", "a.atl"]),
        ("/a.atl", ["a.atl"], ["x/a.atl"]),
        ("gen/", ["gen/a.atl", "x/gen/y/a.atl"], ["gen", "gene/a.atl"]),
        ("x/*", ["x/a.atl", "x/y/a.atl"], ["y/a.atl"]),
        ("x/*.atl", ["x/a.atl"], ["x/y/a.atl"]),
        ("x/**/z.atl", ["x/z.atl", "x/a/b/z.atl"], ["z.atl"]),
        ("**/old/**", ["old/a.atl", "x/old/y/a.atl"], ["cold/a.atl"]),
        ("[ab]?.atl", ["a1.atl", "x/b2.atl"], ["c1.atl", "a.atl"]),
        ("[!ab].atl", ["c.atl"], ["a.atl"]),
        ("a[.atl", ["a[.atl"], ["a.atl"]),
        ("**", ["a.atl", "x/a.atl"], []),
    ],
)
def test_patterns(glob: str, yes: list[str], no: list[str]) -> None:
    made = pattern(glob)
    assert [name for name in (*yes, *no) if made.match(name)] == yes
