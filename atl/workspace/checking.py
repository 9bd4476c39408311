"""One run over paths: what `atl check` and `atl check --fix` do. Imports next to nothing by itself, so that a run over
unchanged files costs little more than the interpreter's start.

```
report = check_paths(["."], Options(ignore=("ATL108",)))
for finding in report.findings:
    line = report.text(finding.place.path) ...
```
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from atl.findings.resolved import ResolvedFinding, ResolvedFix

__all__ = ["Change", "Fixed", "Options", "Report", "Unreadable", "check_paths", "fix_paths", "write_changes"]


class Options(NamedTuple):
    """select, ignore: codes, prefixes of codes (`ATL3`) or names, of this run alone; they pick among all findings,
    errors too, which the configuration cannot. () selects all.

    cache: read and write the cache on disk. workers: 1 never starts a second process, None does when it pays.
    texts: texts that stand for files, by absolute path (standard input, unsaved buffers); they need not exist, and are
    among the files reported on.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    cache: bool = True
    workers: int | None = None
    texts: Mapping[str, str] = {}


class Unreadable(NamedTuple):
    """A file of the workspace that could not be read. path: as in findings. reason: `permission denied`."""

    path: str
    reason: str


class Report:
    """What a run found.

    findings: sorted by path, line, column, code; hints are among them. Paths are relative to the current folder
    (absolute where they cannot be), with `/`; so are those of labels and fixes.
    files: how many files were reported on. unreadable: those that could not be.
    """

    __slots__ = ("_texts", "files", "findings", "unreadable")

    def __init__(
        self,
        findings: tuple[ResolvedFinding, ...],
        files: int,
        unreadable: tuple[Unreadable, ...] = (),
        texts: Mapping[str, str] | None = None,
    ) -> None:
        self.findings = findings
        self.files = files
        self.unreadable = unreadable
        self._texts = dict(texts or {})

    def text(self, path: str) -> str:
        """The text of a file that a finding or label names, without its byte-order mark, for showing its lines; "" if
        it has gone away meanwhile. Bytes that are not UTF-8 are lone surrogates in it."""
        raise NotImplementedError

    def count(self, severity: str) -> int:
        """How many findings are `error`, `warning` or `hint`."""
        return sum(finding.severity == severity for finding in self.findings)


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


def check_paths(paths: Sequence[str], options: Options = Options()) -> Report:  # noqa: B008
    """Check files and folders. A folder means its files; a file is checked within its workspace and reported alone.
    No path means the current folder. Raises WorkspaceError when a path does not exist or a configuration is bad.
    """
    raise NotImplementedError


def fix_paths(paths: Sequence[str], options: Options = Options(), unsafe: bool = False) -> Fixed:  # noqa: B008
    """Apply the fixes of what `check_paths` would report, again until nothing is left to apply. Writes nothing; only
    files reported on change. Raises as `check_paths` does."""
    raise NotImplementedError


def write_changes(changes: Sequence[Change]) -> list[Unreadable]:
    """Write the new texts, each by a temporary file beside it and a rename; mode, byte-order mark and line ends are
    kept, a symbolic link's target is written. A file whose text is no longer `old` is left alone. Returns what could
    not be written, with the reason."""
    raise NotImplementedError
