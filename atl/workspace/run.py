"""Brings what is known of a workspace's files up to date: all of it when little is known, else only what a change can
have touched. Imported when something has changed; what has not is answered by the cache alone.

A file's findings follow from its text, from the answers that its rules were given by the index, and, where they point
into other files, from those files' lines. So after a change are checked again: the files that changed, those that had
asked a key whose answer is another now, and those whose findings mention a changed file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from atl.records import NamedTuple
from atl.schema.index import Key
from atl.schema.symbols import Symbol, symbol_from_json, symbol_to_json
from atl.source import Anchor, SourceFile, decode
from atl.workspace.cache import Cache, Changed, Damaged, Details, Row, Tables, encode, enter
from atl.workspace.core import Core
from atl.workspace.files import Content, Entry, Stamp, read_bytes
from atl.workspace.identity import digest

__all__ = ["Checked", "check_all", "check_changed", "check_loaded", "is_small"]

# A change of more than this part of the files is checked from scratch.
_LARGE_PART = 4
_SMALL = 20


class Checked(NamedTuple):
    """rows: by path, sorted, with their details as JSON. tables: for the cache."""

    rows: dict[str, tuple[Row, bytes]]
    tables: Tables


def is_small(cache: Cache, changed: int) -> bool:
    return changed <= max(_SMALL, len(cache.rows) // _LARGE_PART)


def check_all(
    entries: Mapping[str, Entry], contents: Mapping[str, Content], caller: str | None, limit: int | None = 1
) -> Checked:
    """From scratch. contents: of each of the files. limit: 1 never starts a second process."""

    def half(paths: Iterable[str], exchange: _Exchange | None = None) -> tuple[dict[str, tuple[Row, bytes]], Tables]:
        return _check_some(entries, contents, caller, paths, exchange)

    made = None
    if limit != 1 and len(contents) > 1:
        from atl.workspace import workers

        made = workers.in_two(entries, contents, half) if workers.pays(contents) else None
    return Checked(*(made or half(entries)))


def check_loaded(entries: Mapping[str, Entry], contents: Mapping[str, Content], core: Core) -> Checked:
    """From scratch, with a core that has all the files."""
    symbols = {path: _symbols(core, path) for path in entries}
    return Checked(*_found(core, entries, contents, symbols))


_Exchange = Callable[[list[Any]], list[Any]]


def _check_some(
    entries: Mapping[str, Entry],
    contents: Mapping[str, Content],
    caller: str | None,
    paths: Iterable[str],
    exchange: _Exchange | None,
) -> tuple[dict[str, tuple[Row, bytes]], Tables]:
    """Check some of the files, given the others' symbols."""
    core = Core(caller)
    for path in paths:
        core.put(_source(path, contents[path].data), entries[path].own)
    symbols = {path: _symbols(core, path) for path in paths}
    for path, known in exchange(list(symbols.items())) if exchange is not None else ():
        file = _source(path, contents[path].data)
        core.put_known(path, [(symbol_from_json(s), Anchor(file, start)) for s, start in known], entries[path].own)
    return _found(core, entries, contents, symbols)


def _found(
    core: Core, entries: Mapping[str, Entry], contents: Mapping[str, Content], symbols: Mapping[str, list[Any]]
) -> tuple[dict[str, tuple[Row, bytes]], Tables]:
    """What is found in the files whose symbols are given."""
    tables = Tables({}, {})
    rows: dict[str, tuple[Row, bytes]] = {}
    for path in symbols:
        details, shown, mentions = _details(core, path, symbols[path])
        enter(tables, path, details)
        rows[path] = _row(path, entries[path].own, contents[path], details, shown, mentions), encode(details)
    return rows, tables


def check_changed(
    cache: Cache,
    entries: Mapping[str, Entry],
    contents: Mapping[str, Content],
    stamps: Mapping[str, Stamp],
    caller: str | None,
) -> Changed:
    """Starting from a cache. contents: of the files that changed or are new; what the cache has and `entries` lacks is
    gone. stamps: of the files that are the same. Raises Damaged."""
    return _Update(cache, entries, contents, caller).run(stamps)


# ------------------------------------------------------------------ one file


def _source(path: str, data: bytes) -> SourceFile:
    text, bom = decode(data)
    return SourceFile(path, text, bom)


def _symbols(core: Core, path: str) -> list[Any]:
    return [[symbol_to_json(symbol), start] for symbol, start in core.symbols(path)]


def _details(core: Core, path: str, symbols: list[Any]) -> tuple[Details, list[Any], set[str]]:
    """A file's details, its errors and warnings as JSON, and the other files that its findings mention."""
    given = sorted(map(_key_text, core.index.keys_of(path)))
    shown: list[Any] = []
    hints: list[Any] = []
    mentions: set[str] = set()
    asked: list[str] = []
    if core.is_own(path):
        found = core.findings(path)
        if found:
            from atl.findings.resolved import resolve, to_json
        for finding in found:
            resolved = resolve(finding)
            (hints if resolved.severity == "hint" else shown).append(to_json(resolved))
            mentions.update(label.place.path for label in resolved.labels)
            mentions.update(edit.place.path for fix in resolved.fixes for edit in fix.edits)
        mentions.discard(path)
        asked = sorted(map(_key_text, core.asked(path)))
    return Details(symbols, given, asked, hints), shown, mentions


def _row(path: str, own: bool, content: Content, details: Details, shown: list[Any], mentions: Iterable[str]) -> Row:
    return Row(
        path, own, content.stamp, digest(content.data), shown, [hint[0] for hint in details.hints], sorted(mentions)
    )


def _key_text(key: Key) -> str:
    """Two keys may give one text where a name holds white space: then more is checked again than need be, never
    less."""
    text = " ".join(key)
    return text if text.isprintable() else text.replace("\n", " ").replace("\t", " ")


# ------------------------------------------------------------------ after a change


class _Unread(SourceFile):
    """A file known from the cache; its text is read when a place in it needs a line."""

    __slots__ = ("_read", "full")

    def __init__(self, path: str, full: str) -> None:
        super().__init__(path, "")
        self.full = full
        self._read: str | None = None

    @property
    def text(self) -> str:
        if self._read is None:
            try:
                self._read = decode(read_bytes(self.full))[0]
            except OSError:
                self._read = ""
        return self._read

    @text.setter
    def text(self, text: str) -> None:
        pass


class _Update:
    """The index holds only those of the unchanged files that matter: the changed ones' rules ask their questions, the
    files that the cache names for these keys are put in, which outdates what was answered without them, and so on
    until all that was asked for is there."""

    def __init__(
        self, cache: Cache, entries: Mapping[str, Entry], contents: Mapping[str, Content], caller: str | None
    ) -> None:
        self.cache = cache
        self.entries = entries
        self.contents = contents
        self.core = Core(caller)
        self.gone = [path for path in cache.rows if path not in entries]
        # Files that are in the index as they are now, or for good not in it.
        self.known = {*contents, *self.gone}
        self._details: dict[str, Details] = {}

    def run(self, stamps: Mapping[str, Stamp]) -> Changed:
        again = self._affected(self._changed())
        for path in again:
            if path not in self.core.trees:
                self.core.put(self._unchanged(path), True)
                self.known.add(path)
            if path in self.cache.rows:
                self._need(self._of(path).asked)
        self._settle(again)
        return self._result(again, stamps)

    def _changed(self) -> set[str]:
        """The keys whose answer has changed, or may have."""
        core, rows = self.core, self.cache.rows
        changed: set[Key] = set()
        for path in (*self.gone, *self.contents):
            if path in rows:
                core.put_known(path, self._entries(path), rows[path].own)
        for path in self.gone:
            changed |= core.drop(path)
        for path, content in self.contents.items():
            changed |= core.put(_source(path, content.data), self.entries[path].own)
        # Queries move with their owner, the own ones and those of other files.
        waiting = [key for path in self.contents for key in core.index.keys_of(path)]
        waiting += [("owned", key[1]) for key in changed if key[0] == "entity" and "." not in key[1]]
        for key in waiting:
            if key[0] == "owned":
                self._need([_key_text(key), _key_text(("entity", key[1]))])
        texts = set(map(_key_text, changed))
        for path in self.known:
            given = {_key_text(key) for key in core.index.keys_of(path)}
            texts |= given.symmetric_difference(self._of(path).given if path in rows else ())
        return texts

    def _affected(self, changed: set[str]) -> list[str]:
        """The own files to check again, sorted."""
        rows, entries = self.cache.rows, self.entries
        again = {path for path in self.contents if entries[path].own}
        for key in changed:
            again.update(path for path in self.cache.asked(key) if path in entries)
        moved = {*self.gone, *self.contents}
        again.update(
            path
            for path, row in rows.items()
            if row.mentions and path in entries and not moved.isdisjoint(row.mentions)
        )
        return sorted(path for path in again if entries[path].own)

    def _settle(self, again: list[str]) -> None:
        asked: set[Key] = set()
        while True:
            now: set[Key] = set()
            for path in again:
                now |= self.core.asked(path)
            fresh = now - asked
            if not fresh:
                return
            asked |= fresh
            if any(key[0] == "names" for key in fresh):
                self._know_all()
            self._need(map(_key_text, fresh))

    def _result(self, again: list[str], stamps: Mapping[str, Stamp]) -> Changed:
        made: Changed = {}
        for path in sorted({*again, *self.contents}):
            old, content = self.cache.rows.get(path), self.contents.get(path)
            details, shown, mentions = _details(self.core, path, _symbols(self.core, path))
            if content is not None:
                row = _row(path, self.entries[path].own, content, details, shown, mentions)
            else:
                assert old is not None
                hints = [hint[0] for hint in details.hints]
                row = old._replace(stamp=stamps[path], shown=shown, hints=hints, mentions=sorted(mentions))
            made[path] = row, details
        for path in self.known - made.keys() - set(self.gone):
            # Its queries may have moved with their owner.
            details = self._of(path)
            given = sorted(map(_key_text, self.core.index.keys_of(path)))
            if given != details.given:
                made[path] = self.cache.rows[path]._replace(stamp=stamps[path]), details._replace(given=given)
        return made

    # -------------------------------------------------------- unchanged files

    def _of(self, path: str) -> Details:
        """A file as the cache has it."""
        found = self._details.get(path)
        if found is None:
            found = self._details[path] = self.cache.details(path)
        return found

    def _entries(self, path: str) -> list[tuple[Symbol, Anchor]]:
        file = _Unread(path, self.entries[path].full) if path in self.entries else SourceFile(path, "")
        try:
            return [(symbol_from_json(symbol), Anchor(file, start)) for symbol, start in self._of(path).symbols]
        except (ValueError, TypeError, KeyError, IndexError) as error:
            raise Damaged from error

    def _unchanged(self, path: str) -> SourceFile:
        try:
            data = read_bytes(self.entries[path].full)
        except OSError as error:
            raise Damaged from error
        if digest(data) != self.cache.rows[path].digest:
            raise Damaged  # changed since it was listed
        return _source(path, data)

    def _need(self, keys: Iterable[str]) -> None:
        """Put in what others see of the unchanged files that stand under these keys, and of those that the ids of
        their queries depend on."""
        waiting = list(keys)
        while waiting:
            for path in self.cache.given(waiting.pop()):
                waiting += self._know(path)

    def _know_all(self) -> None:
        for path in self.cache.rows:
            self._know(path)

    def _know(self, path: str) -> list[str]:
        """Put in a file; the keys under which the owners of its queries stand."""
        if path in self.known:
            return []
        self.known.add(path)
        self.core.put_known(path, self._entries(path), self.cache.rows[path].own)
        return [key.replace("owned ", "entity ", 1) for key in self._of(path).given if key.startswith("owned ")]
