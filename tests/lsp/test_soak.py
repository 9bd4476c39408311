"""A short soak in every run of the tests; `make soak` is the long one."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.lsp.soak import GROWTH, soak


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="what a process holds is read from /proc")
def test_memory_does_not_grow() -> None:
    rows = soak(1500, 10)
    assert rows[-1] <= rows[len(rows) // 3] * GROWTH, [row >> 20 for row in rows]
