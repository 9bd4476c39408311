"""Which files a workspace has: one walk over its folders, with what `stat` says of each file.

A folder below the start that has a `tide.yaml` of its own begins another workspace and is not entered. Folders whose
name starts with a dot are skipped. Symbolic links are followed; what they lead to counts once, under its real name when
it is reached without a link.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable

from atl.records import NamedTuple
from atl.workspace.config import CACHED, Config
from atl.workspace.errors import WorkspaceError
from atl.workspace.lint import Lint, Nearest

__all__ = ["Content", "Entry", "Listing", "Stamp", "list_files", "read_bytes", "reason", "relative_path", "stamp_of"]

SUFFIX = ".atl"

# Longer than any declaration file; what is longer is something else that would fill the memory.
SIZE_LIMIT = 1 << 28


class Stamp(NamedTuple):
    """What tells that a file is still the one that was read. Times in nanoseconds; `changed` is st_ctime, which no
    tool can set back."""

    size: int
    modified: int
    changed: int
    inode: int


class Entry(NamedTuple):
    """path: relative to the root with `/`, as findings show it. full: absolute. own: reported on; else another
    caller's. lint: the `atl.toml` that counts."""

    path: str
    full: str
    own: bool
    stamp: Stamp
    lint: Lint


class Content(NamedTuple):
    """A file's bytes when it was read. stamp: what a cache may keep of it."""

    data: bytes
    stamp: Stamp


class Listing(NamedTuple):
    """files: by path, own and others', sorted. nested: roots of other workspaces met on the way. unreadable: (path,
    reason). toml: absolute paths of the `atl.toml` files that count."""

    files: dict[str, Entry]
    nested: tuple[str, ...]
    unreadable: tuple[tuple[str, str], ...]
    toml: tuple[str, ...]


def list_files(
    config: Config, extra: Iterable[str] = (), texts: Collection[str] = (), missing_ok: bool = False
) -> Listing:
    """The files of a workspace. extra: absolute paths of files (or folders) that count as own wherever they stand.
    texts: those of them that need not exist.

    Raises WorkspaceError when a folder of `schema_paths` does not exist (unless `missing_ok`) or an `atl.toml` is bad.
    """
    root = config.root
    lints = Nearest()
    walk = _Walk(lints)
    if config.schema_paths is None:
        walk.start(root, "")
    for position, written in enumerate(config.schema_paths or ()):
        full = os.path.normpath(os.path.join(root, written))
        if os.path.isdir(full):
            walk.start(full, relative_path(full, root))
        elif os.path.isfile(full):
            walk.file(full, relative_path(full, root))
        elif not missing_ok:
            raise WorkspaceError(f"no such folder: {written}", config.path, config.lines[position])
    walk.follow_links()
    for full in extra:
        walk.also(full, relative_path(full, root), full in texts)
    files = {entry.path: entry for entry in walk.found}

    others = _Walk(None)
    base = os.path.join(root, *CACHED.split("/"))
    if os.path.isdir(base):
        others.start(base, CACHED)
        others.follow_links()
        skip = len(CACHED) + 1
        for entry in others.found:
            if entry.path[skip:] not in files:
                files.setdefault(entry.path, entry)
    return Listing(
        {path: files[path] for path in sorted(files)},
        tuple(sorted(walk.nested)),
        tuple(sorted({*walk.unreadable, *others.unreadable})),
        tuple(sorted(lints.files)),
    )


def relative_path(full: str, root: str) -> str:
    """A path as findings show it: relative to `root` with `/`; absolute where there is no relative one."""
    prefix = root if root.endswith(os.sep) else root + os.sep
    if full.startswith(prefix):
        path = full[len(prefix) :]
    elif full == root:
        path = ""
    else:
        try:
            path = os.path.relpath(full, root)
        except ValueError:  # another drive
            path = full
    return path if os.sep == "/" else path.replace(os.sep, "/")


def stamp_of(found: os.stat_result) -> Stamp:
    return Stamp(found.st_size, found.st_mtime_ns, found.st_ctime_ns, found.st_ino)


def reason(error: OSError) -> str:
    """Why a file could not be read, for people."""
    return (error.strerror or str(error)).lower()


def read_bytes(full: str) -> bytes:
    """The bytes of a regular file. Raises OSError, also for one that is too large to be a file of declarations."""
    with open(full, "rb") as file:
        data = file.read(SIZE_LIMIT + 1)
    if len(data) > SIZE_LIMIT:
        raise OSError(0, f"larger than {SIZE_LIMIT >> 20} MB")
    return data


class _Walk:
    """Collects files, own ones when `lints` are given. Links are put aside until all that is reached without one is
    known."""

    def __init__(self, lints: Nearest | None) -> None:
        self.lints = lints
        self.found: list[Entry] = []
        self.nested: list[str] = []
        self.unreadable: list[tuple[str, str]] = []
        self._links: list[tuple[str, str]] = []
        self._folders: set[str] = set()  # real paths
        self._files: set[str] = set()  # paths as found
        self._real: set[str] = set()

    def start(self, folder: str, path: str) -> None:
        """Walk a folder that belongs to the workspace whatever its name is."""
        self._folder(folder, os.path.realpath(folder), path + "/" if path else "", True)

    def file(self, full: str, path: str) -> None:
        try:
            found = os.stat(full)
        except OSError as error:
            self.unreadable.append((path, reason(error)))
            return
        if stat.S_ISREG(found.st_mode):
            lint = self.lints.of(os.path.dirname(full)) if self.lints is not None else Lint()
            self._keep(path, full, stamp_of(found), lint)
        else:
            self.unreadable.append((path, "not a regular file"))

    def follow_links(self) -> None:
        while self._links:
            links, self._links = sorted(self._links), []
            for full, path in links:
                self._link(full, path, os.path.basename(full).startswith("."))

    def also(self, full: str, path: str, is_text: bool) -> None:
        """A file or folder that was named, and may be there already, by this name or its real one."""
        if full in self._files:
            return
        if is_text and not os.path.isfile(full):
            lint = self.lints.of(os.path.dirname(full)) if self.lints is not None else Lint()
            self._keep(path, full, Stamp(0, 0, 0, 0), lint)
            return
        self._link(full, path, False)
        self.follow_links()

    def _link(self, full: str, path: str, skip_folder: bool) -> None:
        try:
            real = os.path.realpath(full)
        except OSError as error:  # a link that may not be read
            self.unreadable.append((path, reason(error)))
            return
        if os.path.isdir(real):
            if real not in self._folders and not skip_folder:
                self._folder(full, real, path + "/" if path else "", False)
        elif full.endswith(SUFFIX) and not (real != full and real in self._real_files()):
            self.file(full, path)

    def _real_files(self) -> set[str]:
        if len(self._real) != len(self._files):
            self._real = {os.path.realpath(name) for name in self._files}
        return self._real

    def _folder(self, folder: str, real: str, prefix: str, first: bool) -> None:
        # An own stack: folders may be nested deeper than Python recurses.
        stack = [(folder, real, prefix, first)]
        while stack:
            folder, real, prefix, first = stack.pop()
            if real in self._folders:
                continue
            try:
                with os.scandir(folder) as entries:
                    listed = list(entries)
            except OSError as error:
                self.unreadable.append((prefix.rstrip("/") or ".", reason(error)))
                continue
            names = {entry.name for entry in listed}
            if not first and "tide.yaml" in names:
                self.nested.append(folder)
                continue
            self._folders.add(real)
            lint: Lint | None = None if self.lints is not None else Lint()
            for entry in listed:
                name = entry.name
                try:
                    if name.endswith(SUFFIX) and entry.is_file(follow_symlinks=False):
                        if lint is None:
                            assert self.lints is not None
                            lint = self.lints.of(folder, "atl.toml" not in names)
                        self._keep(prefix + name, entry.path, stamp_of(entry.stat(follow_symlinks=False)), lint)
                    elif entry.is_dir(follow_symlinks=False):
                        if name[0] != ".":
                            stack.append((entry.path, os.path.join(real, name), prefix + name + "/", False))
                    elif entry.is_symlink():
                        self._links.append((entry.path, prefix + name))
                except OSError as error:
                    self.unreadable.append((prefix + name, reason(error)))

    def _keep(self, path: str, full: str, stamp: Stamp, lint: Lint) -> None:
        if full not in self._files and not (lint.exclude and lint.excludes(full)):
            self._files.add(full)
            self.found.append(Entry(path, full, self.lints is not None, stamp, lint))
