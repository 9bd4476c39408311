"""The differ: every attribute of the schema, compared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import TypeAlias

from atl.diff.context import Collector
from atl.diff.entities import compare_entities
from atl.diff.following import Following
from atl.diff.kinds import KINDS
from atl.diff.methods import compare_enums, compare_methods
from atl.diff.model import Caller, Change, Class, strongest
from atl.diff.renames import Renames, Stale, find_renames, follow
from atl.diff.suggestions import Suggestion, suggestions
from atl.diff.work import compare_ephemerals, compare_jobs, compare_workflows
from atl.schema.model import Schema

__all__ = ["Diff", "Users", "diff"]

Users: TypeAlias = Callable[[Change], "tuple[Caller, ...]"]
"""Where other callers' declarations use what a change breaks."""

# Kinds whose breaking class rests on other callers' declarations. Jobs and workflows can be submitted by callers who
# declare nothing, so for them only `visible_to` counts.
_JUDGED_BY_CALLERS = ("entity_", "key_", "field_", "reference_", "soft_delete_", "partition_", "query_", "procedure_")


@dataclass(frozen=True, slots=True)
class Diff:
    """What is between two schemas. old: as it was; followed: the old one under its new names. suggestions: what may
    be a rename without a hint."""

    changes: tuple[Change, ...]
    renames: Renames
    old: Schema
    followed: Schema
    new: Schema
    suggestions: tuple[Suggestion, ...] = ()

    @property
    def cls(self) -> Class:
        return strongest([change.cls for change in self.changes])

    @property
    def manual(self) -> bool:
        return any(change.manual for change in self.changes)

    @property
    def stale(self) -> list[Stale]:
        """Hints of the new side that name nothing of the old one, and did nothing."""
        return self.renames.stale


def diff(old: Schema, new: Schema, caller: str | None = None, users: Users | None = None) -> Diff:
    """The changes from `old` to `new`, sorted by id, then in the order of the table of kinds.

    caller: who this repository is. users: how to find other callers' uses; None when no other caller's declarations
    are known, so that anyone may be one.
    """
    renames = find_renames(old, new)
    followed = follow(old, renames, new)
    out = Collector(renames, Following(old, followed, renames), caller)
    compare_enums(out, followed, new)
    compare_entities(out, followed, new)
    compare_methods(out, followed, new)
    compare_jobs(out, followed, new)
    compare_workflows(out, followed, new)
    compare_ephemerals(out, followed, new)
    changes = [_judged(change, users) for change in out.changes] if users is not None else out.changes
    order = {kind: at for at, kind in enumerate(KINDS)}
    changes.sort(key=lambda c: (c.id, order[c.kind], c.member))
    return Diff(tuple(changes), renames, old, followed, new, suggestions(changes))


def _judged(change: Change, users: Users) -> Change:
    """A change in the light of who uses the thing: what breaks nobody is additive; destructive stays what it is."""
    judged = change.kind.startswith(_JUDGED_BY_CALLERS)
    if change.cls is Class.CROSS_CALLER_BREAKING:
        if not judged:
            return change
        callers = users(change)
        if not callers:
            return replace(change, cls=Class.ADDITIVE, reason="no other caller uses it")
        return replace(change, callers=callers)
    if change.cls is Class.DESTRUCTIVE or change.kind in ("query_removed", "procedure_removed"):
        return replace(change, callers=users(change))
    return change
