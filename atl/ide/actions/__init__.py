"""Code actions: fixes of findings, silences, and refactorings at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.findings import Finding
from atl.ide.places import included
from atl.ide.rename import TextEdit
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["KINDS", "Action", "code_actions", "fix_all"]

KINDS = ("quickfix", "refactor.extract", "refactor.rewrite", "source.fixAll")


class Action(NamedTuple):
    """kind: one of KINDS. edits: by path, in the order of the text, none overlapping. findings: what it mends.
    preferred: it can be applied without thought and is the only such one for its finding."""

    title: str
    kind: str
    edits: dict[str, list[TextEdit]]
    findings: tuple[Finding, ...] = ()
    preferred: bool = False


@included
def code_actions(workspace: Workspace, path: str, span: Span, kinds: tuple[str, ...] = ()) -> list[Action]:
    """What can be done at a span, the likeliest first. kinds: only these and what is below them (`refactor` asks for
    `refactor.extract` too); () asks for all."""
    raise NotImplementedError


@included
def fix_all(workspace: Workspace, path: str) -> dict[str, list[TextEdit]]:
    """Every safe fix of the file's findings that goes together with the others."""
    raise NotImplementedError
