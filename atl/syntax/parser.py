"""Parsing: the entry points of the syntax room."""

from __future__ import annotations

from atl.source import SourceFile
from atl.syntax.tree import FileTree

__all__ = ["parse", "reparse"]


def parse(file: SourceFile) -> FileTree:
    """The tree of a file. Any text gives one, in time linear in its length; nothing is raised."""
    raise NotImplementedError


def reparse(old: FileTree, file: SourceFile, start: int, old_end: int, new_end: int) -> FileTree:
    """The tree of `file`, which is the old text with [start, old_end) replaced by [start, new_end) of the new one.

    Units outside the edit are the old objects, their anchors moved (`anchor.start`, `anchor.file`). The result equals
    `parse(file)` in all but object identity.
    """
    raise NotImplementedError
