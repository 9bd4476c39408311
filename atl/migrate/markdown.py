"""A plan as a comment on a pull request: at the top what a reviewer has to know, then every change, then the script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from atl.diff import Change, Class, Hazard
from atl.migrate.document import summary
from atl.migrate.model import Plan
from atl.migrate.script import up_stages
from atl.migrate.wording import flags_for, name_of, values_of

__all__ = ["render"]

# A comment may have 65,536 characters; what is around the plan needs some of them.
_LIMIT = 60_000
# How many names a line at the top has.
_NAMES = 8
# Values longer than this (in characters) are cut; the script has them whole.
_VALUE = 200
_SIGNS = {
    Class.ADDITIVE: "🟢",
    Class.BACKFILL_REQUIRED: "🟡",
    Class.CROSS_CALLER_BREAKING: "🟠",
    Class.DESTRUCTIVE: "🔴",
}


def _has(hazard: Hazard) -> Callable[[Change], bool]:
    return lambda change: hazard in change.hazards


_PARKED = ("entity_removed", "field_removed")
# What is said at the top, the worst first: (words, of which changes, whether of the declaration as a whole).
_GLANCE: tuple[tuple[str, Callable[[Change], bool], bool], ...] = (
    (
        "Data goes away",
        lambda change: change.cls is Class.DESTRUCTIVE and change.kind not in _PARKED,
        False,
    ),
    ("Taken out, its data parked for a while (`atl parked`)", lambda change: change.kind in _PARKED, False),
    (
        "Other callers may break",
        lambda change: change.cls is Class.CROSS_CALLER_BREAKING or _has(Hazard.REMOVES_RPC)(change),
        False,
    ),
    ("Meets runs that are under way", _has(Hazard.IN_FLIGHT), False),
    (
        "Rows that are there are filled or verified, and may not fit",
        lambda change: change.cls is Class.BACKFILL_REQUIRED or _has(Hazard.MAY_FAIL_ON_DATA)(change),
        False,
    ),
    ("Closes the table to reads and writes meanwhile", _has(Hazard.BLOCKS_READS), True),
    ("Closes the table to writes meanwhile", _has(Hazard.BLOCKS_WRITES), True),
    ("Clients are to be generated again", _has(Hazard.CLIENTS_CHANGE), True),
)


def render(plan: Plan, old: str, new: str) -> str:
    """old, new: what the sides are called. Ends in the script, folded away, unless that makes it too long."""
    if not plan.diff.changes:
        return f"### Schema plan: no change\n\n{_text(old)} → {_text(new)}\n"
    # What matters most stands first, and is the last to be cut off.
    changes = sorted(plan.diff.changes, key=lambda change: -change.cls.rank)
    counts = ", ".join(f"{count} {cls}" for cls, count in summary(plan.diff).items())
    lines = [
        f"### Schema plan: {_SIGNS[plan.cls]} {plan.cls.value}",
        "",
        f"{_text(old)} → {_text(new)}: {counts}",
        "",
        *_glance(plan, changes),
        "",
        "| | what | happens | class |",
        "|---|---|---|---|",
        *map(_row, changes),
    ]
    for suggestion in plan.diff.suggestions:
        name = f"{suggestion.id}.{suggestion.member}".rstrip(".")
        lines += ["", f"{_code(name)} may be what was {_code(suggestion.old_name)}: {_code(suggestion.hint)}"]
    text = "\n".join(lines)
    if len(text) > _LIMIT:
        return text[:_LIMIT].rpartition("\n")[0] + "\n\nand more: see `atl plan`\n"
    if plan.statements:
        script = up_stages(plan).rstrip("\n")
        if len(text) + len(script) < _LIMIT:
            summed = "<details><summary>SQL, with the lock of each statement</summary>"
            text += f"\n\n{summed}\n\n{_fenced(script)}\n\n</details>"
    return text + "\n"


def _glance(plan: Plan, changes: list[Change]) -> Iterator[str]:
    for words, applies, whole in _GLANCE:
        names = dict.fromkeys(change.id if whole else name_of(change) for change in changes if applies(change))
        if names:
            yield f"- **{words}:** {_names(names)}"
    if callers := dict.fromkeys(f"{file}:{line}" for change in changes for file, line in change.callers):
        yield f"- **Used by other callers at** {_names(callers)}"
    if back := dict.fromkeys(f"{parked.id}.{parked.member}".rstrip(".") for parked in plan.unparks):
        yield f"- **Comes back with its rows, which were parked:** {_names(back)}"
    if plan.by_hand:
        by_hand = dict.fromkeys(map(name_of, plan.by_hand))
        yield f"- **To be done by hand, then `atl apply --adopt`:** {_names(by_hand)}"
    else:
        yield f"- **Apply with** `{' '.join(['atl apply', *flags_for(change.cls for change in changes)])}`"


def _names(names: Iterable[str]) -> str:
    shown = [_code(name) for name in names]
    more = f" and {len(shown) - _NAMES} more" if len(shown) > _NAMES else ""
    return ", ".join(shown[:_NAMES]) + more


def _row(change: Change) -> str:
    said = _text(change.message)
    if values := values_of(change):
        said += f" ({' → '.join(_code(_cut(value)) for value in values)})"
    if change.reason:
        said += f"; {_text(change.reason)}"
    if change.hazards:
        said += f"<br>_{', '.join(hazard.value for hazard in change.hazards)}_"
    for file, line in change.callers:
        said += f"<br>used at {_code(f'{file}:{line}')}"
    member = f" {_code(change.member)}" if change.member else ""
    place = f"<br>{_code(f'{change.where[0]}:{change.where[1]}')}" if change.where[0] else ""
    hand = ", by hand" if change.manual else ""
    kind = change.kind.replace("_", " ")
    return f"| {_SIGNS[change.cls]} | {_code(change.id)}{member} {kind}{place} | {said} | {change.cls.value}{hand} |"


def _cut(text: str) -> str:
    return text if len(text) <= _VALUE else f"{text[: _VALUE - 3]}..."


def _fenced(sql: str) -> str:
    fence = "`" * max(3, max((len(run) for run in re.findall("`+", sql)), default=0) + 1)
    return f"{fence}sql\n{sql}\n{fence}"


def _code(text: str) -> str:
    """Text of the author's as code, also within a table: no line end, no end of the cell, no end of the code."""
    text = re.sub(r"\s+", " ", text)
    if re.search(r"[`|\\]", text):
        return f"<code>{_escaped(text, _PUNCTUATION)}</code>"
    return f"`{text}`"


def _text(text: str) -> str:
    """A sentence that may quote names in backquotes; nothing else of it is markup, mention or link."""
    parts = re.split("`([^`]*)`", re.sub(r"\s+", " ", text))
    return "".join(_code(part) if at % 2 else _plain(part) for at, part in enumerate(parts) if part)


_PUNCTUATION = r"[!-/:-@\[-`{-~]"
_MARKUP = r"[\\`|*_<>\[\]#@&~!]"
# Mentions, references and addresses are looked for in the finished page, where an entity is a character again: a space
# without width behind it keeps them from being one.
_LINKS = r"&#(?:64|35);|:(?=//)|(?i:www)(?=\.)"


def _plain(text: str) -> str:
    return re.sub(_LINKS, lambda found: f"{found[0]}&#8203;", _escaped(text, _MARKUP))


def _escaped(text: str, what: str) -> str:
    return re.sub(what, lambda found: f"&#{ord(found[0])};", text)
