"""What the parts of the differ share."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from atl.diff.following import Following
from atl.diff.kinds import KINDS
from atl.diff.model import Change, Class, Hazard
from atl.diff.renames import Renames
from atl.schema.model import Where

__all__ = ["Collector", "quoted"]

_NOWHERE: Where = ("", 0)


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


def quoted(names: Mapping[str, Any] | tuple[str, ...] | list[str]) -> str:
    """`a`, `b` and `c`."""
    words = [f"`{name}`" for name in names]
    return " and ".join([", ".join(words[:-1]), words[-1]] if len(words) > 1 else words)
