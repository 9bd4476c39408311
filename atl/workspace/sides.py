"""The sides of a comparison: a workspace, a folder, a file, schema JSON, a git revision.

Most of two sides is the same. The new side is read first; the other one, when it is read beside it, takes over the
trees of the files that are equal, and what was found in them and built of them as far as it still holds.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from atl.records import NamedTuple
from atl.schema import model as m
from atl.source import SourceFile
from atl.workspace import workers
from atl.workspace.aside import aside as begin_aside
from atl.workspace.collecting import uncollected
from atl.workspace.config import Config, find_root, read_config
from atl.workspace.core import Core
from atl.workspace.errors import WorkspaceError
from atl.workspace.files import SUFFIX, Listing, list_files, read_bytes, reason, relative_path
from atl.workspace.outcome import Loaded, outcome, read_contents

if TYPE_CHECKING:
    from atl.findings import Finding
    from atl.schema.build import Built
    from atl.syntax.tree import FileTree

__all__ = ["Side", "default_side", "judged", "named_side", "path_side", "root_of"]

# In findings as JSON.
_SEVERITY = 2


class Side(NamedTuple):
    """label: how it is called, for people. caller: who the workspace is; cached: other callers' files in it.
    reading: what another side may be read with; it is another side's then. judge: waits until it is known whether there
    are errors, and raises WorkspaceError then."""

    label: str
    schema: m.Schema
    caller: str | None = None
    cached: tuple[FileTree, ...] = ()
    reading: _Reading | None = None
    judge: Callable[[], None] = lambda: None


@contextmanager
def judged(side: Side) -> Iterator[None]:
    """While a side is worked with whose errors are still looked for: of what goes wrong, these are to be said first."""
    try:
        yield
    except Exception:
        side.judge()
        raise
    side.judge()


class _Reading:
    """Files that are parsed, what was found in them, and what was built of them."""

    def __init__(self, caller: str | None) -> None:
        from atl.schema.build import Built

        self.core = Core(caller)
        self.built: Built = Built()
        self.core.companions.append(self.built)

    def settle(self, files: Mapping[str, tuple[SourceFile, bool]]) -> None:
        """Have these files alone, by path, each with whether it is an own one. Trees that are handed out stay as they
        are: a file that differs is parsed anew."""
        core = self.core
        for path, tree in list(core.trees.items()):
            file, own = files.get(path, (None, False))
            same = file is not None and (file.text, file.bom) == (tree.file.text, tree.file.bom)
            if not same or own != core.is_own(path):
                core.drop(path)
        for path, (file, own) in files.items():
            if path not in core.trees:
                core.put(file, own)

    def side(self, label: str) -> Side:
        from atl.schema.build import build

        core = self.core
        trees = [core.trees[path] for path in sorted(core.trees)]
        own = [tree for tree in trees if core.is_own(tree.file.path)]
        cached = tuple(tree for tree in trees if not core.is_own(tree.file.path))
        return Side(label, build(own, cached, core.index, self.built), core.settings.caller, cached, self)


def root_of(path: str) -> str:
    """The root of the workspace that a folder or file is in, absolute. Raises WorkspaceError."""
    if not os.path.exists(path):
        raise WorkspaceError("no such file or folder", path)
    folder = os.path.abspath(path)
    if not os.path.isdir(folder):
        folder = os.path.dirname(folder)
    return find_root(folder) or folder


def path_side(path: str, label: str = "", strict: bool = True, beside: Side | None = None, aside: bool = False) -> Side:
    """A folder, a file, or a file of schema JSON. A folder that is the root of a workspace means all of it, any other
    folder or file only itself; who the caller is and what others declare comes from the workspace around it.

    strict: it must be free of errors; else only syntax and names count. beside: the side that it is compared with.
    aside: errors may still be looked for when this returns, and everything done with the side is done in `judged`.
    Raises WorkspaceError.
    """
    full = os.path.abspath(path)
    label = label or path
    if full.endswith(".json") and os.path.isfile(full):
        return Side(label, _read_json(full, path))
    root = root_of(path)
    if not os.path.isdir(full) and not full.endswith(SUFFIX):
        raise WorkspaceError(f"is neither a folder, nor an `{SUFFIX}` file, nor schema JSON (`.json`)", path)
    return _read(full, root, label, strict, beside, aside)


def _read(full: str, root: str, label: str, strict: bool, beside: Side | None, aside: bool = False) -> Side:
    config = read_config(root)
    if full == root:
        listing = list_files(config, missing_ok=not strict)
    else:
        listing = list_files(config._replace(schema_paths=(), lines=()), (full,))
    for bad, why in listing.unreadable:
        raise WorkspaceError(f"cannot be read: {why}", bad)
    reading = beside.reading if beside is not None and not strict else None
    if reading is None or reading.core.settings.caller != config.caller:
        reading = _Reading(config.caller)
    with uncollected():
        contents, unreadable = read_contents(listing.files.values(), {})
        for bad, why in unreadable.items():
            raise WorkspaceError(f"cannot be read: {why}", bad)
        reading.settle(
            {path: (SourceFile.from_bytes(path, contents[path].data), file.own) for path, file in listing.files.items()}
        )
        if not strict or full != root:
            _refuse(reading.core, label, strict)
            return reading.side(label)
        loaded = Loaded(contents, reading.core)
        if not (aside and workers.pays(contents)):
            _refuse_any(_errors(config, listing, loaded), config.root, label)
            return reading.side(label)
        # When the result is asked for, the core may have another side's files.
        found = begin_aside(lambda: _errors(config, listing, loaded), lambda: _errors(config, listing, None))

        def judge() -> None:
            _refuse_any(found(), config.root, label)

        return reading.side(label)._replace(judge=judge)


def named_side(what: str, root: str, strict: bool = False, beside: Side | None = None, aside: bool = False) -> Side:
    """What `what` names: a path, else a git revision in the repository of a workspace's root. Otherwise as
    `path_side`."""
    from atl.workspace.revision import find_repository, resolve

    there = os.path.exists(what)
    plain = os.sep not in what and "/" not in what and not what.endswith((SUFFIX, ".json", ".")) and what != ""
    if there and not plain:
        return path_side(what, strict=strict, beside=beside, aside=aside)
    repository = find_repository(root)
    commit = resolve(repository, what) if repository is not None else None
    if there:
        if commit is not None:
            raise WorkspaceError(
                f"is a path and a revision: write `./{what}`, or the revision as `refs/heads/{what}`", what
            )
        return path_side(what, strict=strict, beside=beside, aside=aside)
    if repository is None or commit is None:
        where = "" if repository is not None else ", and this is no git repository"
        raise WorkspaceError(f"no such folder, file or git revision{where}", what)
    return _revision_side(root, commit, what, strict, beside)


def default_side(root: str, beside: Side | None = None) -> Side | None:
    """The merge base with the default branch, in a git repository with commits; else None. Otherwise as
    `path_side`."""
    from atl.workspace.revision import default_revision, find_repository

    repository = find_repository(root)
    found = default_revision(repository) if repository is not None else None
    if found is None:
        return None
    name, commit = found
    return _revision_side(root, commit, f"{commit[:12]} ({name})", False, beside)


def _revision_side(root: str, commit: str, label: str, strict: bool, beside: Side | None) -> Side:
    from atl.workspace.revision import checked_out, find_repository

    repository = find_repository(root)
    if repository is None:
        raise WorkspaceError("is in no git repository", root)
    with checked_out(repository, commit) as (base, folder):
        above = find_root(folder)
        inside = above is not None and (above == base or above.startswith(base + os.sep))
        return _read(folder, above if above is not None and inside else folder, label, strict, beside)


def _read_json(full: str, shown: str) -> m.Schema:
    from atl.schema.canonical import SchemaError, load

    try:
        with uncollected():
            return load(read_bytes(full).decode("utf-8"))
    except OSError as error:
        raise WorkspaceError(f"cannot be read: {reason(error)}", shown) from None
    except (UnicodeDecodeError, SchemaError) as error:
        raise WorkspaceError(str(error).split("\n")[0], shown) from None


def _errors(config: Config, listing: Listing, loaded: Loaded | None) -> list[Any]:
    """Of the whole of a workspace, as JSON: by its cache on disk as far as that goes."""
    found = outcome(config.root, config.caller, listing.files, {}, cached=True, hints=False, workers=1, loaded=loaded)
    return [f for row in found.rows.values() if row.own for f in row.shown if f[_SEVERITY] == "error"]


def _refuse_any(errors: list[Any], root: str, label: str) -> None:
    if errors:
        from atl.findings.resolved import from_json

        first = from_json(errors[0])
        path = relative_path(os.path.normpath(os.path.join(root, first.place.path)), os.getcwd())
        _say(label, len(errors), f"{path}:{first.place.line}", first.code, first.message)


def _refuse(core: Core, label: str, strict: bool) -> None:
    if not strict:
        core.settings = core.settings._replace(names_only=True)
    errors = [(path, f) for path in core.paths() for f in core.findings(path) if _counts(f, strict)]
    if errors:
        path, first = errors[0]
        line = core.trees[path].file.lines.line(first.place.span.start) + 1
        _say(label, len(errors), f"{path}:{line}", first.code, first.message, strict)


def _counts(finding: Finding, strict: bool) -> bool:
    return finding.severity.value == "error" and (strict or finding.code.startswith(("ATL0", "ATL1")))


def _say(label: str, count: int, place: str, code: str, message: str, strict: bool = True) -> None:
    more = f", and {count - 1} more" if count > 1 else ""
    # What stood at a revision cannot be mended there.
    way = "see `atl check`" if strict else "mend it, or compare with something else"
    raise WorkspaceError(f"{label} cannot be planned: {place}: {code} {message}{more} ({way})")
