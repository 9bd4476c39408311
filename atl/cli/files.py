"""Files by the paths of a command line, and writing one so that it is never half there."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from atl.workspace.config import find_root, read_config
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import list_files, relative_path

__all__ = ["declaration_files", "replace"]


def declaration_files(paths: Sequence[str]) -> list[tuple[str, str]]:
    """(path to show, absolute path) of the files that are meant, sorted, each once. A folder means the own files of
    the workspaces in it; a file means itself, whatever its name. Raises WorkspaceError when there is no such path."""
    here = os.getcwd()
    found: set[str] = set()
    for path in paths or (".",):
        full = os.path.abspath(path)
        if os.path.isdir(full):
            found |= _in_folder(full)
        elif os.path.exists(full):
            found.add(full)
        else:
            raise WorkspaceError("no such file or folder", path)
    return sorted((relative_path(full, here), full) for full in found)


def _in_folder(folder: str) -> set[str]:
    """Also of the workspaces nested in the folder; only this folder's part of one that begins above it."""
    found: set[str] = set()
    roots = [find_root(folder) or folder]
    for root in roots:
        listing = list_files(read_config(root))
        found.update(entry.full for entry in listing.files.values() if entry.own)
        roots.extend(listing.nested)
    below = os.path.join(folder, "")
    return {full for full in found if full.startswith(below)}


def replace(full: str, data: bytes) -> None:
    """Write a file by a temporary one beside it and a rename; its mode is kept, and a symbolic link's target is what is
    written. Raises OSError."""
    from tempfile import mkstemp

    target = os.path.realpath(full)
    mode = stat.S_IMODE(os.stat(target).st_mode)
    handle, name = mkstemp(prefix=".", suffix=".tmp", dir=os.path.dirname(target))
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.chmod(name, mode)
        os.replace(name, target)
    except BaseException:
        os.unlink(name)
        raise
