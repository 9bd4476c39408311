"""What a plan costs: two schemas of 1,000 files between which 50 changes lie, and the same in Prisma's language.

Prisma's command wants an engine that its packages do not have; where it is missing, the engine's WebAssembly module
stands for it. It has no schema that is parsed already, so its time always has both sides' parsing in it.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

from bench import peers, table
from bench.measure import Job, Usage, measure
from bench.workspace import declarations, write_workspace

__all__ = ["CHANGES", "changed", "rows"]

CHANGES = 50
_ROUNDS = 3

# One change of each kind: what is replaced in our language, and in Prisma's.
_KINDS = (
    (r"(\n  created_at )", r"\n  changed int\1", r"(\n  createdAt )", r"\n  changed Int?\1"),
    (
        r"(\n  created_at )",
        r"\n  changed int not null default 0\1",
        r"(\n  createdAt )",
        r"\n  changed Int @default(0)\1",
    ),
    (r"(\n  tenant_id +uuid +)not null", r"\1", r"(\n  tenantId +String)", r"\1?"),
    (r"(\n  created_at +timestamptz +not null) default now\(\)", r"\1", r"(\n  createdAt DateTime) @.*", r"\1"),
    (r"(\n  index by tenant_id)", r"\n  index by updated_at\1", r"(\n  @@index)", r"\n  @@index([updatedAt])\1"),
)


def changed(texts: Sequence[str], prisma: bool = False) -> list[str]:
    """The same texts with CHANGES changes, each in another text, of five kinds in turn."""
    made = list(texts)
    step = max(len(made) // CHANGES, 1)
    for number in range(CHANGES):
        pattern, new = _KINDS[number % len(_KINDS)][2 * prisma :][:2]
        made[number * step], count = re.subn(pattern, new, made[number * step], count=1)
        if not count:
            raise ValueError(f"text {number * step} has no {pattern!r}")
    return made


def rows(folder: Path, atl: Sequence[str], found: peers.Peers, files: int) -> list[table.Row]:
    """Medians of _ROUNDS: no goal hangs on them."""
    texts = declarations(files)
    paths = [path for path in texts if path.endswith(".atl")]
    write_workspace(folder / "old", texts)
    write_workspace(folder / "new", texts | dict(zip(paths, changed([texts[path] for path in paths]), strict=True)))
    for side in ("old", "new"):
        with (folder / f"{side}.json").open("w") as out:
            subprocess.run([*atl, "schema"], cwd=folder / side, stdout=out, check=True)
    cache = folder / "cache"

    def job(name: str, *words: str, before: Callable[[], None] | None = None) -> Job:
        return Job(name, [*atl, "diff", *words], folder, before, {"XDG_CACHE_HOME": str(cache)}, (0, 1, 2, 4))

    jobs = [
        job("folders", "./old", "./new", before=lambda: shutil.rmtree(cache, ignore_errors=True)),
        job("json", "old.json", "new.json"),
        job("sql", "old.json", "new.json", "--sql"),
    ]
    module: Usage | None = None
    _write_prisma(folder / "prisma", files)
    if found.engine:
        command = found.engine_diff("prisma/old", "prisma/new")
        jobs.append(Job("module", [*command, "0"], folder))
        said = subprocess.run([*command, str(_ROUNDS)], cwd=folder, check=True, capture_output=True, text=True)
        module = Usage(median(json.loads(said.stderr)) / 1000, 0, 0)
    if found.prisma and found.has_engine:
        jobs.append(Job("prisma", found.migrate_diff("prisma/old", "prisma/new"), folder, env=peers.QUIET))
    times = measure(jobs, _ROUNDS)

    def row(name: str, ours: str, beside: str, other: str) -> table.Row:
        return table.compared(f"diff of {files:,} files, {name}", times[ours], beside, times.get(other), None)

    compared, planned = _in_process(folder)
    return [
        row("folders, cold", "folders", "prisma migrate diff", "prisma"),
        row("folders, cold", "folders", "its module alone", "module"),
        row("schema JSON", "json", "its module alone", "module"),
        row("schema JSON, --sql", "sql", "its module alone", "module"),
        table.compared("diff in process", compared, "its module, with parsing", module, None),
        table.compared("plan of that diff in process", planned, "its module, with parsing", module, None),
    ]


def _write_prisma(folder: Path, files: int) -> None:
    for side in ("old", "new"):
        paths = peers.write_prisma(folder / side, files)
        if side == "new":
            for path, text in zip(paths, changed([path.read_text() for path in paths], prisma=True), strict=True):
                path.write_text(text)


def _in_process(folder: Path) -> tuple[Usage, Usage]:
    """What comparing two schemas costs, and what making the plan of it."""
    from atl.diff import diff
    from atl.migrate.plan import make_plan
    from atl.schema.canonical import load

    old, new = (load((folder / f"{side}.json").read_text()) for side in ("old", "new"))
    compared, planned = [], []
    for _ in range(_ROUNDS):
        started = time.perf_counter()
        found = diff(old, new)
        between = time.perf_counter()
        make_plan(found)
        compared.append(between - started)
        planned.append(time.perf_counter() - between)
    if len(found.changes) != CHANGES:
        raise RuntimeError(f"{len(found.changes)} changes, not {CHANGES}")
    return Usage(median(compared), 0, 0), Usage(median(planned), 0, 0)
