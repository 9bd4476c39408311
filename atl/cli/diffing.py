"""Unified diffs of texts, for `--diff`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from atl.findings.render_paint import Paint

__all__ = ["unified_diff"]


def unified_diff(path: str, old: str, new: str, paint: Paint) -> str:
    """A diff that `patch -p0` applies; lines end at LF alone. "" when the texts are equal."""
    from difflib import unified_diff as differ

    rows = []
    for row in differ(_lines(old), _lines(new), path, path):
        text, end = (row[:-1], "\n") if row.endswith("\n") else (row, "\n\\ No newline at end of file\n")
        rows.append(paint(_style(row), text) + end)
    return "".join(rows)


def _lines(text: str) -> list[str]:
    """The lines with their ends; unlike `splitlines`, a form feed or U+2028 ends none."""
    lines = [f"{line}\n" for line in text.split("\n")]
    last = lines.pop()[:-1]
    return [*lines, last] if last else lines


def _style(row: str) -> str:
    if row.startswith(("---", "+++")):
        return "title"
    if row.startswith("@@"):
        return "place"
    return {"+": "added", "-": "removed"}.get(row[0], "")
