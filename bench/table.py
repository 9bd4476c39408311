"""The table of ratios and goals, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from bench.measure import Usage

__all__ = ["Row", "compared", "render", "within", "write"]


@dataclass(frozen=True, slots=True)
class Row:
    """value: what was measured, with its unit. ratio: to what `beside` names, None where there is nothing beside it;
    cpu: the same of the processor time, which a busy machine changes less.
    goal: what the ratio, or the value where there is none, may be at most; None where none is set. verdict: `ok`,
    `missed`, or why there is no answer."""

    name: str
    value: str
    beside: str = ""
    ratio: float | None = None
    cpu: float | None = None
    goal: float | None = None
    verdict: str = ""


def compared(name: str, ours: Usage, beside: str, theirs: Usage | None, goal: float | None) -> Row:
    """Times as multiples of others of the same run; `theirs` None says that these could not be had."""
    value = _seconds(ours.seconds)
    if theirs is None:
        return Row(name, value, beside, goal=goal, verdict="peer not installed")
    ratio = ours.seconds / theirs.seconds
    cpu = ours.cpu / theirs.cpu if theirs.cpu else None
    return Row(name, value, f"{beside} ({_seconds(theirs.seconds)})", ratio, cpu, goal, _verdict(ratio, goal))


def within(name: str, value: float, unit: str, goal: float | None) -> Row:
    """A value with a goal of its own."""
    return Row(name, f"{value:.1f} {unit}", goal=goal, verdict=_verdict(value, goal))


def _verdict(value: float, goal: float | None) -> str:
    return "" if goal is None else "ok" if value <= goal else "missed"


def _seconds(seconds: float) -> str:
    return f"{seconds * 1000:.0f} ms" if seconds >= 0.1 else f"{seconds * 1000:.1f} ms"


def render(rows: Sequence[Row]) -> str:
    """A Markdown table that is aligned as plain text too."""
    cells = [("what", "time", "beside", "ratio", "cpu", "goal", "")]
    cells += [
        (
            row.name,
            row.value,
            row.beside,
            "" if row.ratio is None else f"{row.ratio:.2f}",
            "" if row.cpu is None else f"{row.cpu:.2f}",
            "" if row.goal is None else f"{row.goal:g}",
            row.verdict,
        )
        for row in rows
    ]
    widths = [max(len(line[column]) for line in cells) for column in range(len(cells[0]))]
    lines = ["| " + " | ".join(f"{cell:{width}}" for cell, width in zip(line, widths, strict=True)) for line in cells]
    rule = "|".join("-" * (width + 2) for width in widths)
    return "".join(f"{line} |\n" for line in lines).replace("\n", f"\n|{rule}|\n", 1)


def write(folder: Path, text: str, rows: Iterable[Row], facts: object) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "table.md").write_text(text)
    data = {"facts": facts, "rows": [asdict(row) for row in rows]}
    (folder / "table.json").write_text(json.dumps(data, indent=2) + "\n")
