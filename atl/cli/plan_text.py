"""A plan for people: changes under their declarations, what they cost, what is to be done by hand."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from atl.diff.model import Class
from atl.findings.render_cells import one_line
from atl.migrate.document import summary
from atl.migrate.wording import flags_for, name_of, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator

    from atl.diff import Change
    from atl.findings.render_paint import Paint
    from atl.migrate.model import Plan

__all__ = ["headline", "mark", "plan_text", "what_now"]

# Values longer than this (in characters) stand on a line of their own.
_BESIDE = 50


def mark(change: Change) -> str:
    """`+` of what comes, `-` of what goes, `~` of what changes. A clause that comes or goes changes a declaration."""
    what = change.kind.rpartition("_")[2]
    return {"added": "+", "appended": "+", "inserted": "+", "removed": "-"}.get(what, "~")


def plan_text(plan: Plan, old: str, new: str, paint: Paint, advise: bool = True) -> str:
    """old, new: what the sides are called. advise: end in what to do next."""
    if not plan.diff.changes:
        return f"{one_line(old)} -> {one_line(new)}: no change\n"
    lines = [f"{paint('title', f'plan {plan.id}')}: {one_line(old)} -> {one_line(new)}", ""]
    blocks = [list(changes) for _, changes in groupby(plan.diff.changes, key=lambda change: change.id)]
    width = max((len(changes[0].id) for changes in blocks if _is_short(changes)), default=0)
    before = True
    for changes in blocks:
        short = _is_short(changes)
        if not (short and before) and lines[-1]:
            lines.append("")
        lines += [_whole(changes[0], width, paint)] if short else _declaration(changes, paint)
        lines += [line for change in changes[:1] if short for line in _below(change, paint)]
        before = short
    lines.append("")
    for suggestion in plan.diff.suggestions:
        place = f"{suggestion.where[0]}:{suggestion.where[1]}" if suggestion.where[0] else "its declaration"
        name = f"{suggestion.id}.{suggestion.member}".rstrip(".")
        lines += [
            f"{paint('help', 'rename?')} "
            + one_line(f"if `{name}` is what was `{suggestion.old_name}`, write before {place}:"),
            f"    {one_line(suggestion.hint)}",
            "",
        ]
    for back in plan.unparks:
        name = f"{back.id}.{back.member}".rstrip(".")
        lines += [f"{paint('help', 'brought back')} `{one_line(name)}` was parked: it returns with its rows", ""]
    lines += [headline(plan, paint), *(what_now(plan) if advise else ())]
    return "\n".join(lines) + "\n"


def _is_short(changes: list[Change]) -> bool:
    """Whether a declaration is told in one line: it comes, goes, or changes as a whole."""
    return len(changes) == 1 and not changes[0].member


def _whole(change: Change, width: int, paint: Paint) -> str:
    name = one_line(change.id)
    return _line(change, f"{paint('heading', name)}{' ' * (width - len(name))}", paint)


def _declaration(changes: list[Change], paint: Paint) -> Iterator[str]:
    yield paint("heading", one_line(changes[0].id))
    width = max(len(one_line(change.member)) for change in changes)
    for change in changes:
        yield f"  {_line(change, f'{one_line(change.member):<{width}}' if width else '', paint)}"
        yield from _below(change, paint)


def _line(change: Change, name: str, paint: Paint) -> str:
    sign = mark(change)
    style = {"+": "added", "-": "removed", "~": "warning"}[sign]
    said = f"{change.kind.replace('_', ' ')}: {one_line(change.message)}"
    values = _values(change)
    if values and len(values) <= _BESIDE:
        said += f" ({values})"
    parts = [f"{paint(style, sign)} {name}" if name else paint(style, sign), said, paint("place", _place(change))]
    return ("  " if name else " ").join(parts[:2]) + (f"  {parts[2]}" if parts[2] else "")


def _values(change: Change) -> str:
    return " -> ".join(_short(one_line(value)) for value in values_of(change))


def _short(text: str) -> str:
    return text if len(text) <= 60 else f"{text[:57]}..."


def _place(change: Change) -> str:
    return one_line(f"{change.where[0]}:{change.where[1]}") if change.where[0] else ""


def _below(change: Change, paint: Paint) -> Iterator[str]:
    values = _values(change)
    if len(values) > _BESIDE:
        yield f"      {values}"
    about = [paint(_STYLES[change.cls], change.cls.value)] if change.cls is not Class.ADDITIVE else []
    about += ["by hand"] if change.manual else []
    about += [hazard.value for hazard in change.hazards]
    reason = f": {change.reason}" if change.reason else ""
    if about:
        yield f"      {', '.join(about)}{one_line(reason)}"
    for file, line in change.callers:
        yield f"      used at {paint('place', f'{one_line(file)}:{line}')}"


_STYLES = {
    Class.ADDITIVE: "added",
    Class.BACKFILL_REQUIRED: "help",
    Class.CROSS_CALLER_BREAKING: "warning",
    Class.DESTRUCTIVE: "error",
}


def headline(plan: Plan, paint: Paint) -> str:
    """`destructive: 1 additive, 1 destructive; 3 stages, 12 statements`."""
    counts = ", ".join(f"{count} {cls}" for cls, count in summary(plan.diff).items())
    stages, statements = len(plan.stages), len(plan.statements)
    sql = f"{_number(stages, 'stage')}, {_number(statements, 'statement')}" if statements else "no SQL"
    return f"{paint(_STYLES[plan.cls], plan.cls.value)}: {counts}; {sql}"


def what_now(plan: Plan) -> list[str]:
    """What `atl apply` will need, and what it cannot do."""
    manual = [name_of(change) for change in plan.by_hand]
    lines = []
    if manual:
        lines.append(f"by hand: {_list(manual)}; then `atl apply --adopt`")
    elif flags := flags_for(change.cls for change in plan.diff.changes):
        lines.append(f"apply with: atl apply {' '.join(flags)}")
    return lines


def _list(names: list[str]) -> str:
    shown = ", ".join(names[:5])
    return f"{shown} and {len(names) - 5} more" if len(names) > 5 else shown


def _number(count: int, one: str) -> str:
    return f"{count} {one}" if count == 1 else f"{count} {one}s"
