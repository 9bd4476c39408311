"""The order of a plan's statements, and how they are put into stages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from itertools import groupby

from atl.diff import Change
from atl.diff.renames import GONE
from atl.migrate.model import Backfill, Lock, Parked, Stage, Statement

__all__ = ["Causes", "Phase", "Stages"]


class Phase(IntEnum):
    """When a statement runs. Each may count on what the earlier ones did:

    LABELS: new labels are committed before anything uses them. EARLY_DROPS: indexes in the way, still under their old
    names. SHAPE: what goes away is taken down and parked, what stays gets its new name, what comes and costs no scan is
    put up. TABLES: new tables, which nobody uses yet, and all that is on them. REWRITE: what rewrites a table, each
    table by itself. FILL: rows get their values. NULLS_*: columns become not null by way of a check. BUILD: indexes,
    while others write. ATTACH: constraints over them, and what needs them. VALIDATE: what was added unverified.
    LATE_DROPS: indexes that served until now. FINISH: what nothing uses any more.
    """

    LABELS = 0
    EARLY_DROPS = 1
    SHAPE = 2
    TABLES = 3
    REWRITE = 4
    FILL = 5
    NULLS_ADD = 6
    REFILL = 7
    NULLS_VALIDATE = 8
    NULLS_SET = 9
    BUILD = 10
    ATTACH = 11
    VALIDATE = 12
    LATE_DROPS = 13
    FINISH = 14


_OUTSIDE = {Phase.EARLY_DROPS, Phase.BUILD, Phase.LATE_DROPS}
_ALONE = {Phase.FILL, Phase.REFILL, Phase.NULLS_VALIDATE, Phase.VALIDATE}

# Statements of `Phase.TABLES` in one transaction. It locks each table, index and sequence that it makes, some ten for a
# large table, until it ends; a server has room for 6,400 (64 for each of 100 connections) unless it is told otherwise.
_MOST = 200


class Causes:
    """Which change a statement belongs to."""

    def __init__(self, changes: Iterable[Change]) -> None:
        self.of: dict[str, list[Change]] = {}
        for change in changes:
            self.of.setdefault(change.id, []).append(change)

    def find(self, id: str, *kinds: str, member: str = "") -> Change | None:
        """The first change of a declaration whose kind begins with one of `kinds`, the earlier ones preferred; with
        `member`, one of that member."""
        for kind in kinds:
            for change in self.of.get(id, ()):
                if change.kind.startswith(kind) and (not member or change.member == member):
                    return change
        return None

    def column(self, id: str, name: str, *kinds: str) -> Change | None:
        """The change of a field that a statement about its column belongs to. A column that goes, and whose name
        another one takes, is told apart as the sides do."""
        if name.endswith(GONE):
            return self.find(id, "field_removed", member=name.removesuffix(GONE))
        return (
            self.find(id, *kinds, member=name)
            or self.find(id, "field_added", "field_", "reference_", "check_", member=name)
            or self.find(id, "entity_", "key_")
        )


@dataclass(frozen=True, slots=True)
class _Placed:
    phase: Phase
    group: str
    step: int
    order: int
    statement: Statement


@dataclass(slots=True)
class Stages:
    """Collects statements in any order. Within a phase they are sorted by `step`, then as they came; in REWRITE by
    `group` first, which is a table's id."""

    placed: list[_Placed] = field(default_factory=list)

    def add(
        self,
        phase: Phase,
        step: int,
        sql: str,
        comment: str,
        *,
        lock: Lock = Lock.NONE,
        reverse: str | None = None,
        no_reverse: str = "",
        change: Change | None = None,
        unless: str = "",
        leftover: str = "",
        clear: str = "",
        backfill: Backfill | None = None,
        parks: Parked | None = None,
        unparks: Parked | None = None,
        group: str = "",
    ) -> Statement:
        if (reverse is None) == (not no_reverse):
            raise ValueError(f"either a reverse or why there is none: {sql}")
        made = Statement(
            sql, comment, lock, reverse, no_reverse, change, unless, leftover, clear, backfill, parks, unparks
        )
        self.placed.append(_Placed(phase, group, step, len(self.placed), made))
        return made

    def stages(self) -> tuple[Stage, ...]:
        placed = sorted(self.placed, key=lambda p: (p.phase, p.group, p.step, p.order))
        return tuple(self._merged(placed))

    def _merged(self, placed: list[_Placed]) -> Iterator[Stage]:
        """Phases that follow each other in transactions are one, except where a commit is what matters between."""
        waiting: list[Statement] = []
        for (phase, group), members in groupby(placed, key=lambda p: (p.phase, p.group)):
            statements = [p.statement for p in members]
            if phase in _OUTSIDE or phase in _ALONE:
                if waiting:
                    yield Stage(True, tuple(waiting))
                    waiting = []
                for statement in statements:
                    yield Stage(phase not in _OUTSIDE and statement.backfill is None, _with_settings(statement, phase))
            elif group or phase in (Phase.LABELS,):
                if waiting:
                    yield Stage(True, tuple(waiting))
                    waiting = []
                yield Stage(True, tuple(statements))
            elif phase is Phase.TABLES and len(statements) > _MOST:
                if waiting:
                    yield Stage(True, tuple(waiting))
                    waiting = []
                yield from (Stage(True, tuple(statements[at : at + _MOST])) for at in range(0, len(statements), _MOST))
            else:
                waiting += statements
        if waiting:
            yield Stage(True, tuple(waiting))


def _with_settings(statement: Statement, phase: Phase) -> tuple[Statement, ...]:
    """A table without a key is filled by one statement, whose transaction does not fire the touch trigger."""
    if phase not in (Phase.FILL, Phase.REFILL) or statement.backfill is not None:
        return (statement,)
    comment = "rows that are filled are not touched"
    return (
        Statement(Backfill.settings[0], comment, no_reverse="it ends with its transaction", change=statement.change),
        statement,
    )
