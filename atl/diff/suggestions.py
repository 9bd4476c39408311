"""Where a removed and an added member look like a rename: the hint that would say so.

Nothing is concluded from these; the plan prints them. Each removed and each added member is in at most one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from atl.diff.model import Change
from atl.schema import model as m
from atl.schema.model import Where

__all__ = ["Suggestion", "suggestions"]

# Of two names difflib's own default for "close"; of two declarations the share of members in common.
_CLOSE = 0.6
# Members compared on each side of one declaration or namespace; a change of more is no rename.
_MOST = 60


@dataclass(frozen=True, slots=True)
class Suggestion:
    """`old_name` of the same entity, enum or namespace may be called `id` (or its `member`) now. where: of the line
    before which the hint goes."""

    id: str
    member: str
    old_name: str
    where: Where

    @property
    def hint(self) -> str:
        """The comment to paste."""
        name = self.old_name
        return f"// atl: renamed-from {name}" if name.isidentifier() else f'// atl: renamed-from "{_escaped(name)}"'


def _escaped(name: str) -> str:
    return name.replace("\\", "\\\\").replace('"', '\\"')


def suggestions(changes: Iterable[Change]) -> tuple[Suggestion, ...]:
    """The suggestions for a list of changes, sorted by id and member."""
    removed: dict[tuple[str, str], list[Change]] = {}
    added: dict[tuple[str, str], list[Change]] = {}
    for change in changes:
        area, _, what = change.kind.rpartition("_")
        if area in _LIKENESS and what in ("removed", "added"):
            # Members are looked for within their declaration, declarations within their namespace.
            place = (area, change.id if change.member else change.id.partition(".")[0])
            (removed if what == "removed" else added).setdefault(place, []).append(change)
    found: list[Suggestion] = []
    for (area, id), gone in removed.items():
        come = added.get((area, id), [])
        if len(gone) <= _MOST and len(come) <= _MOST:
            found += _pairs(area, gone, come)
    return tuple(sorted(found, key=lambda s: (s.id, s.member)))


def _pairs(area: str, gone: list[Change], come: list[Change]) -> list[Suggestion]:
    """The likeliest pair first; then what is left."""
    alone = len(gone) == len(come) == 1
    scored = []
    for a in gone:
        for b in come:
            alike = _LIKENESS[area](a, b)
            name = _ratio(_name(a), _name(b))
            if alike >= _CLOSE and (name >= _CLOSE or alone):
                scored.append((-alike, -name, _name(a), _name(b), a, b))
    found: list[Suggestion] = []
    taken: set[tuple[str, str]] = set()
    for _, _, old_name, new_name, _, change in sorted(scored, key=lambda s: s[:4]):
        if not taken & {("old", old_name), ("new", new_name)}:
            taken |= {("old", old_name), ("new", new_name)}
            found.append(Suggestion(change.id, change.member, old_name, change.where))
    return found


def _name(change: Change) -> str:
    return change.member or change.id.partition(".")[2]


def _ratio(a: str, b: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, a.lower()[:64], b.lower()[:64], autojunk=False).ratio()


def _field(a: Change, b: Change) -> float:
    old, new = a.old, b.new
    assert isinstance(old, m.Field) and isinstance(new, m.Field)
    same = (old.type, old.generated, old.reference) == (new.type, new.generated, new.reference)
    return 1.0 if same else 0.0


def _label(a: Change, b: Change) -> float:
    return 1.0


def _members(a: Change, b: Change) -> float:
    old, new = _shape(a.old), _shape(b.new)
    return len(old & new) / max(len(old | new), 1)


def _shape(declared: Any) -> set[tuple[object, ...]]:
    match declared:
        case m.Entity():
            return _types(declared.fields)
        case m.Job():
            # Two jobs without arguments are alike in nothing but that.
            return _types(declared.args)
        case m.Enum():
            return {(label,) for label in declared.labels}
        case _:
            raise TypeError(f"{type(declared).__name__} cannot be renamed")


def _types(fields: Mapping[str, m.Field]) -> set[tuple[object, ...]]:
    return {(name, field.type) for name, field in fields.items()}


_LIKENESS = {"field": _field, "enum_label": _label, "entity": _members, "enum": _members, "job": _members}
