"""What a job's clauses come to."""

from __future__ import annotations

from atl.records import NamedTuple
from atl.syntax import nodes as n

__all__ = ["Limit", "heartbeat", "timeout"]


class Limit(NamedTuple):
    """A duration in effect. ms: None for `none`. text: as written, or the default. clause: None when left out."""

    ms: int | None
    text: str
    clause: n.Timeout | n.Heartbeat | None


# Section 7 of the language: what holds when the clause is left out.
_DEFAULT_TIMEOUT = Limit(1_800_000, "30m", None)
_DEFAULT_HEARTBEAT = Limit(300_000, "5m", None)


def timeout(job: n.JobDecl) -> Limit | None:
    """The deadline of one attempt; None when it cannot be known."""
    clause = next((c for c in job.clauses if type(c) is n.Timeout), None)
    if clause is None:
        return None if job.lost else _DEFAULT_TIMEOUT
    if clause.value is None:
        return Limit(None, "none", clause)
    return _limit(clause.value, clause)


def heartbeat(job: n.JobDecl) -> Limit | None:
    """How long a claim lives without a sign of life; None when it cannot be known."""
    clause = next((c for c in job.clauses if type(c) is n.Heartbeat), None)
    if clause is None:
        return None if job.lost else _DEFAULT_HEARTBEAT
    return _limit(clause.value, clause)


def _limit(value: n.Literal | n.Word, clause: n.Timeout | n.Heartbeat) -> Limit | None:
    if type(value) is not n.Duration or value.ms is None:
        return None
    return Limit(value.ms, value.text, clause)
