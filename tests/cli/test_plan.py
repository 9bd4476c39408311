"""`atl plan` and `atl diff`: their forms, their exit codes, what they refuse."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from syrupy.assertion import SnapshotAssertion

from atl.migrate.document import json_schema
from tests.cli.running import atl, write
from tests.plan_cases.reading import CASES

OLD = """enum Kind in farm { "field", "wood" }

entity Plot in farm {
  id     bigint primary
  name   text
  size   int not null
  notes  text
}

query Plots for farm.Plot {
  output as Plot
  sql touches(Plot) { SELECT * FROM atlantis.farm_plot }
}
"""
NEW = """enum Kind in farm { "field", "wood", "pond" }

entity Plot in farm {
  id     bigint primary
  name   varchar(40) not null unique
  size   bigint not null check "size > 0"
  note   text
  index by size
}

job Count in farm {
  args { id bigint not null }
}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write(tmp_path, old=OLD, new=NEW, empty="")


@pytest.mark.parametrize(
    "words",
    [
        ["old.atl", "new.atl"],
        ["new.atl", "old.atl"],
        ["old.atl", "new.atl", "--color", "always"],
        ["old.atl", "new.atl", "--format", "markdown"],
        ["old.atl", "old.atl"],
        ["old.atl", "old.atl", "--format", "markdown"],
        ["empty.atl", "old.atl"],
    ],
    ids=" ".join,
)
def test_forms(words: list[str], folder: Path, snapshot: SnapshotAssertion) -> None:
    ran = atl("diff", *words, cwd=folder)
    assert ran.err == ""
    assert f"exit {ran.code}\n{ran.out}" == snapshot


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_json_of_every_case_is_as_described(case: Path) -> None:
    from atl.migrate.document import as_json
    from atl.migrate.plan import make_plan
    from tests.plan_cases.reading import case_diff

    made = make_plan(case_diff(case))
    data: dict[str, Any] = as_json(made)
    jsonschema.Draft202012Validator(json_schema()).validate(data)
    assert as_json(make_plan(case_diff(case))) == data
    assert sum(data["summary"].values()) == len(data["changes"])


def test_json(folder: Path) -> None:
    printed = json.loads(atl("diff", "--json-schema", cwd=folder).out)
    jsonschema.Draft202012Validator.check_schema(printed)
    ran = atl("diff", "old.atl", "new.atl", "--format", "json", cwd=folder)
    data = json.loads(ran.out)
    jsonschema.Draft202012Validator(printed).validate(data)
    assert (ran.code, data["version"], data["class"], data["manual"]) == (4, 1, "destructive", False)
    assert list(data) == ["version", "class", "manual", "summary", "changes", "stages"]
    assert ran == atl("diff", "old.atl", "new.atl", "--format", "json", cwd=folder)


@pytest.mark.parametrize(
    ("limit", "code"),
    [("additive", 4), ("backfill_required", 4), ("cross_caller_breaking", 4), ("destructive", 4)],
)
def test_fail_at_a_class(limit: str, code: int, folder: Path) -> None:
    assert atl("diff", "old.atl", "new.atl", "--fail-at", limit, cwd=folder).code == code
    below = atl("diff", "empty.atl", "new.atl", "--fail-at", limit, cwd=folder)
    assert below.code == 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["plan", "--against", "x", "--db", "y"], "--against and --db both say what to compare with: give one"),
        (["plan", "in", "--against", "no"], "no: no such folder, file or git revision, and this is no git repository"),
        (["plan", "nowhere"], "nowhere: no such file or folder"),
        (["plan", "--frmat"], "unrecognized arguments: --frmat (see `atl plan --help`)"),
        (["diff", "old.atl"], "name the old side and the new one: atl diff OLD NEW"),
        (["diff", "old.atl", "new.atl", "--sql", "--format", "json"], "--sql and --down go with no --format"),
        (["diff", "old.atl", "old.txt"], "old.txt: is neither a folder, nor an `.atl` file, nor schema JSON (`.json`)"),
        (["diff", "old.json", "old.atl"], "old.json: not JSON: Expecting value: line 1 column 1 (char 0)"),
        (["apply", "--wait", "-1"], "--wait is a number of seconds"),
        (["apply", "--plan", "x", "--reap"], "--plan goes with no --adopt, --reap or --back-out"),
        (["apply", "in", "--db", ""], "--db is empty: has the variable that it is taken from a value?"),
        (["plan", "in", "--db", " "], "--db is empty: has the variable that it is taken from a value?"),
    ],
)  # fmt: skip
def test_what_could_not_be_planned_is_3(words: list[str], said: str, folder: Path) -> None:
    (folder / "in").mkdir()
    (folder / "old.txt").write_text("")
    (folder / "old.json").write_text("x")
    ran = atl(*words, cwd=folder)
    assert (ran.code, ran.out, ran.err) == (3, "", f"atl: {said}\n")


def test_outside_of_a_repository_the_database_of_apply_is_meant(tmp_path: Path) -> None:
    ran = atl("plan", cwd=write(tmp_path, a=OLD), ATL_DATABASE_URL="postgresql://me:secret@127.0.0.1:1/shop")
    assert ran.code == 3
    assert ran.err.startswith("atl: cannot connect to me@127.0.0.1:1/shop: ")
    assert "secret" not in ran.err


def test_who_breaks_is_named(tmp_path: Path) -> None:
    cached = tmp_path / ".tide-cache" / "schema"
    cached.mkdir(parents=True)
    (tmp_path / "tide.yaml").write_text("caller: farm\n")
    (cached / "bill.atl").write_text(
        "entity Bill in bill {\n  id bigint primary\n  plot bigint references farm.Plot.id\n}\n"
    )
    write(tmp_path, old=OLD, new="")
    ran = atl("diff", "old.atl", "new.atl", cwd=tmp_path)
    assert "used at .tide-cache/schema/bill.atl:3" in ran.out


def test_a_stale_hint_is_told(folder: Path) -> None:
    write(folder, hint=OLD.replace("  notes", "  // atl: renamed-from remark\n  notes"))
    ran = atl("diff", "old.atl", "hint.atl", cwd=folder)
    assert ran.code == 0
    assert "hint.atl:8: the hint that `farm.Plot.notes` was called `remark` names nothing" in ran.err
