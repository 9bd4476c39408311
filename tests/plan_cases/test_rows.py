"""What becomes of rows: each case applied on a real server, old side first."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import psycopg
import pytest

from tests.databases import Subject
from tests.plan_cases.reading import CASES, expected

WITH_ROWS = [case for case in CASES if (case / "rows.sql").exists()]


def write_side(case: Path, side: str, folder: Path) -> None:
    """The workspace that a side is."""
    for old in (*folder.glob("*.atl"), *folder.glob("*/*.atl")):
        old.unlink()
    for beside in ("tide.yaml", ".tide-cache"):
        if (case / beside).is_dir():
            shutil.copytree(case / beside, folder / beside, dirs_exist_ok=True)
        elif (case / beside).exists():
            shutil.copyfile(case / beside, folder / beside)
    if (case / side).is_dir():
        shutil.copytree(case / side, folder / side, dirs_exist_ok=True)
    elif (case / f"{side}.atl").exists():
        shutil.copyfile(case / f"{side}.atl", folder / f"{side}.atl")


def shown(value: Any) -> bytes | None:
    """A value of a case as PostgreSQL's text."""
    if value is None:
        return None
    if isinstance(value, bool):
        return b"t" if value else b"f"
    return str(value).encode()


@pytest.mark.parametrize("case", WITH_ROWS, ids=lambda path: path.name)
def test_rows(case: Path, subject: Subject) -> None:
    want = expected(case)
    write_side(case, "old", subject.folder)
    first = subject.atl("apply")
    assert first.code == 0, first.said
    subject.sql((case / "rows.sql").read_text("utf-8"))
    write_side(case, "new", subject.folder)
    planned = subject.atl("plan")
    assert planned.code == want["exit"], planned.said
    flags = [word for c in sorted({c["class"] for c in want["changes"]}) for word in _flags(c)]
    if flags and not want["manual"]:
        assert subject.atl("apply").code == want["exit"]
    ran = subject.atl("apply", *flags)
    assert ran.code == (want["exit"] if want["manual"] else 0), ran.said
    with psycopg.connect(subject.address, autocommit=True) as connection:
        for asked in want["rows_after"]:
            try:
                cursor = connection.execute(asked["query"].encode())
            except psycopg.errors.FeatureNotSupported as problem:
                pytest.skip(f"this server cannot be asked: {problem.diag.message_primary}")
            result = cursor.pgresult
            assert result is not None
            found = [[result.get_value(r, c) for c in range(result.nfields)] for r in range(result.ntuples)]
            assert found == [[shown(v) for v in row] for row in asked["result"]], asked["query"]
    if not want["manual"]:
        assert subject.atl("inspect") == (0, "no difference\n")
        assert subject.atl("plan").code == 0


def _flags(cls: str) -> list[str]:
    return {"additive": [], "backfill_required": ["--backfill"]}.get(cls, ["--allow", cls])
