"""Random changes of random schemas with rows, carried out on a real server.

Some dozens by default; `ATL_PAIRS=5000 pytest tests/migrate/test_pairs.py` tries as many, and `ATL_PAIRS=1042:1` tries
the one of seed 1042.
"""

from __future__ import annotations

import os

import pytest

from tests.migrate.executing import Database
from tests.migrate.pairs import Refused, check_pair
from tests.migrate.spelling import SPELLINGS

_ASKED = os.environ.get("ATL_PAIRS", "40").partition(":")
SEEDS = range(int(_ASKED[0]), int(_ASKED[0]) + int(_ASKED[2])) if _ASKED[1] else range(int(_ASKED[0]))


@pytest.mark.parametrize("seed", SEEDS)
def test_pair(databases: tuple[Database, Database], seed: int) -> None:
    try:
        check_pair(*databases, seed)
    except Refused as reason:
        pytest.skip(f"the rows do not allow it: {reason}")


@pytest.mark.parametrize("spelling", [name for name in SPELLINGS if name != "plain"])
@pytest.mark.parametrize("seed", range(400, 402))
def test_every_name_is_quoted(databases: tuple[Database, Database], seed: int, spelling: str) -> None:
    try:
        check_pair(*databases, seed, spelling)
    except Refused as reason:
        pytest.skip(f"the rows do not allow it: {reason}")
