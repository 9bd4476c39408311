"""The arguments of a job while a call is written."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Signature", "SignatureParameter", "signature_help"]


class SignatureParameter(NamedTuple):
    """span: of the argument within `Signature.label`."""

    name: str
    span: Span
    documentation: str


class Signature(NamedTuple):
    """label: `shop.SendMail(to: text, note: text?)`. active: which parameter is written at the cursor, None when it is
    none of the job's, or every one is given."""

    label: str
    documentation: str
    parameters: tuple[SignatureParameter, ...]
    active: int | None


@included
def signature_help(workspace: Workspace, path: str, offset: int) -> Signature | None:
    """In `enqueue Job(...)`, and in the `args { ... }` of a step or compensation whose job is named before it."""
    raise NotImplementedError
