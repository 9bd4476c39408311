"""A workspace held in memory: texts over files, trees, the index, findings; each edit costs what it touches."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from atl.findings import Severity
from atl.source import SourceFile
from atl.workspace.collecting import uncollected
from atl.workspace.config import CACHED, Config, read_config
from atl.workspace.core import Core
from atl.workspace.files import Entry, Stamp, list_files, read_bytes, reason
from atl.workspace.identity import now, trusted
from atl.workspace.lint import DEFAULT, Lint, Nearest

if TYPE_CHECKING:
    from atl.findings import Finding
    from atl.schema.index import Index
    from atl.schema.model import Schema
    from atl.syntax.tree import FileTree

__all__ = ["Workspace"]


class Workspace:
    """The files of one workspace and what is known of them.

    Paths are relative to `root` with `/`, as findings show them (absolute for a file outside of it). Not thread-safe.
    Whatever sequence of changes led here, every answer is the one that a fresh workspace over the same texts gives.
    A folder of `schema_paths` may be missing: it may come yet.
    """

    def __init__(self, root: str, texts: Mapping[str, str] | None = None) -> None:
        """root: an absolute folder, read with its `tide.yaml` and `atl.toml`. Raises WorkspaceError when one of these
        is bad. texts: unsaved texts by path."""
        self.root = root
        self.unreadable: dict[str, str] = {}
        self._texts: dict[str, str] = dict(texts or {})
        self._shown: dict[str, tuple[list[Finding], list[Finding]]] = {}
        self._files: dict[str, Entry] = {}
        self._stamps: dict[str, Stamp] = {}
        self._lints = Nearest()
        self._all_found = False
        self._all_outdated = True
        self.config = Config(root)
        self._core = Core()
        self._begin(*self._read())

    @classmethod
    def in_memory(cls, texts: Mapping[str, str], caller: str | None = None) -> Workspace:
        """A workspace of these texts alone, which touches no disk."""
        made = cls("")
        made._texts = dict(texts)
        made._begin(Config("", caller), {})
        return made

    # ------------------------------------------------------------ questions

    def paths(self) -> list[str]:
        """The own files, sorted."""
        return self._core.paths()

    def tree(self, path: str) -> FileTree | None:
        """The tree of an own or cached file; its `file` has the text."""
        return self._core.trees.get(path)

    def trees(self) -> Mapping[str, FileTree]:
        """All trees by path, own and cached files'."""
        return self._core.trees

    def source(self, path: str) -> SourceFile | None:
        """The file's text as it counts."""
        tree = self._core.trees.get(path)
        return tree.file if tree is not None else None

    def is_own(self, path: str) -> bool:
        """Whether the file is the workspace's own, and so reported on; false for another caller's and unknown ones."""
        return self._core.is_own(path)

    def findings(self, path: str) -> list[Finding]:
        """What is wrong in one own file, silences and configuration applied, hints among it, by offset and code; empty
        for another caller's or unknown file. An open file outside the workspace is judged as though it were an own
        one, without a bearing on the others."""
        if not self._core.is_own(path):
            if path not in self._texts or path in self._core.trees:
                return []
            with self.including(path):
                return self.visible(path, self._core.findings(path)) if self._core.is_own(path) else []
        found = self._core.findings(path)
        before = self._shown.get(path)
        if before is not None and before[0] is found:
            return before[1]
        shown = self.visible(path, found)
        self._shown[path] = (found, shown)
        return shown

    def all_findings(self) -> dict[str, list[Finding]]:
        """By path, sorted; files without findings have an empty list."""
        if self._all_found:
            return {path: self.findings(path) for path in self.paths()}
        with uncollected():
            found = {path: self.findings(path) for path in self.paths()}
        # As in `_begin`; once, for what later edits leave behind has to be collected.
        gc.freeze()
        self._all_found = True
        return found

    def outdated(self) -> set[str] | None:
        """The files whose findings may be others than at the last call; None for all."""
        found, self._core.outdated = self._core.outdated, set()
        everything, self._all_outdated = self._all_outdated, False
        return None if everything else found

    @property
    def index(self) -> Index:
        return self._core.index

    @property
    def core(self) -> Core:
        """What holds trees and index, for those who keep something beside them (`Core.companions`); a new one after a
        change of configuration."""
        return self._core

    def schema(self) -> Schema:
        """The resolved model of the own files; another caller's declarations resolve names in it."""
        from atl.schema.build import build

        trees = self._core.trees
        own = [trees[path] for path in self.paths()]
        others = [trees[path] for path in sorted(trees) if not self._core.is_own(path)]
        return build(own, others, self._core.index)

    # ------------------------------------------------------------ changes

    def set_text(self, path: str, text: str) -> None:
        """An unsaved text for a file, which need not exist on disk: from now on the text counts. Without byte-order
        mark."""
        self._texts[path] = text
        self._settle(path)

    def edit(self, path: str, start: int, end: int, new_text: str) -> None:
        """Replace [start, end) (offsets) of a file's text by `new_text`; costs its declarations, not the file."""
        tree = self._core.trees.get(path)
        if path in self._texts and tree is not None:
            self._core.edit(path, start, end, new_text)
            self._texts[path] = self._core.trees[path].file.text
        else:
            source = self.source(path)
            text = self._texts.get(path, source.text if source is not None else "")
            self.set_text(path, text[:start] + new_text + text[end:])

    def close(self, path: str) -> None:
        """Drop the unsaved text: what is on disk counts again, or nothing."""
        if self._texts.pop(path, None) is not None:
            self._settle(path)

    def refresh(self, paths: Iterable[str] = ()) -> bool:
        """Look at the disk again: files and folders were created, changed or deleted, or the configuration was. paths:
        of files that are read again whatever `stat` says. True when the configuration has changed. Raises
        WorkspaceError when it is bad; everything stays as it was then."""
        if not self.root:
            return False
        config, files = self._read()
        if config.caller != self.config.caller:
            self._begin(config, files)
            return True
        before, lints = self._files, {path: entry.lint for path, entry in self._files.items()}
        configured = config != self.config or any(
            path in lints and entry.lint != lints[path] for path, entry in files.items()
        )
        self.config, self._files, self._lints = config, files, Nearest()
        named = set(paths)
        with uncollected():
            for path in {*before, *files, *self._texts} if configured else {*before, *files}:
                entry = files.get(path)
                if configured or path in named or entry is None or entry.stamp != self._stamps.get(path):
                    self._settle(path)
        self._shown.clear()
        self._all_outdated |= configured
        return configured

    @contextmanager
    def including(self, path: str) -> Iterator[None]:
        """Let an open file that is no part of the workspace be an own one meanwhile: as `atl check FILE` sees it."""
        text = self._texts.get(path)
        another = path.startswith(CACHED + "/")
        if text is None or another or path in self._core.trees or self._excluded(path):
            yield
            return
        self._core.put(SourceFile(path, text), True)
        try:
            yield
        finally:
            self._core.drop(path)

    # ------------------------------------------------------------ inside

    def _read(self) -> tuple[Config, dict[str, Entry]]:
        if not self.root:
            return Config(""), {}
        config = read_config(self.root)
        return config, list_files(config, missing_ok=True).files

    def _begin(self, config: Config, files: dict[str, Entry]) -> None:
        """Read everything, forget what was known."""
        self.config, self._files, self._lints = config, files, Nearest()
        self._core = Core(config.caller)
        self._all_found = False
        self._all_outdated = True
        self._stamps.clear()
        self._shown.clear()
        self.unreadable.clear()
        with uncollected():
            for path in sorted({*files, *self._texts}):
                self._settle(path, twin=False)
        # What has been read stays: no later collection has to look through all the trees again.
        gc.freeze()

    def _settle(self, path: str, twin: bool = True) -> None:
        """Have the index and trees know the file as it is now."""
        self._stamps.pop(path, None)
        self.unreadable.pop(path, None)
        own = self._owned(path)
        file = self._load(path) if own is not None else None
        if own is None or file is None:
            self._core.drop(path)
        else:
            self._core.put(file, own)
        if twin and own is not False:
            other = f"{CACHED}/{path}"
            if other in self._files or other in self._texts:
                self._settle(other, twin=False)

    def _owned(self, path: str) -> bool | None:
        """Whether a file that is there is an own one or another caller's; None when it does not count."""
        if path not in self._files and path not in self._texts:
            return None
        if path.startswith(CACHED + "/"):
            twin = path[len(CACHED) + 1 :]
            return None if self._owned(twin) else False
        if path in self._files or not self.root:
            return True
        return True if self._in_scope(path) else None

    def _in_scope(self, path: str) -> bool:
        """Whether a file that is not on disk would be read if it were."""
        full = self._full(path)
        folders = [os.path.normpath(os.path.join(self.root, p)) for p in self.config.schema_paths or (".",)]
        if self.config.schema_paths == () or os.path.lexists(full) or self._excluded(path):
            return False
        for folder in folders:
            inside = os.path.relpath(full, folder).split(os.sep) if full.startswith(os.path.join(folder, "")) else []
            between = [os.path.join(folder, *inside[:depth]) for depth in range(1, len(inside))]
            if inside and not any(os.path.basename(name).startswith(".") for name in between):
                return not any(os.path.isfile(os.path.join(name, "tide.yaml")) for name in between)
        return False

    def _load(self, path: str) -> SourceFile | None:
        text = self._texts.get(path)
        if text is not None:
            return SourceFile(path, text)
        entry = self._files[path]
        read_at = now()
        try:
            data = read_bytes(entry.full)
        except OSError as error:
            self.unreadable[path] = reason(error)
            return None
        self._stamps[path] = trusted(entry.stamp, read_at)
        return SourceFile.from_bytes(path, data)

    def visible(self, path: str, found: list[Finding]) -> list[Finding]:
        """Those of a file's findings that its `atl.toml` lets through."""
        entry = self._files.get(path)
        lint = entry.lint if entry is not None else self._lint(path)
        select, hidden = lint.select, lint.hidden(self._full(path))
        if select is None and not hidden:
            return found
        return [
            finding
            for finding in found
            if finding.severity is Severity.ERROR
            or ((select is None or finding.code in select) and finding.code not in hidden)
        ]

    def _excluded(self, path: str) -> bool:
        return bool(self.root) and self._lint(path).excludes(self._full(path))

    def _lint(self, path: str) -> Lint:
        return self._lints.of(os.path.dirname(self._full(path))) if self.root else DEFAULT

    def _full(self, path: str) -> str:
        return os.path.normpath(os.path.join(self.root, *path.split("/"))) if self.root else path
