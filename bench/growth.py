"""How time and memory grow with the workspace."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path

from bench.measure import Job, Usage, middle, run_once
from bench.table import Row
from bench.workspace import declarations, write_workspace

__all__ = ["rows"]

_SIZES = (100, 300, 1000, 3000, 10000)
_ROUNDS = 3


def rows(folder: Path, atl: Sequence[str]) -> list[Row]:
    """`atl check --no-cache` over each size, and the exponents with which processor time and memory grow: 1 is
    linear."""
    found: dict[int, Usage] = {}
    for size in _SIZES:
        work = folder / str(size)
        write_workspace(work, declarations(size))
        job = Job(f"{size} files", [*atl, "check", "--no-cache"], work)
        found[size] = middle([run_once(job) for _ in range(_ROUNDS)])
    made = [
        Row(
            f"check {size:,} files",
            f"{usage.seconds * 1000:.0f} ms",
            f"{usage.cpu / size * 1000:.2f} ms of a processor a file, {usage.memory / 1e6:.0f} MB",
        )
        for size, usage in found.items()
    ]
    for what, values in (
        ("time", {size: usage.cpu for size, usage in found.items()}),
        ("memory", {size: float(usage.memory) for size, usage in found.items()}),
    ):
        slope = _exponent(values)
        made.append(Row(f"exponent of {what}, 1,000 to 10,000 files", f"{slope:.2f}", "", None, None))
    return made


def _exponent(values: dict[int, float]) -> float:
    """The slope of a line through the logarithms, by least squares, where the start does not count any more."""
    points = [(math.log(size), math.log(value)) for size, value in values.items() if size >= 1000]
    x = sum(p[0] for p in points) / len(points)
    y = sum(p[1] for p in points) / len(points)
    return sum((p[0] - x) * (p[1] - y) for p in points) / sum((p[0] - x) ** 2 for p in points)
