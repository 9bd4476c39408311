"""`atl schema` as a process."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema

from atl.schema import canonical
from tests.cli.running import CLEAN, WRONG, atl, write


def test_the_schema_of_a_workspace(tmp_path: Path) -> None:
    (tmp_path / "jobs").mkdir()
    (tmp_path / "tide.yaml").write_text("schema_paths: [jobs]\n")
    write(tmp_path / "jobs", größe=CLEAN)
    write(tmp_path, not_read=WRONG)
    for path in ([], ["."], ["jobs"], ["jobs/größe.atl"]):
        ran = atl("schema", *path, cwd=tmp_path)
        assert (ran.code, ran.err) == (0, "")
        assert list(json.loads(ran.out)["jobs"]) == ["sales.Nightly"]
    assert canonical.dump(canonical.load(ran.out)) == ran.out
    described = json.loads(atl("schema", "--json-schema", cwd=tmp_path).out)
    jsonschema.Draft202012Validator(described).validate(json.loads(ran.out))
    digest = atl("schema", "--digest", cwd=tmp_path).out
    assert digest == f"{canonical.digest(canonical.load(ran.out))}\n"


def test_no_schema_of_half_a_workspace(tmp_path: Path) -> None:
    write(tmp_path, a=CLEAN, b=WRONG)
    assert atl("schema", cwd=tmp_path) == (
        1,
        "",
        "atl: 1 error in this workspace: a schema needs all of it (see `atl check`)\n",
    )
    assert atl("schema", "nowhere", cwd=tmp_path) == (2, "", "atl: nowhere: no such file or folder\n")
