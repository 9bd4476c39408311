"""Workspaces from texts with a cursor, `<|>`."""

from __future__ import annotations

from pathlib import Path

from atl.ide.completion import Completion, completions
from atl.workspace.live import Workspace

CURSOR = "<|>"
EXAMPLES = Path(__file__).parents[2] / "examples"


def opened(text: str, others: dict[str, str] | None = None, caller: str | None = None) -> tuple[Workspace, int]:
    """A workspace in which `text` is `a.atl`, and the cursor's offset in it."""
    offset = text.index(CURSOR)
    return Workspace.in_memory({"a.atl": text.replace(CURSOR, "", 1), **(others or {})}, caller), offset


def offered(text: str, others: dict[str, str] | None = None) -> list[Completion]:
    workspace, offset = opened(text, others)
    return list(completions(workspace, "a.atl", offset).items)


def labels(text: str, others: dict[str, str] | None = None) -> list[str]:
    return [item.label for item in offered(text, others)]


def example_texts() -> dict[str, str]:
    return {str(path.relative_to(EXAMPLES)): path.read_text() for path in sorted(EXAMPLES.glob("*/**/*.atl"))}
