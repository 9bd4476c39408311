"""What the parts of the differ share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from atl.diff.following import Following
from atl.diff.kinds import KINDS
from atl.diff.model import Change, Class, Hazard
from atl.diff.renames import Renames
from atl.schema.model import Where

__all__ = ["Collector", "quoted"]

_NOWHERE: Where = ("", 0)
_T = TypeVar("_T")


@dataclass(slots=True)
class Collector:
    """Gathers changes. `caller`: who this repository is, or None."""

    renames: Renames
    following: Following
    caller: str | None = None
    changes: list[Change] = field(default_factory=list)

    def add(
        self,
        kind: str,
        cls: Class,
        id: str,
        member: str = "",
        message: str = "",
        *,
        reason: str = "",
        before: str = "",
        after: str = "",
        hazards: tuple[Hazard, ...] = (),
        manual: bool = False,
        where: Where = _NOWHERE,
        old: Any = None,
        new: Any = None,
    ) -> None:
        if cls not in KINDS[kind]:
            raise ValueError(f"{kind} cannot be {cls.value}")
        if Hazard.REWRITES_TABLE in hazards:
            hazards = (*hazards, Hazard.BLOCKS_READS)
        self.changes.append(
            Change(
                kind=kind,
                cls=cls,
                id=id,
                member=member,
                message=message,
                reason=reason,
                before=before,
                after=after,
                hazards=hazards,
                manual=manual,
                where=where,
                old=old,
                new=new,
            )
        )

    def each(
        self,
        old: Mapping[str, _T],
        new: Mapping[str, _T],
        added: Callable[[Collector, str, _T], None],
        changed: Callable[[Collector, str, _T, _T], None],
        removed: Callable[[Collector, str, _T], None],
    ) -> None:
        """Call what a declaration of each id asks for, the new side's first. Between equal ones is no change, unless
        the SQL in them names something that has another name now."""
        renamed = self.renames.any
        for id, after in new.items():
            before = old.get(id)
            if before is None:
                added(self, id, after)
            elif renamed or before != after:
                changed(self, id, before, after)
        for id, before in old.items():
            if id not in new:
                removed(self, id, before)

    def renamed(
        self, area: str, names: Mapping[str, str], old: Any, new: Any, *about: Hazard, reason: str = ""
    ) -> None:
        """Say that a declaration has another name, when it does. names: old ids to new ones. about: hazards."""
        was = next((a for a, b in names.items() if b == new.id), None)
        if was is not None:
            self.add(
                f"{area}_renamed",
                Class.CROSS_CALLER_BREAKING,
                new.id,
                message=f"`{was}` is called `{new.id}` from now on",
                reason=reason or "callers know it by the old name",
                before=was,
                after=new.id,
                hazards=about,
                where=new.where,
                old=old,
                new=new,
            )


def quoted(names: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """`a`, `b` and `c`."""
    words = [f"`{name}`" for name in names]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
