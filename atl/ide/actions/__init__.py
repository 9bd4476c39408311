"""Code actions: fixes of findings, silences, and refactorings at the cursor."""

from __future__ import annotations

from typing import TYPE_CHECKING

from atl.ide.actions.model import KINDS, Action
from atl.ide.places import included
from atl.ide.rename import TextEdit
from atl.source import Span

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["KINDS", "Action", "code_actions", "fix_all"]


@included
def code_actions(workspace: Workspace, path: str, span: Span, kinds: tuple[str, ...] = ()) -> list[Action]:
    """What can be done at a span, the likeliest first. kinds: only these and what is below them (`refactor` asks for
    `refactor.extract` too); () asks for all."""
    tree = workspace.tree(path)
    if tree is None or not workspace.is_own(path):
        return []
    from atl.ide.actions.fixes import all_safe, fixes
    from atl.ide.actions.model import Spot
    from atl.ide.actions.refactorings import REFACTORINGS
    from atl.ide.actions.silence import silences

    spot = Spot(workspace, tree, span)
    found: list[Action] = []
    if _wanted("quickfix", kinds):
        from atl.ide.actions.create import created

        found += [*fixes(spot), *created(spot), *silences(spot)]
    # Where the text could not be read whole, moving a part of it might take something unread along.
    if spot.readable and (_wanted("refactor.extract", kinds) or _wanted("refactor.rewrite", kinds)):
        for refactoring in REFACTORINGS:
            found += refactoring(spot)
    if _wanted("source.fixAll", kinds):
        # Asked at each move of the cursor it is one round, and all of them when it is wanted.
        edits = fix_all(workspace, path) if kinds else all_safe(workspace.findings(path))
        if edits:
            found.append(Action("fix all that can be fixed without thought", "source.fixAll", edits))
    unique = {(action.title, action.kind): action for action in reversed(found) if _wanted(action.kind, kinds)}
    return [action for action in reversed(unique.values()) if action.edits]


def _wanted(kind: str, kinds: tuple[str, ...]) -> bool:
    return not kinds or any(
        kind == each or kind.startswith(each + ".") or each.startswith(kind + ".") for each in kinds
    )


@included
def fix_all(workspace: Workspace, path: str) -> dict[str, list[TextEdit]]:
    """Every safe fix of the file's findings, and of what these lay bare."""
    from atl.ide.actions.fixes import safe_to_the_end

    return safe_to_the_end(workspace, path)
