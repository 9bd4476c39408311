"""The call hierarchy: who enqueues a job, and which jobs a procedure or workflow runs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import Location, included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Call", "CallItem", "incoming", "outgoing", "prepare_calls"]


class CallItem(NamedTuple):
    """A job, procedure, workflow, or a step of one (`member`). kind: `job`, `procedure`, `workflow`, `step`,
    `compensation`. id: of the declaration. span: its name; full: all of it."""

    kind: str
    id: str
    member: str
    name: str
    detail: str
    path: str
    span: Span
    full: Span


class Call(NamedTuple):
    """item: the other side. places: where the calls are, in the file of the caller."""

    item: CallItem
    places: tuple[Location, ...]


@included
def prepare_calls(workspace: Workspace, path: str, offset: int) -> list[CallItem]:
    """The job, procedure or workflow named at the offset."""
    raise NotImplementedError


def incoming(workspace: Workspace, item: CallItem) -> list[Call]:
    """Procedures and workflow steps that run a job. Of anything else none."""
    raise NotImplementedError


def outgoing(workspace: Workspace, item: CallItem) -> list[Call]:
    """The jobs that a procedure or workflow runs, its compensations' too; of a job the compensations that undo it."""
    raise NotImplementedError
