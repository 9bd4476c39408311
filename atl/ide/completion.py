"""What can stand at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import included
from atl.ide.snippets import Pieces
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Completion", "Completions", "completions", "documentation"]


class Completion(NamedTuple):
    """One thing to choose.

    kind: `keyword`, `clause`, `modifier`, `type`, `namespace`, `entity`, `enum`, `label`, `job`, `field`, `argument`,
    `input`, `output`, `state`, `step`, `table`, `column`, `value`, `code`, `snippet`.
    text: what takes the place of `Completions.span`. pieces: the same with places to fill in; () where there are none.
    detail: a few words beside the label. about: what `documentation` takes. again: what follows can be completed too.
    """

    label: str
    kind: str
    text: str
    pieces: Pieces = ()
    detail: str = ""
    about: tuple[str, ...] = ()
    again: bool = False


class Completions(NamedTuple):
    """span: the whole word at the cursor, which the chosen text replaces. items: the best first. complete: False when
    what is typed on may bring items that are not among these."""

    span: Span
    items: tuple[Completion, ...]
    complete: bool = True


@included
def completions(workspace: Workspace, path: str, offset: int) -> Completions:
    raise NotImplementedError


def documentation(workspace: Workspace, about: tuple[str, ...]) -> str:
    """Markdown about a completion, by its `about`; "" when there is nothing to say."""
    raise NotImplementedError
