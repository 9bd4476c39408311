"""When a cache may be believed: which program wrote it, for which folder, and whether a file is still the one it read.

Part of every start: nothing is imported here that a check of unchanged files can do without.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from atl import __version__
from atl.workspace.files import Stamp

try:
    from _blake2 import blake2b  # what hashlib gives, without loading OpenSSL
except ImportError:  # pragma: no cover
    from hashlib import blake2b

__all__ = ["UNTRUSTED", "cache_file", "digest", "identity", "now", "trusted"]

# A file changed this shortly before it was read may change again without its times telling (nanoseconds; the
# coarsest common file system counts in steps of two seconds).
_RACY = 2_000_000_000

UNTRUSTED = Stamp(-1, 0, 0, 0)


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


# The parts of the program that have no say in what is found.
_ASIDE = frozenset({"__pycache__", "cli", "diff", "format", "ide", "migrate"})


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
                elif entry.name not in _ASIDE and entry.is_dir(follow_symlinks=False):
                    stack.append(entry.path)
    for name in ("postgast", "cronsim"):
        found.extend(_stat_of(name))
    found.sort()
    return [base, digest(repr(found).encode("utf-8", "surrogateescape"))]


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
