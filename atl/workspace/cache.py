"""What a check leaves on disk, so that the next one need not do it again.

Two files a workspace, in the user's cache folder. The *base* is a line that says what it is, a head with what was found
in every file, and a tail that is read only when something has changed: what others see of each file, and for every key
of the index the files that stand under it and those whose findings depend on it. The *journal* beside it has the files
that have changed since, whole; it is written anew each time, and becomes part of the base when it has grown.

All of it is JSON and lines of text, nothing is run. Checksums guard against a file that was cut off, and whatever is
not as expected counts as no cache. Files are replaced as a whole, by a rename; a journal names the base it belongs to.

Nothing here imports a rule, the parser or the index: a run over unchanged files ends here.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any, BinaryIO, TypeAlias
from zlib import crc32

from atl.records import NamedTuple
from atl.workspace.files import Stamp
from atl.workspace.identity import now

__all__ = ["Cache", "Changed", "Damaged", "Details", "Row", "Tables", "decode", "encode", "enter", "save"]

_MAGIC = b"atl check cache 2"

# So many files may be in the journal before it costs more than it saves.
_JOURNAL = 64

# A cache is kept this long after it was last written, in nanoseconds: thirty days.
_KEPT = 30 * 86_400 * 1_000_000_000


class Damaged(Exception):
    """A cache that is not what it says, or no longer fits the files: check from scratch."""


class Row(NamedTuple):
    """What is known of a file. digest: of its bytes. shown: its errors and warnings as `resolved.to_json` gives them;
    hints: the codes of its hints. mentions: other files that its findings point into. at, length, sum: where its
    details are in the tail, and their checksum."""

    path: str
    own: bool
    stamp: Stamp
    digest: str
    shown: list[Any]
    hints: list[str]
    mentions: list[str]
    at: int = 0
    length: int = 0
    sum: int = 0


class Details(NamedTuple):
    """symbols: [symbol as JSON, offset of its anchor]. given: the index's keys under which they stand. asked: the keys
    that its findings depend on (both as texts of one line). hints: as `Row.shown`."""

    symbols: list[Any]
    given: list[str]
    asked: list[str]
    hints: list[Any]


Changed: TypeAlias = dict[str, tuple[Row, Details]]
"""By path: what is new of some files; of the others a cache is right."""


class Tables(NamedTuple):
    """For each key the paths of the files that stand under it, and of those whose findings depend on it."""

    given: dict[str, list[str]]
    asked: dict[str, list[str]]


class Cache:
    """A cache that was read. rows: by path."""

    __slots__ = ("_file", "_id", "_journal", "_key", "_numbers", "_parts", "_path", "_tables", "_tail_at", "rows")

    def __init__(self, path: str, key: list[Any], file: BinaryIO) -> None:
        """Raises ValueError and the like when it is no cache of that identity."""
        magic, id, head_sum, length = file.readline(200).rstrip(b"\n").rsplit(b" ", 3)
        head = file.read(int(length))
        if magic != _MAGIC or crc32(head) != int(head_sum):
            raise ValueError(path)
        found, tables, rows = json.loads(head)
        if found != key:
            raise ValueError(path)
        for row in rows:
            row[2] = Stamp._make(row[2])
        self.rows: dict[str, Row] = {row[0]: Row._make(row) for row in rows}
        self._numbers = list(self.rows)
        self._path = path
        self._key = key
        self._id = id.decode()
        self._file = file
        self._tail_at = file.tell()
        self._parts: list[list[int]] = tables
        self._tables: list[bytes | None] = [None, None]
        self._journal: dict[str, Details] = {}
        self._read_journal()

    @classmethod
    def load(cls, path: str, key: list[Any]) -> Cache | None:
        """The cache of that identity; None when there is none that can be used."""
        file: BinaryIO | None = None
        try:
            file = open(path, "rb")  # noqa: SIM115
            return cls(path, key, file)
        except (OSError, ValueError, TypeError, IndexError, KeyError, RecursionError):
            if file is not None:
                file.close()
            return None

    def close(self) -> None:
        self._file.close()

    def details(self, path: str) -> Details:
        """Raises Damaged."""
        found = self._journal.get(path)
        return decode(self._raw(self.rows[path])) if found is None else found

    def given(self, key: str) -> list[str]:
        """The files that stand under a key. Raises Damaged."""
        fresh = [path for path, details in self._journal.items() if key in details.given]
        return self._look_up(0, key) + fresh

    def asked(self, key: str) -> list[str]:
        """The files whose findings depend on a key. Raises Damaged."""
        fresh = [path for path, details in self._journal.items() if key in details.asked]
        return self._look_up(1, key) + fresh

    def update(self, changed: Changed, gone: Iterable[str]) -> None:
        """Write what has changed. Raises Damaged."""
        journal = {path: (self.rows[path], details) for path, details in self._journal.items()}
        journal.update(changed)
        rows = {**self.rows, **{path: row for path, (row, _) in changed.items()}}
        for path in gone:
            journal.pop(path, None)
            rows.pop(path, None)
        lost = [path for path in self._numbers if path not in rows]
        if len(journal) + len(lost) > _JOURNAL:
            self._fold(rows, journal)
        else:
            body = _json([self._id, lost, [[row, details] for row, details in journal.values()]])
            _write(_journal_of(self._path), (b"%s %d\n" % (_MAGIC, crc32(body)), body))

    def _fold(self, rows: Mapping[str, Row], journal: Changed) -> None:
        tables = Tables({}, {})
        made: list[tuple[Row, bytes]] = []
        for path in sorted(rows):
            if path in journal:
                row, details = journal[path]
                made.append((row, encode(details)))
            else:
                blob = self._raw(rows[path])
                details = decode(blob)
                made.append((rows[path], blob))
            enter(tables, path, details)
        self.close()
        save(self._path, self._key, made, tables)

    def _read_journal(self) -> None:
        """A journal that is damaged, or of another base, is none: its files then count as changed."""
        try:
            with open(_journal_of(self._path), "rb") as file:
                line, body = file.readline(200), file.read()
            magic, found = line.rstrip(b"\n").rsplit(b" ", 1)
            if magic != _MAGIC or int(found) != crc32(body):
                return
            id, gone, entries = json.loads(body)
        except (OSError, ValueError, RecursionError):
            return
        if id != self._id:
            return
        for path in gone:
            self.rows.pop(path, None)
        for row, details in entries:
            row[2] = Stamp._make(row[2])
            made = Row._make(row)
            self.rows[made.path] = made
            self._journal[made.path] = Details._make(details)

    def _raw(self, row: Row) -> bytes:
        return self._part(row.at, row.length, row.sum)

    def _look_up(self, table: int, key: str) -> list[str]:
        """Tables are lines of a key, a tab and numbers of files; most of them are never asked, so none is parsed."""
        text = self._tables[table]
        if text is None:
            text = self._tables[table] = self._part(*self._parts[table])
        line = b"\n%s\t" % key.encode("utf-8", "surrogatepass")
        at = text.find(line)
        if at < 0:
            return []
        numbers = text[at + len(line) : text.index(b"\n", at + 1)]
        try:
            paths = [self._numbers[int(number)] for number in numbers.split()]
        except (ValueError, IndexError) as error:
            raise Damaged from error
        return [path for path in paths if path in self.rows and path not in self._journal]

    def _part(self, at: int, length: int, checksum: int) -> bytes:
        try:
            self._file.seek(self._tail_at + at)
            data = self._file.read(length)
        except (OSError, ValueError) as error:
            raise Damaged from error
        if crc32(data) != checksum:
            raise Damaged
        return data


def save(path: str, key: list[Any], rows: Iterable[tuple[Row, bytes]], tables: Tables) -> None:
    """Write a base: rows in order of their paths, each with its details as JSON. What cannot be written is not: a
    cache is never worth an error."""
    parts: list[bytes] = []
    made: list[Row] = []
    at = 0
    for row, blob in rows:
        made.append(row._replace(at=at, length=len(blob), sum=crc32(blob)))
        parts.append(blob)
        at += len(blob)
    numbers = {row.path: str(number) for number, row in enumerate(made)}
    places: list[list[int]] = []
    for table in tables:
        lines = [f"{name}\t{' '.join([numbers[path] for path in found])}" for name, found in table.items()]
        text = "\n".join(["", *lines, ""]).encode("utf-8", "surrogatepass")
        places.append([at, len(text), crc32(text)])
        parts.append(text)
        at += len(text)
    head = _json([key, places, made])
    line = b"%s %d-%d %d %d\n" % (_MAGIC, now(), os.getpid(), crc32(head), len(head))
    if _write(path, (line, head, *parts)):
        with suppress(OSError):
            os.unlink(_journal_of(path))
        _prune(os.path.dirname(path))


def enter(tables: Tables, path: str, details: Details) -> None:
    """Put a file's keys into the tables; files come in order of their paths."""
    for table, keys in ((tables.given, details.given), (tables.asked, details.asked)):
        for key in keys:
            there = table.get(key)
            if there is None:
                table[key] = [path]
            else:
                there.append(path)


def encode(details: Details) -> bytes:
    return _json(details)


def decode(blob: bytes) -> Details:
    """Raises Damaged."""
    try:
        return Details(*json.loads(blob))
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged from error


def _prune(folder: str) -> None:
    """Remove what has not been written for long: of workspaces and installations that are gone, most likely."""
    oldest = now() - _KEPT
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.is_file(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_mtime_ns < oldest:
                os.unlink(entry.path)


def _journal_of(path: str) -> str:
    return f"{path}.journal"


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def _write(path: str, parts: Iterable[bytes]) -> bool:
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "wb") as file:
            file.writelines(parts)
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)
        return False
    return True
