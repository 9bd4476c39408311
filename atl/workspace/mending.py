"""`atl check --fix`: fixes over whole workspaces, and writing what they change."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence

from atl.findings.fixing import apply_fixes
from atl.findings.resolved import ResolvedFix
from atl.records import NamedTuple
from atl.source import decode
from atl.workspace.checking import Options, Report, Unreadable, check_paths
from atl.workspace.files import read_bytes, reason
from atl.workspace.targets import targets

__all__ = ["Change", "Fixed", "fix_paths", "replace_bytes", "write_changes"]

# Each round mends what the one before laid bare or had to put off; fixes that undo each other would never end.
_ROUNDS = 50


class Change(NamedTuple):
    """A file that fixes change. path: as in findings; texts without byte-order mark (it is kept when written)."""

    path: str
    old: str
    new: str


class Fixed(NamedTuple):
    """changes: by path. fixes: what was applied. report: what is left, over the new texts."""

    changes: tuple[Change, ...]
    fixes: tuple[ResolvedFix, ...]
    report: Report


def fix_paths(paths: Sequence[str], options: Options = Options(), unsafe: bool = False) -> Fixed:  # noqa: B008
    """Apply the fixes of what `check_paths` would report (of hints only when these are wanted), again until nothing is
    left to apply. Writes nothing; only files reported on change. Raises as `check_paths` does."""
    writable = _writable(paths, options)
    given = list(paths)
    report = check_paths(given, options)
    texts: dict[str, str] = {}  # by absolute path
    old: dict[str, tuple[str, str]] = {}  # by absolute path: path as shown, first text
    applied: list[ResolvedFix] = []
    seen: set[frozenset[tuple[str, str]]] = set()
    for _ in range(_ROUNDS):
        known = {path: report.text(path) for path in report.absolute if report.absolute[path] in writable}
        done = apply_fixes(report.findings, known, unsafe)
        if not done.fixes:
            break
        applied += done.fixes
        for path, text in done.texts.items():
            full = report.absolute[path]
            old.setdefault(full, (path, known[path]))
            texts[full] = text
        state = frozenset(texts.items())
        if state in seen:
            break
        seen.add(state)
        report = check_paths(given, options._replace(texts={**options.texts, **texts}))
    changes = [Change(*old[full], new=texts[full]) for full in texts if texts[full] != old[full][1]]
    return Fixed(tuple(sorted(changes)), tuple(applied), report)


def _writable(paths: Sequence[str], options: Options) -> set[str]:
    """The absolute paths of the files that may change."""
    return {entry.full for target in targets(paths, options.texts) for entry in target.writable()}


def write_changes(changes: Sequence[Change]) -> list[Unreadable]:
    """Write the new texts, each by a temporary file beside it and a rename; mode, byte-order mark and line ends are
    kept, a symbolic link's target is written. A file whose text is no longer `old` is left alone. Returns what could
    not be written, with the reason."""
    failed: list[Unreadable] = []
    for change in changes:
        try:
            if not _write(os.path.realpath(change.path), change):
                failed.append(Unreadable(change.path, "changed since it was checked"))
        except OSError as error:
            failed.append(Unreadable(change.path, reason(error)))
    return failed


def _write(full: str, change: Change) -> bool:
    text, bom = decode(read_bytes(full))
    if text != change.old:
        return False
    data = change.new.encode("utf-8", "surrogateescape")
    replace_bytes(full, b"\xef\xbb\xbf" + data if bom else data)
    return True


def replace_bytes(path: str, data: bytes) -> None:
    """Write a file by a temporary one beside it and a rename, so that it is never half there; its mode is kept, and a
    symbolic link's target is what is written. Raises OSError."""
    full = os.path.realpath(path)
    mode = stat.S_IMODE(os.stat(full).st_mode)
    temporary = os.path.join(os.path.dirname(full), f".{os.path.basename(full)}.{os.getpid()}.tmp")
    try:
        with open(temporary, "xb") as file:
            file.write(data)
        os.chmod(temporary, mode)
        os.replace(temporary, full)
    except BaseException:
        if os.path.exists(temporary):
            os.unlink(temporary)
        raise
