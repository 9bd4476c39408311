"""From the paths of a command line to workspaces: which roots, and which of their files are reported on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence

from atl.records import NamedTuple
from atl.workspace.config import CACHED, Config, find_root, read_config
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import SUFFIX, Entry, Listing, list_files

__all__ = ["Target", "targets"]


class Target(NamedTuple):
    """One workspace. given: the absolute files and folders that were asked for; what is below them is reported on."""

    config: Config
    listing: Listing
    given: tuple[str, ...]

    def reported(self) -> list[Entry]:
        """The own files asked for, by path."""
        own = [entry for entry in self.listing.files.values() if entry.own]
        if self.config.root in self.given:
            return own
        wanted: set[str] = set()
        for given in self.given:
            below = [entry.path for entry in own if _within(entry.full, given)]
            if not below:
                # Reached by another name, through a symbolic link.
                real = os.path.realpath(given)
                below = [entry.path for entry in own if _within(os.path.realpath(entry.full), real)]
            wanted.update(below)
        return [entry for entry in own if entry.path in wanted]

    def writable(self) -> list[Entry]:
        """Those of the reported files that may be changed: no link leads out of the workspace."""
        inside = [os.path.realpath(folder) for folder in (self.config.root, *_schema_folders(self.config))]
        reported = self.reported()
        return [entry for entry in reported if any(_within(os.path.realpath(entry.full), folder) for folder in inside)]


def targets(paths: Sequence[str], texts: Mapping[str, str]) -> Iterator[Target]:
    """The workspaces of the paths, by root; of none, of the current folder. texts: files that need not exist.

    Without a `tide.yaml` a folder given is its own root, unless it lies in another folder given. Raises WorkspaceError.
    """
    given: dict[str, list[str]] = {}
    for path in paths or (".",):
        full = os.path.abspath(path)
        if full in texts:
            continue
        if not os.path.exists(full):
            raise WorkspaceError("no such file or folder", path)
        if not os.path.isdir(full) and not full.endswith(SUFFIX):
            raise WorkspaceError(f"is no `{SUFFIX}` file", path)
        given.setdefault(_start(full), []).append(full)
    for full in texts:
        given.setdefault(_start(full), []).append(full)
    waiting = _merged(given)
    done: set[str] = set()
    while waiting:
        root = min(waiting)
        asked = waiting.pop(root)
        done.add(root)
        config = read_config(root)
        listing = list_files(config, _extra(config, asked, texts), texts)
        for nested in listing.nested:
            if nested not in done and any(_within(nested, folder) for folder in asked):
                waiting.setdefault(nested, []).append(nested)
        yield Target(config, listing, tuple(asked))


def _start(full: str) -> str:
    folder = full if os.path.isdir(full) else os.path.dirname(full)
    return find_root(folder) or folder


def _merged(given: dict[str, list[str]]) -> dict[str, list[str]]:
    """Roots without a `tide.yaml` that lie in another such root become part of it."""
    bare = sorted((root for root in given if find_root(root) is None), key=len)
    merged = {root: asked for root, asked in given.items() if root not in bare}
    for root in bare:
        outer = next((other for other in bare if other in merged and _within(root, other)), root)
        merged.setdefault(outer, []).extend(given[root])
    return merged


def _extra(config: Config, asked: Iterable[str], texts: Mapping[str, str]) -> list[str]:
    """What was asked for by name, and so counts wherever it stands; a folder that has the schema's folders in it
    only means these."""
    cached = os.path.join(config.root, *CACHED.split("/"))
    folders = _schema_folders(config)
    return [
        full
        for full in asked
        if full != config.root
        and not _within(full, cached)
        and not (full not in texts and any(_within(folder, full) for folder in folders))
    ]


def _schema_folders(config: Config) -> list[str]:
    return [os.path.normpath(os.path.join(config.root, path)) for path in config.schema_paths or (".",)]


def _within(full: str, folder: str) -> bool:
    return full == folder or full.startswith(folder if folder.endswith(os.sep) else folder + os.sep)
