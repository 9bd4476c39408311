"""Files and their laid-out form: `x.atl` becomes `x.out.atl`, or stays as it is where there is none."""

from __future__ import annotations

from pathlib import Path

import pytest

from atl.format.document import format_file
from atl.source import SourceFile

CASES = sorted(path for path in (Path(__file__).parent / "cases").glob("*.atl") if not path.name.endswith(".out.atl"))


def formatted(data: bytes) -> bytes:
    return format_file(SourceFile.from_bytes("case.atl", data)).encode("utf-8", "surrogateescape")


@pytest.mark.parametrize("case", CASES, ids=lambda path: path.stem)
def test_case(case: Path, request: pytest.FixtureRequest) -> None:
    expected = case.with_name(f"{case.stem}.out.atl")
    out = formatted(case.read_bytes())
    if request.config.getoption("--snapshot-update", default=False) and expected.exists():
        expected.write_bytes(out)
    assert out == (expected if expected.exists() else case).read_bytes()
    assert formatted(out) == out
