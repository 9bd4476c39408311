"""What is found in one workspace: from the cache where nothing has changed, else from a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from atl.workspace import cache as on_disk
from atl.workspace.cache import Cache, Damaged, Row
from atl.workspace.files import Content, Entry, read_bytes, reason

if TYPE_CHECKING:
    from atl.workspace.run import Checked

__all__ = ["Outcome", "outcome"]


class Outcome(NamedTuple):
    """rows: by path, of own and others' files, sorted. unreadable: (path, reason). hints: of each file, as `Row.shown`;
    empty when they were not wanted."""

    rows: dict[str, Row]
    unreadable: list[tuple[str, str]]
    hints: dict[str, list[Any]]


def outcome(
    root: str,
    caller: str | None,
    files: Mapping[str, Entry],
    texts: Mapping[str, str],
    *,
    cached: bool,
    hints: bool,
    workers: int | None,
) -> Outcome:
    """files: by path, sorted. texts: by absolute path, which stand for what is on disk; with them nothing is saved.
    workers: 1 never starts a second process."""
    place = _Place(on_disk.cache_file(root), on_disk.identity(root, caller), not texts) if cached else None
    cache = Cache.load(place.path, place.key) if place is not None else None
    if cache is not None and place is not None:
        try:
            found = _from_cache(cache, place, caller, files, texts, hints)
        except Damaged:
            found = None
        if found is not None:
            return found
    contents, unreadable = _read(files.values(), texts)
    there = {path: entry for path, entry in files.items() if path not in unreadable}
    from atl.workspace import run

    made = run.check_all(there, contents, caller, workers)
    return _finish(made, place, unreadable, hints)


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
        return Outcome(rows, [], _hints(cache) if hints else {})

    contents, unreadable = _read(suspects, texts)
    there = {path: entry for path, entry in files.items() if path not in unreadable}
    stamps = {path: entry.stamp for path, entry in there.items()}
    newly_trusted = False
    for path, content in list(contents.items()):
        row = rows.get(path)
        if row is not None and row.own == there[path].own and row.digest == on_disk.digest(content.data):
            del contents[path]
            stamps[path] = content.stamp
            newly_trusted |= content.stamp != row.stamp
    if not contents and len(there) == len(rows):
        if newly_trusted and place.writable:
            kept = [(row._replace(stamp=stamps[path]), cache.raw(row)) for path, row in rows.items()]
            on_disk.save(place.path, place.key, kept, cache.tables())
        return Outcome(rows, list(unreadable.items()), _hints(cache) if hints else {})

    from atl.workspace import run

    if not run.is_small(cache, len(contents) + sum(path not in there for path in rows)):
        return None
    return _finish(run.check_changed(cache, there, contents, stamps, caller), place, unreadable, hints)


def _finish(made: Checked, place: _Place | None, unreadable: dict[str, str], hints: bool) -> Outcome:
    if place is not None and place.writable:
        on_disk.save(place.path, place.key, made.rows.values(), made.tables)
    rows = {path: row for path, (row, _) in made.rows.items()}
    wanted = {path: blob for path, (row, blob) in made.rows.items() if row.hints} if hints else {}
    return Outcome(rows, list(unreadable.items()), {path: on_disk.decode(blob).hints for path, blob in wanted.items()})


def _hints(cache: Cache) -> dict[str, list[Any]]:
    return {path: cache.details(path).hints for path, row in cache.rows.items() if row.hints}


def _read(entries: Iterable[Entry], texts: Mapping[str, str]) -> tuple[dict[str, Content], dict[str, str]]:
    """The contents by path, and the reasons of those that cannot be read."""
    read_at = on_disk.now()
    contents: dict[str, Content] = {}
    unreadable: dict[str, str] = {}
    for entry in entries:
        text = texts.get(entry.full)
        try:
            if text is not None:
                contents[entry.path] = Content(text.encode("utf-8", "surrogateescape"), on_disk.UNTRUSTED)
            else:
                contents[entry.path] = Content(read_bytes(entry.full), on_disk.trusted(entry.stamp, read_at))
        except OSError as error:
            unreadable[entry.path] = reason(error)
    return contents, unreadable
