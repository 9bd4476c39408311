"""The sides of a comparison: a workspace, a folder, a file, schema JSON, a git revision."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, NamedTuple

from atl.schema import model as m
from atl.source import SourceFile
from atl.workspace.collecting import uncollected
from atl.workspace.config import find_root, read_config
from atl.workspace.core import Core
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import SUFFIX, list_files, read_bytes, reason

if TYPE_CHECKING:
    from atl.findings import Finding
    from atl.syntax.tree import FileTree

__all__ = ["Side", "default_side", "named_side", "path_side", "root_of"]


class Side(NamedTuple):
    """label: how it is called, for people. caller: who the workspace is; cached: other callers' files in it."""

    label: str
    schema: m.Schema
    caller: str | None = None
    cached: tuple[FileTree, ...] = ()


def root_of(path: str) -> str:
    """The root of the workspace that a folder or file is in, absolute. Raises WorkspaceError."""
    if not os.path.exists(path):
        raise WorkspaceError("no such file or folder", path)
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return find_root(folder) or folder


def path_side(path: str, label: str = "", strict: bool = True) -> Side:
    """A folder, a file, or a file of schema JSON. A folder that is the root of a workspace means all of it, any other
    folder or file only itself; who the caller is and what others declare comes from the workspace around it.

    strict: it must be free of errors; else only syntax and names count. Raises WorkspaceError.
    """
    full = os.path.abspath(path)
    label = label or path
    if full.endswith(".json") and os.path.isfile(full):
        return Side(label, _read_json(full, path))
    root = root_of(path)
    if not os.path.isdir(full) and not full.endswith(SUFFIX):
        raise WorkspaceError(f"is neither a folder, nor an `{SUFFIX}` file, nor schema JSON (`.json`)", path)
    return _read(full, root, label, strict)


def _read(full: str, root: str, label: str, strict: bool) -> Side:
    config = read_config(root)
    if full == root:
        listing = list_files(config, missing_ok=not strict)
    else:
        listing = list_files(config._replace(schema_paths=(), lines=()), (full,))
    for bad, why in listing.unreadable:
        raise WorkspaceError(f"cannot be read: {why}", bad)
    if strict and full == root:
        _refuse_errors(full, label)
    core = Core(config.caller)
    with uncollected():
        for entry in listing.files.values():
            try:
                data = read_bytes(entry.full)
            except OSError as error:
                raise WorkspaceError(f"cannot be read: {reason(error)}", entry.path) from None
            core.put(SourceFile.from_bytes(entry.path, data), entry.own)
        own = [tree for at, tree in core.trees.items() if core.is_own(at)]
        cached = tuple(tree for at, tree in core.trees.items() if not core.is_own(at))
        if not strict or full != root:
            _refuse(core, label, strict)
        from atl.schema.build import build

        return Side(label, build(own, cached, core.index), config.caller, cached)


def named_side(what: str, root: str, strict: bool = False) -> Side:
    """What `what` names: a path, else a git revision in the repository of a workspace's root. Raises WorkspaceError."""
    from atl.workspace.revision import find_repository, resolve

    there = os.path.exists(what)
    plain = os.sep not in what and "/" not in what and not what.endswith((SUFFIX, ".json", ".")) and what != ""
    if there and not plain:
        return path_side(what, strict=strict)
    repository = find_repository(root)
    commit = resolve(repository, what) if repository is not None else None
    if there:
        if commit is not None:
            raise WorkspaceError(
                f"is a path and a revision: write `./{what}`, or the revision as `refs/heads/{what}`", what
            )
        return path_side(what, strict=strict)
    if repository is None or commit is None:
        where = "" if repository is not None else ", and this is no git repository"
        raise WorkspaceError(f"no such folder, file or git revision{where}", what)
    return _revision_side(root, commit, what, strict)


def default_side(root: str) -> Side | None:
    """The merge base with the default branch, in a git repository with commits; else None. Raises WorkspaceError."""
    from atl.workspace.revision import default_revision, find_repository

    repository = find_repository(root)
    found = default_revision(repository) if repository is not None else None
    if found is None:
        return None
    name, commit = found
    return _revision_side(root, commit, f"{commit[:12]} ({name})", False)


def _revision_side(root: str, commit: str, label: str, strict: bool) -> Side:
    from atl.workspace.revision import checked_out, find_repository

    repository = find_repository(root)
    if repository is None:
        raise WorkspaceError("is in no git repository", root)
    with checked_out(repository, commit) as (base, folder):
        above = find_root(folder)
        inside = above is not None and (above == base or above.startswith(base + os.sep))
        return _read(folder, above if above is not None and inside else folder, label, strict)


def _read_json(full: str, shown: str) -> m.Schema:
    from atl.schema.canonical import SchemaError, load

    try:
        with uncollected():
            return load(read_bytes(full).decode("utf-8"))
    except OSError as error:
        raise WorkspaceError(f"cannot be read: {reason(error)}", shown) from None
    except (UnicodeDecodeError, SchemaError) as error:
        raise WorkspaceError(str(error).split("\n")[0], shown) from None


def _refuse_errors(root: str, label: str) -> None:
    """The whole of a workspace, by its cache on disk."""
    from atl.workspace.checking import Options, check_paths

    found = [f for f in check_paths([root], Options(hints=False)).findings if f.severity == "error"]
    if found:
        place = found[0].place
        _say(label, len(found), f"{place.path}:{place.line}", found[0].code, found[0].message)


def _refuse(core: Core, label: str, strict: bool) -> None:
    errors = [(path, f) for path in core.paths() for f in core.findings(path) if _counts(f, strict)]
    if errors:
        path, first = errors[0]
        line = core.trees[path].file.lines.line(first.place.span.start) + 1
        _say(label, len(errors), f"{path}:{line}", first.code, first.message)


def _counts(finding: Finding, strict: bool) -> bool:
    return finding.severity.value == "error" and (strict or finding.code.startswith(("ATL0", "ATL1")))


def _say(label: str, count: int, place: str, code: str, message: str) -> None:
    more = f", and {count - 1} more" if count > 1 else ""
    raise WorkspaceError(f"{label} cannot be planned: {place}: {code} {message}{more} (see `atl check`)")
