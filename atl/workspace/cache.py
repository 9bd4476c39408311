"""What a check leaves on disk, so that the next one need not do it again.

One file a workspace, in the user's cache folder: a line that says what it is, a head that says what was found in every
file, and a tail with what is needed only when something has changed. All of it is JSON; a checksum guards against a
file that was cut off, and whatever is not as expected counts as no cache. It is replaced as a whole, by a rename.

Nothing here imports a rule, the parser or the index: a run over unchanged files ends here.
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple
from zlib import crc32

from atl import __version__
from atl.workspace.files import Stamp

try:
    from _blake2 import blake2b  # what hashlib gives, without loading OpenSSL
except ImportError:  # pragma: no cover
    from hashlib import blake2b

__all__ = [
    "UNTRUSTED",
    "Cache",
    "Damaged",
    "Details",
    "Row",
    "Tables",
    "cache_file",
    "decode",
    "digest",
    "encode",
    "identity",
    "now",
    "save",
    "trusted",
]

_MAGIC = b"atl check cache 1"

# A file changed this shortly before it was read may change again without its times telling (nanoseconds; the
# coarsest common file system counts in steps of two seconds).
_RACY = 2_000_000_000

UNTRUSTED = Stamp(-1, 0, 0, 0)


class Damaged(Exception):
    """A cache that is not what it says, or no longer fits the files: check from scratch."""


class Row(NamedTuple):
    """What is known of a file. digest: of its bytes. shown: its errors and warnings as `resolved.to_json` gives them;
    hints: the codes of its hints. mentions: other files that its findings point into. at, length: its details in the
    tail."""

    path: str
    own: bool
    stamp: Stamp
    digest: str
    shown: list[Any]
    hints: list[str]
    mentions: list[str]
    at: int = 0
    length: int = 0


class Details(NamedTuple):
    """symbols: [symbol as JSON, offset of its anchor]. given: the index's keys under which they stand. asked: the keys
    that its findings depend on (both as texts). hints: as `Row.shown`."""

    symbols: list[Any]
    given: list[str]
    asked: list[str]
    hints: list[Any]


class Tables(NamedTuple):
    """For each key the paths of the files that stand under it, and of those whose findings depend on it."""

    given: dict[str, list[str]]
    asked: dict[str, list[str]]


class Cache:
    """A cache file that was read. `rows` by path, in order."""

    __slots__ = ("_checked", "_tail", "_tail_sum", "rows", "tables_at")

    def __init__(self, rows: dict[str, Row], tail: memoryview, tail_sum: int, tables_at: tuple[int, int]) -> None:
        self.rows = rows
        self.tables_at = tables_at
        self._tail = tail
        self._tail_sum = tail_sum
        self._checked = False

    @classmethod
    def load(cls, path: str, key: list[Any]) -> Cache | None:
        """The cache of that identity; None when there is none that can be used."""
        try:
            with open(path, "rb") as file:
                data = file.read()
            line, _, rest = data.partition(b"\n")
            magic, head_sum, tail_sum, length = line.rsplit(b" ", 3)
            head = rest[: int(length)]
            if magic != _MAGIC or crc32(head) != int(head_sum):
                return None
            found_key, tables_at, rows = json.loads(head)
            if found_key != key:
                return None
            made = {row[0]: Row(row[0], row[1], Stamp(*row[2]), *row[3:]) for row in rows}
            return cls(made, memoryview(rest)[len(head) :], int(tail_sum), (tables_at[0], tables_at[1]))
        except (OSError, ValueError, TypeError, IndexError, KeyError, RecursionError):
            return None

    def details(self, path: str) -> Details:
        """Raises Damaged."""
        return decode(self.raw(self.rows[path]))

    def raw(self, row: Row) -> bytes:
        """Raises Damaged."""
        return self._part(row.at, row.length)

    def tables(self) -> Tables:
        """Raises Damaged."""
        paths = list(self.rows)
        try:
            given, asked = json.loads(self._part(*self.tables_at))
            return Tables(*({k: [paths[at] for at in found] for k, found in table.items()} for table in (given, asked)))
        except (ValueError, TypeError, IndexError, AttributeError, RecursionError) as error:
            raise Damaged from error

    def _part(self, at: int, length: int) -> bytes:
        if not self._checked:
            if crc32(self._tail) != self._tail_sum:
                raise Damaged
            self._checked = True
        return bytes(self._tail[at : at + length])


def save(path: str, key: list[Any], rows: Iterable[tuple[Row, bytes]], tables: Tables) -> None:
    """Write a cache: rows in order of their paths, each with its details as JSON. What cannot be written is not: a
    cache is never worth an error."""
    blobs: list[bytes] = []
    made: list[Row] = []
    at = 0
    for row, blob in rows:
        made.append(row._replace(at=at, length=len(blob)))
        blobs.append(blob)
        at += len(blob)
    numbers = {row.path: number for number, row in enumerate(made)}
    numbered = [{name: [numbers[p] for p in found] for name, found in table.items()} for table in tables]
    blobs.append(_json(numbered))
    tail = b"".join(blobs)
    head = _json([key, [at, len(blobs[-1])], made])
    line = b"%s %d %d %d\n" % (_MAGIC, crc32(head), crc32(tail), len(head))
    temporary = f"{path}.{os.getpid()}.tmp"
    try:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
        with open(temporary, "wb") as file:
            file.writelines((line, head, tail))
        os.replace(temporary, path)
    except OSError:
        with suppress(OSError):
            os.unlink(temporary)


def _json(data: object) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode("ascii")


def encode(details: Details) -> bytes:
    return _json(details)


def decode(blob: bytes) -> Details:
    """Raises Damaged."""
    try:
        return Details(*json.loads(blob))
    except (ValueError, TypeError, RecursionError) as error:
        raise Damaged from error


# ------------------------------------------------------------------ identity


def digest(data: bytes) -> str:
    return blake2b(data, digest_size=16).hexdigest()


def trusted(stamp: Stamp, read_at: int) -> Stamp:
    """The stamp, if a later change of the file is certain to give another one. read_at: `time.time_ns()` before the
    file was read."""
    return stamp if max(stamp.modified, stamp.changed) + _RACY < read_at else UNTRUSTED


def now() -> int:
    return time.time_ns()


def identity(root: str, caller: str | None) -> list[Any]:
    """What a cache is for: equal only if the same program, reading the same configuration, checks the same folder.
    The files are not part of it."""
    return [__version__, sys.version, *_program(), root, caller]


def _program() -> list[Any]:
    """The program itself: a digest of what `stat` says of its sources and of what it calls for its verdicts."""
    import atl

    base = os.path.dirname(os.path.abspath(atl.__file__))
    found: list[tuple[str, int, int]] = []
    stack = [base]
    while stack:
        with os.scandir(stack.pop()) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    stat = entry.stat()
                    found.append((entry.path, stat.st_size, stat.st_mtime_ns))
                elif entry.name != "__pycache__" and entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
    for name in ("postgast", "cronsim"):
        found.extend(_stat_of(name))
    return [base, digest(repr(sorted(found)).encode("utf-8", "surrogateescape"))]


def _stat_of(package: str) -> list[tuple[str, int, int]]:
    """The first package of that name on the path, without importing it."""
    for folder in sys.path:
        path = os.path.join(folder, package, "__init__.py")
        try:
            stat = os.stat(path)
        except OSError:
            continue
        return [(path, stat.st_size, stat.st_ctime_ns)]
    return []


def cache_file(root: str) -> str:
    """Where the cache of a workspace is. Two workspaces, or two installations, that share a name overwrite each other's
    and are told apart by `identity`."""
    import atl

    name = digest(f"{root}\n{atl.__file__}\n{sys.version}".encode("utf-8", "surrogateescape"))[:20]
    return os.path.join(_cache_folder(), "check", name)


def _cache_folder() -> str:
    """As `platformdirs.user_cache_dir("atl")` says; by hand where that is short, since its import is not."""
    if sys.platform not in ("win32", "darwin", "android"):
        base = os.environ.get("XDG_CACHE_HOME", "").strip() or os.path.expanduser("~/.cache")
        return os.path.join(base, "atl")
    from platformdirs import user_cache_dir

    return user_cache_dir("atl", appauthor=False)
