"""A plan as a comment on a pull request."""

from __future__ import annotations

import re
from itertools import groupby

from atl.diff import Change, Class
from atl.migrate.document import summary
from atl.migrate.model import Plan

__all__ = ["render"]

# A comment may have 65,536 characters; what is around the plan needs some of them.
_LIMIT = 60_000
_SIGNS = {
    Class.ADDITIVE: "🟢",
    Class.BACKFILL_REQUIRED: "🟡",
    Class.CROSS_CALLER_BREAKING: "🟠",
    Class.DESTRUCTIVE: "🔴",
}


def render(plan: Plan, old: str, new: str) -> str:
    """old, new: what the sides are called. Ends in the SQL, folded away, unless that makes it too long."""
    if not plan.diff.changes:
        return f"### Schema plan: no change\n\n{_text(old)} → {_text(new)}\n"
    counts = ", ".join(f"{count} {cls}" for cls, count in summary(plan.diff).items())
    lines = [
        f"### Schema plan: {_SIGNS[plan.cls]} {plan.cls.value}",
        "",
        f"{_text(old)} → {_text(new)}: {counts}",
        "",
        "| | what | happens | class |",
        "|---|---|---|---|",
    ]
    for id, changes in groupby(plan.diff.changes, key=lambda change: change.id):
        lines += [_row(id, change) for change in changes]
    for change in plan.by_hand:
        lines += ["", f"**By hand:** {_code(_name(change))}: {_text(change.message)}"]
    for suggestion in plan.diff.suggestions:
        name = f"{suggestion.id}.{suggestion.member}".rstrip(".")
        lines += ["", f"{_code(name)} may be what was {_code(suggestion.old_name)}: {_code(suggestion.hint)}"]
    text = "\n".join(lines)
    sql = ";\n".join(statement.sql for statement in plan.statements)
    if sql and len(text) + len(sql) < _LIMIT:
        fence = "`" * max(3, max((len(run) for run in re.findall("`+", sql)), default=0) + 1)
        text += f"\n\n<details><summary>SQL</summary>\n\n{fence}sql\n{sql};\n{fence}\n\n</details>"
    if len(text) > _LIMIT:
        text = text[:_LIMIT].rpartition("\n")[0] + "\n\nand more: see `atl plan`"
    return text + "\n"


def _name(change: Change) -> str:
    return f"{change.id}.{change.member}".rstrip(".")


def _row(id: str, change: Change) -> str:
    said = _text(change.message)
    if change.reason:
        said += f"; {_text(change.reason)}"
    if change.hazards:
        said += f" ({', '.join(hazard.value for hazard in change.hazards)})"
    for file, line in change.callers:
        said += f"<br>used at {_code(f'{file}:{line}')}"
    member = f" {_code(change.member)}" if change.member else ""
    place = f"<br>{_code(f'{change.where[0]}:{change.where[1]}')}" if change.where[0] else ""
    hand = ", by hand" if change.manual else ""
    kind = change.kind.replace("_", " ")
    return f"| {_SIGNS[change.cls]} | {_code(id)}{member} {kind}{place} | {said} | {change.cls.value}{hand} |"


def _code(text: str) -> str:
    """Text of the author's as code in a table: no line end, no end of the cell, no end of the code."""
    text = re.sub(r"\s+", " ", text).replace("|", "\\|")
    if "`" in text:
        fence = "`" * (max(len(run) for run in re.findall("`+", text)) + 1)
        return f"{fence} {text} {fence}"
    return f"`{text}`"


def _text(text: str) -> str:
    """A sentence that may quote names in backquotes; nothing else of it is markup, mention or link."""
    parts = re.split("`([^`]*)`", re.sub(r"\s+", " ", text))
    return "".join(_code(part) if at % 2 else _plain(part) for at, part in enumerate(parts) if part)


def _plain(text: str) -> str:
    return re.sub(r"([\\|*_<>\[\]#@&~!])", lambda found: f"&#{ord(found[1])};", text)
