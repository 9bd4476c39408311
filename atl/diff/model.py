"""Changes as data."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

from atl.schema.model import Where

__all__ = ["Caller", "Change", "Class", "Hazard", "strongest"]


class Class(Enum):
    """How much a change asks of others, weakest first. `exit_code` is what `atl plan` ends with."""

    ADDITIVE = "additive"
    BACKFILL_REQUIRED = "backfill_required"
    CROSS_CALLER_BREAKING = "cross_caller_breaking"
    DESTRUCTIVE = "destructive"

    @property
    def rank(self) -> int:
        return _ORDER.index(self)

    @property
    def exit_code(self) -> int:
        return _EXIT_CODES[self]


_ORDER = list(Class)
_EXIT_CODES = {
    Class.ADDITIVE: 0,
    Class.BACKFILL_REQUIRED: 1,
    Class.CROSS_CALLER_BREAKING: 2,
    Class.DESTRUCTIVE: 4,
}


def strongest(classes: list[Class]) -> Class:
    """The strongest of some classes; additive of none."""
    return max(classes, key=lambda c: c.rank, default=Class.ADDITIVE)


class Hazard(Enum):
    """Facts beside the class: what the change does to tables, rows, clients and work under way."""

    REWRITES_TABLE = "rewrites-table"
    SCANS_TABLE = "scans-table"
    BLOCKS_WRITES = "blocks-writes"
    BLOCKS_READS = "blocks-reads"
    MAY_FAIL_ON_DATA = "may-fail-on-data"
    LOSES_DATA = "loses-data"
    REMOVES_RPC = "removes-rpc"
    HIDES_ROWS = "hides-rows"
    SHOWS_ROWS = "shows-rows"
    IN_FLIGHT = "in-flight"
    CLIENTS_CHANGE = "clients-change"
    NOT_TRANSACTIONAL = "not-transactional"


Caller: TypeAlias = "tuple[str, int]"
"""(file, line from 1): where another caller's declarations use what changes."""


@dataclass(frozen=True, slots=True)
class Change:
    """One change between two schemas. `kind`, `id`, `member` name it (`plan-kinds`); an empty member is left out.

    before, after: the values that differ, as people write them in a `.atl` file, or "".
    old, new: the model values that SQL is made from (an entity, a field, an index ...), None where one side has none.
    message: a lower-case sentence that says what happens. reason: why it has its class, or "".
    """

    kind: str
    cls: Class
    id: str
    member: str = ""
    message: str = ""
    reason: str = ""
    before: str = ""
    after: str = ""
    hazards: tuple[Hazard, ...] = ()
    manual: bool = False
    where: Where = ("", 0)
    callers: tuple[Caller, ...] = ()
    old: Any = None
    new: Any = None
