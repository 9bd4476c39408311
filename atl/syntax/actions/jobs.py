"""The clauses of jobs, the parts of workflows, the `ttl` of ephemerals."""

from __future__ import annotations

from collections.abc import Callable

from atl.syntax import nodes as n
from atl.syntax.actions.declarations import reserved
from atl.syntax.actions.members import with_duration, with_string
from atl.syntax.actions.stack import Action, Values
from atl.syntax.actions.values import check_duration


def _with_fields(node: Callable[[int, int, list[n.Field]], n.Node]) -> Action:
    def build(v: Values, end: int) -> None:
        start, _, fields, _ = v[-4:]
        v[-4:] = (node(start, end, fields),)

    return build


def retries(v: Values, end: int) -> None:
    start, value = v[-2:]
    v[-2:] = (n.Retries(start, end, value),)


def retries_bare(v: Values, end: int) -> None:
    start, name = v[-2:]
    v[-2:] = (n.Retries(start, end, n.Word(name.start, name.end, name)),)


def timeout(v: Values, end: int) -> None:
    start, value = v[-2:]
    check_duration(v, value)
    v[-2:] = (n.Timeout(start, end, value),)


def timeout_none(v: Values, end: int) -> None:
    v[-2:] = (n.Timeout(v[-2], end, None),)


def heartbeat(v: Values, end: int) -> None:
    start, value = v[-2:]
    check_duration(v, value)
    v[-2:] = (n.Heartbeat(start, end, value),)


def step(v: Values, end: int) -> None:
    start, name, _, parts, _ = v[-5:]
    if name.reserved:
        reserved(v, name)
    v[-5:] = (n.Step(start, end, name, parts),)


def compensate(v: Values, end: int) -> None:
    start, name, _, parts, _ = v[-5:]
    v[-5:] = (n.Compensate(start, end, name, parts),)


def job_use(v: Values, end: int) -> None:
    start, job = v[-2:]
    v[-2:] = (n.JobUse(start, job.end, job),)


def step_args(v: Values, end: int) -> None:
    start, _, args, closing = v[-4:]
    v[-4:] = (n.StepArgs(start, end, args, closing),)


queue = with_string(n.Queue)
schedule = with_string(n.Schedule)
visible_to = with_string(n.VisibleTo)
ttl = with_duration(n.Ttl, 3)
job_args = _with_fields(n.Args)
state = _with_fields(n.State)
