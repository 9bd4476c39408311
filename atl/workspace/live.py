"""A workspace held in memory: texts over files, trees, the index, findings; each edit costs what it touches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from atl.findings import Finding
    from atl.schema.index import Index
    from atl.schema.model import Schema
    from atl.source import SourceFile
    from atl.syntax.tree import FileTree

__all__ = ["Workspace"]


class Workspace:
    """The files of one workspace and what is known of them.

    Paths are relative to `root` with `/`, as findings show them (absolute for a file outside of it). Not thread-safe.
    Whatever sequence of changes led here, every answer is the one that a fresh workspace over the same texts gives.
    """

    def __init__(self, root: str, texts: Mapping[str, str] | None = None) -> None:
        """root: an absolute folder, read with its `tide.yaml` and `atl.toml`. Raises WorkspaceError when one of these
        is bad. texts: unsaved texts by path."""
        raise NotImplementedError

    @classmethod
    def in_memory(cls, texts: Mapping[str, str], caller: str | None = None) -> Workspace:
        """A workspace of these texts alone, which touches no disk."""
        raise NotImplementedError

    # ------------------------------------------------------------ questions

    def paths(self) -> list[str]:
        """The own files, sorted."""
        raise NotImplementedError

    def tree(self, path: str) -> FileTree | None:
        """The tree of an own or cached file; its `file` has the text."""
        raise NotImplementedError

    def is_own(self, path: str) -> bool:
        """Whether the file is the workspace's own, and so reported on; false for another caller's and unknown ones."""
        raise NotImplementedError

    def findings(self, path: str) -> list[Finding]:
        """What is wrong in one own file, silences and configuration applied, hints among it, by offset and code."""
        raise NotImplementedError

    def all_findings(self) -> dict[str, list[Finding]]:
        """By path, sorted; files without findings have an empty list."""
        raise NotImplementedError

    @property
    def index(self) -> Index:
        raise NotImplementedError

    def schema(self) -> Schema:
        """The resolved model of the own files; another caller's declarations resolve names in it."""
        raise NotImplementedError

    # ------------------------------------------------------------ changes

    def set_text(self, path: str, text: str) -> None:
        """An unsaved text for a file, which need not exist on disk: from now on the text counts. Without byte-order
        mark."""
        raise NotImplementedError

    def edit(self, path: str, start: int, end: int, new_text: str) -> None:
        """Replace [start, end) (offsets) of a file's text by `new_text`; costs its declarations, not the file."""
        raise NotImplementedError

    def close(self, path: str) -> None:
        """Drop the unsaved text: what is on disk counts again, or nothing."""
        raise NotImplementedError

    def refresh(self, paths: Iterable[str] | None = None) -> bool:
        """Files (or folders) were created, changed or deleted on disk; all of it when None. True when `tide.yaml` or
        `atl.toml` was among it and everything has been read again."""
        raise NotImplementedError

    def source(self, path: str) -> SourceFile | None:
        """The file's text as it counts."""
        raise NotImplementedError
