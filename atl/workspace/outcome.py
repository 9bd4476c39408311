"""What is found in one workspace: from the cache where nothing has changed, else from a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from atl.records import NamedTuple
from atl.workspace import cache as on_disk
from atl.workspace import identity
from atl.workspace.cache import Cache, Changed, Damaged, Row
from atl.workspace.files import Content, Entry, read_bytes, reason

if TYPE_CHECKING:
    from atl.workspace.core import Core
    from atl.workspace.run import Checked

__all__ = ["Loaded", "Outcome", "outcome", "read_contents"]


class Outcome(NamedTuple):
    """rows: by path, of own and others' files, sorted. unreadable: (path, reason). hints: of each file, as `Row.shown`;
    empty when they were not wanted."""

    rows: dict[str, Row]
    unreadable: list[tuple[str, str]]
    hints: dict[str, list[Any]]


class Loaded(NamedTuple):
    """All files of a workspace, read and parsed already. The core has these alone."""

    contents: Mapping[str, Content]
    core: Core


def outcome(
    root: str,
    caller: str | None,
    files: Mapping[str, Entry],
    texts: Mapping[str, str],
    *,
    cached: bool,
    hints: bool,
    workers: int | None,
    loaded: Loaded | None = None,
) -> Outcome:
    """files: by path, sorted. texts: by absolute path, which stand for what is on disk; with them nothing is saved.
    workers: 1 never starts a second process. loaded: spares reading and parsing what the cache does not know."""
    place = _Place(identity.cache_file(root), identity.identity(root, caller), not texts) if cached else None
    cache = Cache.load(place.path, place.key) if place is not None else None
    if cache is not None and place is not None:
        try:
            found = _from_cache(cache, place, caller, files, texts, hints)
        except Damaged:
            found = None
        finally:
            cache.close()
        if found is not None:
            return found
    from atl.workspace import run

    if loaded is not None:
        unreadable: dict[str, str] = {}
        made = run.check_loaded(files, loaded.contents, loaded.core)
    else:
        contents, unreadable = read_contents(files.values(), texts)
        there = {path: entry for path, entry in files.items() if path not in unreadable}
        made = run.check_all(there, contents, caller, workers)
    return _from_scratch(made, place, unreadable, hints)


class _Place(NamedTuple):
    """Where the cache is, what it has to be for, and whether it is to be written."""

    path: str
    key: list[Any]
    writable: bool


def _from_cache(
    cache: Cache, place: _Place, caller: str | None, files: Mapping[str, Entry], texts: Mapping[str, str], hints: bool
) -> Outcome | None:
    """None when so much has changed that the cache is of no use. Raises Damaged."""
    rows = cache.rows
    suspects = [
        entry
        for path, entry in files.items()
        if (row := rows.get(path)) is None or row.stamp != entry.stamp or row.own != entry.own or entry.full in texts
    ]
    if not suspects and len(rows) == len(files):
        return Outcome(rows, [], _hints(cache, rows, {}) if hints else {})

    contents, unreadable = read_contents(suspects, texts)
    there = {path: entry for path, entry in files.items() if path not in unreadable}
    gone = [path for path in rows if path not in there]
    stamps = {path: entry.stamp for path, entry in there.items()}
    changed: Changed = {}
    for path, content in list(contents.items()):
        row = rows.get(path)
        if row is not None and row.own == there[path].own and row.digest == identity.digest(content.data):
            del contents[path]
            stamps[path] = content.stamp
            if content.stamp != row.stamp:
                changed[path] = row._replace(stamp=content.stamp), cache.details(path)
    if contents or gone:
        from atl.workspace import run

        if not run.is_small(cache, len(contents) + len(gone)):
            return None
        changed |= run.check_changed(cache, there, contents, stamps, caller)
    if changed or gone:
        now = {path: changed[path][0] if path in changed else row for path, row in rows.items() if path in there}
        now.update((path, row) for path, (row, _) in changed.items())
        shown = _hints(cache, now, changed) if hints else {}
        if place.writable:
            cache.update(changed, gone)
        return Outcome(now, list(unreadable.items()), shown)
    return Outcome(rows, list(unreadable.items()), _hints(cache, rows, {}) if hints else {})


def _from_scratch(made: Checked, place: _Place | None, unreadable: dict[str, str], hints: bool) -> Outcome:
    if place is not None and place.writable:
        on_disk.save(place.path, place.key, made.rows.values(), made.tables)
    rows = {path: row for path, (row, _) in made.rows.items()}
    wanted = {path: blob for path, (row, blob) in made.rows.items() if row.hints} if hints else {}
    return Outcome(rows, list(unreadable.items()), {path: on_disk.decode(blob).hints for path, blob in wanted.items()})


def _hints(cache: Cache, rows: Mapping[str, Row], changed: Changed) -> dict[str, list[Any]]:
    wanted = [path for path, row in rows.items() if row.hints]
    return {path: changed[path][1].hints if path in changed else cache.details(path).hints for path in wanted}


def read_contents(entries: Iterable[Entry], texts: Mapping[str, str]) -> tuple[dict[str, Content], dict[str, str]]:
    """The contents by path, and the reasons of those that cannot be read."""
    read_at = identity.now()
    contents: dict[str, Content] = {}
    unreadable: dict[str, str] = {}
    for entry in entries:
        text = texts.get(entry.full)
        try:
            if text is not None:
                contents[entry.path] = Content(text.encode("utf-8", "surrogateescape"), identity.UNTRUSTED)
            else:
                contents[entry.path] = Content(read_bytes(entry.full), identity.trusted(entry.stamp, read_at))
        except OSError as error:
            unreadable[entry.path] = reason(error)
    return contents, unreadable
