"""`make bench`: our times beside those of peers, all in one run on this machine, with the goals.

    python -m bench.run [--rounds N] [--quick]

Medians; the table goes to standard output and, with what was run, to `bench/out/`.
"""

from __future__ import annotations

import argparse
import json
import platform
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from bench import databases, growth, peers, planning, table
from bench.measure import Job, Usage, measure, percentile
from bench.workspace import LINES, declarations, one_file, write_workspace

__all__: list[str] = []

_FILES = 1000
_LONG = 5000  # lines
_RACY = 2.5  # seconds until a file counts as settled for the cache on disk

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "bench" / "out"


def main() -> None:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--rounds", type=int, default=7, help="of each command, at least 5 for a verdict (default: 7)")
    parser.add_argument("--quick", action="store_true", help="without the growth from 100 to 10,000 files")
    args = parser.parse_args()
    found = peers.install()
    with tempfile.TemporaryDirectory(prefix="atl-bench-") as name:
        folder = Path(name)
        rows = _commands(folder, found, args.rounds)
        rows += _editor(folder, found)
        rows += planning.rows(folder / "planning", _atl(), found, _FILES)
        rows += databases.rows(folder / "databases", _atl())
        if not args.quick:
            rows += growth.rows(folder / "growth", _atl())
    facts = {
        "machine": platform.platform(),
        "python": sys.version.split()[0],
        "peers": found.versions,
        "missing": found.missing,
        "rounds": args.rounds,
        "files": _FILES,
        "lines": _FILES * LINES,
    }
    text = table.render(rows)
    table.write(OUT, text, rows, facts)
    print(text, end="")
    print(f"\nmedians of {args.rounds}; {', '.join(f'{k} {v}' for k, v in found.versions.items()) or 'no peers'}")


def _atl() -> list[str]:
    script = Path(sys.executable).with_name("atl")
    return [str(script)] if script.exists() else [sys.executable, "-m", "atl"]


def _commands(folder: Path, found: peers.Peers, rounds: int) -> list[table.Row]:
    work, changing = folder / "workspace", folder / "changing"
    for each in (work, changing):
        write_workspace(each, declarations(_FILES))
    for name, sql in (("plain", False), ("sql", True)):
        write_workspace(folder / name, {"one.atl": one_file(LINES, sql)})
    peers.write_prisma(folder / "prisma", _FILES)
    peers.write_proto(folder / "proto", _FILES)
    (folder / "one.prisma").write_text(peers.prisma_file(LINES))
    time.sleep(_RACY)

    atl = _atl()
    jobs = [
        Job("python", [sys.executable, "-c", "pass"], folder),
        _check("cold", atl, work, _forget),
        _check("warm", atl, work),
        _check("changed", atl, changing, _change(changing)),
        _check("plain", atl, folder / "plain", _forget),
        _check("plain warm", atl, folder / "plain"),
        _check("sql", atl, folder / "sql", _forget),
    ]
    if found.wasm:
        jobs.append(Job("prisma", [*found.script("validate"), "prisma"], folder))
        jobs.append(Job("prisma one", [*found.script("validate"), "one.prisma"], folder))
    if found.prisma:
        for name, schema in (("prisma command", "prisma"), ("prisma command one", "one.prisma")):
            jobs.append(Job(name, found.command(schema), folder, env=peers.PRISMA_ENV))
    if found.buf:
        jobs.append(Job("buf build", [found.buf, "build"], folder / "proto"))
        jobs.append(Job("buf lint", [found.buf, "lint"], folder / "proto"))
    times = measure(jobs, rounds)

    def row(name: str, job: str, beside: str, other: str, goal: float | None = None) -> table.Row:
        return table.compared(name, times[job], beside, times.get(other), goal)

    thousand = f"{_FILES:,} files"
    return [
        row(f"check {thousand}, cold", "cold", "prisma validate", "prisma command", 0.8),
        row(f"check {thousand}, cold", "cold", "its module alone", "prisma", 0.8),
        row(f"check {thousand}, cold", "cold", "buf lint", "buf lint", 0.35),
        row(f"check {thousand}, cold", "cold", "buf build", "buf build"),
        row(f"check {thousand}, nothing changed", "warm", "python -c pass", "python", 4),
        row(f"check {thousand}, one file changed", "changed", "python -c pass", "python", 6),
        row("check one file without SQL, cold", "plain", "python -c pass", "python", 3.5),
        row("check one file without SQL, cold", "plain", "prisma validate", "prisma command one", 0.3),
        row("check one file without SQL, cold", "plain", "its module alone", "prisma one", 0.3),
        row("check one file without SQL, warm", "plain warm", "python -c pass", "python"),
        row("check one file with SQL, cold", "sql", "python -c pass", "python"),
        row("check one file with SQL, cold", "sql", "prisma validate", "prisma command one"),
        table.within(f"check {thousand}, cold: memory", _megabytes(times["cold"]), "MB", None),
    ]


def _check(name: str, atl: Sequence[str], folder: Path, before: Callable[[Path], None] | None = None) -> Job:
    cache = folder.parent / f"cache-{name.replace(' ', '-')}"
    return Job(
        name,
        [*atl, "check"],
        folder,
        (lambda: before(cache)) if before is not None else None,
        {"XDG_CACHE_HOME": str(cache)},
    )


def _forget(cache: Path) -> None:
    shutil.rmtree(cache, ignore_errors=True)


def _change(work: Path) -> Callable[[Path], None]:
    """Give one entity another field, under another name each time."""
    path = sorted(work.glob("internal/*/*.atl"))[_FILES // 2]
    text = path.read_text()
    number = 0

    def change(_: Path) -> None:
        nonlocal number
        number += 1
        path.write_text(text.replace("  created_at ", f"  changed_{number} int\n  created_at ", 1))

    return change


def _megabytes(usage: Usage) -> float:
    return usage.memory / 1e6


def _editor(folder: Path, found: peers.Peers) -> list[table.Row]:
    path = "internal/long.atl"
    write_workspace(folder / "workspace", {path: _renamed(one_file(_LONG))})
    command = [sys.executable, "-m", "bench.editor", str(folder / "workspace"), path]
    ours = json.loads(subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout)
    p95 = percentile(ours["keys"], 0.95)
    rows = [table.within("key to findings, 5,000-line file: p95", p95, "ms", 10)]
    other = None
    if found.wasm:
        (folder / "long.prisma").write_text(peers.prisma_file(_LONG))
        theirs = subprocess.run(
            [*found.script("lint"), str(folder / "long.prisma"), "100"], check=True, capture_output=True, text=True
        )
        other = Usage(percentile(json.loads(theirs.stdout), 0.95) / 1000, 0, 0)
    name = "key to findings, 5,000-line file: p95"
    rows.append(table.compared(name, Usage(p95 / 1000, 0, 0), "prisma lint", other, 0.35))
    rows.append(table.within("key to completion list: p95", percentile(ours["lists"], 0.95), "ms", 15))
    rows.append(table.within("memory of the server's workspace, 1,000 files", ours["memory"] / 1e6, "MB", 150))
    rows.append(table.within("opening 1,000 files", ours["opened"] * 1000, "ms", None))
    return rows


def _renamed(text: str) -> str:
    """In namespaces of its own, so that it can stand beside the others."""
    import re

    from bench.vocabulary import DOMAINS

    domains = "|".join(domain for domain, _ in DOMAINS)
    return re.sub(rf"\b({domains})((?:_\d+)?)(?=[. _]|$)", r"long_\1\2", text, flags=re.MULTILINE)


if __name__ == "__main__":
    main()
