"""Running commands and taking their times.

Everything that is compared is run in turn, round after round, so that what else the machine does falls on all alike.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median

__all__ = ["Job", "Usage", "measure", "middle", "percentile", "run_once"]


@dataclass(frozen=True, slots=True)
class Job:
    """A command to take the time of. before: called before each run, outside of the time. codes: the exit codes with
    which it has done its work."""

    name: str
    command: Sequence[str]
    folder: Path
    before: Callable[[], None] | None = None
    env: Mapping[str, str] | None = None
    codes: tuple[int, ...] = (0,)


@dataclass(frozen=True, slots=True)
class Usage:
    """seconds: from start to end. cpu: what its processes used of the processors, in seconds, which other programs on
    the machine change little. memory: the largest resident size of the process, in bytes."""

    seconds: float
    cpu: float
    memory: int


def run_once(job: Job) -> Usage:
    """Run a command once. Raises RuntimeError with what it said when it did not do its work."""
    if job.before is not None:
        job.before()
    env = {**os.environ, **(job.env or {})}
    env.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed package has its bytecode
    started = time.perf_counter()
    child = subprocess.Popen(
        job.command, cwd=job.folder, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    )
    assert child.stdout is not None
    said = child.stdout.read()
    _, status, used = os.wait4(child.pid, 0)
    seconds = time.perf_counter() - started
    child.stdout.close()
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode not in job.codes:
        raise RuntimeError(f"{job.name} ended with {child.returncode}: {said[-2000:]}")
    memory = used.ru_maxrss * (1 if sys.platform == "darwin" else 1024)
    return Usage(seconds, used.ru_utime + used.ru_stime, memory)


def measure(jobs: Sequence[Job], rounds: int) -> dict[str, Usage]:
    """The medians of each job, by name, over that many rounds; one more before them is not counted."""
    found: dict[str, list[Usage]] = {job.name: [] for job in jobs}
    for number in range(rounds + 1):
        for job in jobs:
            usage = run_once(job)
            if number:
                found[job.name].append(usage)
    return {name: middle(usages) for name, usages in found.items()}


def middle(usages: Sequence[Usage]) -> Usage:
    """The medians of the times, the largest of the memory."""
    return Usage(median(u.seconds for u in usages), median(u.cpu for u in usages), max(u.memory for u in usages))


def percentile(values: Sequence[float], part: float) -> float:
    """The value below which that part (0 to 1) of the values lies."""
    ordered = sorted(values)
    return ordered[min(int(len(ordered) * part), len(ordered) - 1)]
