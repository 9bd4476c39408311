"""From a diff to a plan."""

from __future__ import annotations

from collections.abc import Sequence

from atl.diff import Diff
from atl.migrate.model import Parked, Plan

__all__ = ["make_plan"]


def make_plan(diff: Diff, parked: Sequence[Parked] = ()) -> Plan:
    """The plan that carries out a diff; a pure function of its arguments.

    parked: what the database has parked, and not yet let go; () when no database is asked. An addition that one of them
    fits is carried out by bringing it back.
    """
    raise NotImplementedError
