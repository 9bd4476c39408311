"""What can stand at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.completing.item import Completion
from atl.ide.places import included
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["Completion", "Completions", "completions", "documentation"]


class Completions(NamedTuple):
    """span: the whole word at the cursor, which the chosen text replaces. items: the best first. complete: False when
    what is typed on may bring items that are not among these."""

    span: Span
    items: tuple[Completion, ...] = ()
    complete: bool = True


@included
def completions(workspace: Workspace, path: str, offset: int) -> Completions:
    """What can stand at an offset. Of very many only those that what is typed can mean."""
    tree = workspace.tree(path)
    if tree is None:
        return Completions(Span(offset, offset))
    from atl.ide.completing.request import Request

    request = Request(workspace, tree, offset)
    position = request.position
    span = Span(position.word_start, position.word_end)
    if position.inside is not None:
        from atl.ide.completing.inside import inside

        span, items = inside(request, offset)
    else:
        from atl.ide.completing.clauses import words
        from atl.ide.completing.names import names
        from atl.ide.completing.values import values

        items = [*values(request), *names(request), *words(request)]
    unique: dict[tuple[str, str], Completion] = {}
    for item in items:
        unique.setdefault((item.label, item.kind), item)
    return Completions(span, tuple(unique.values()), not request.cut)


def documentation(workspace: Workspace, about: tuple[str, ...]) -> str:
    """Markdown about a completion, by its `about`; "" when there is nothing to say."""
    from atl.ide.completing.about import told

    return told(workspace, about)
