"""One run over paths: what `atl check` does. Imports next to nothing by itself, so that a run over
unchanged files costs little more than the interpreter's start.

```
report = check_paths(["."], Options(ignore=("ATL108",)))
for finding in report.findings:
    line = report.text(finding.place.path) ...
```
"""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from atl.records import NamedTuple
from atl.workspace.collecting import uncollected
from atl.workspace.files import read_bytes, relative_path
from atl.workspace.outcome import outcome
from atl.workspace.targets import Target, targets

if TYPE_CHECKING:
    from atl.findings.resolved import ResolvedFinding

__all__ = ["Options", "Report", "Unreadable", "check_paths"]


class Options(NamedTuple):
    """select, ignore: codes, prefixes of codes (`ATL3`) or names, of this run alone; they pick among all findings,
    errors too, which the configuration cannot. () selects all.

    hints: wanted in the report; else only their number is known, which is cheaper.
    cache: read and write the cache on disk. workers: 1 never starts a second process, None does when it pays.
    texts: texts that stand for files, by absolute path (standard input, unsaved buffers); they need not exist, and are
    among the files reported on.
    """

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    hints: bool = True
    cache: bool = True
    workers: int | None = None
    texts: Mapping[str, str] = {}


class Unreadable(NamedTuple):
    """A file of the workspace that could not be read. path: as in findings. reason: `permission denied`."""

    path: str
    reason: str


class Report:
    """What a run found.

    findings: sorted by path, line, column, code; hints among them when they were wanted. Paths are relative to the
    current folder (absolute where they cannot be), with `/`; so are those of labels and fixes.
    files: how many files were reported on. hints: how many hints there are, wanted or not. unreadable: the files that
    could not be read. absolute: by path, of the files that findings, labels and fixes name.
    """

    __slots__ = ("_texts", "absolute", "files", "findings", "hints", "unreadable")

    def __init__(
        self,
        findings: tuple[ResolvedFinding, ...],
        files: int,
        unreadable: tuple[Unreadable, ...] = (),
        texts: Mapping[str, str] | None = None,
        hints: int = 0,
        absolute: Mapping[str, str] | None = None,
    ) -> None:
        self.findings = findings
        self.files = files
        self.hints = hints
        self.unreadable = unreadable
        self.absolute = dict(absolute or {})
        self._texts = dict(texts or {})

    def text(self, path: str) -> str:
        """The text of a file that a finding or label names, without its byte-order mark, for showing its lines; "" if
        it has gone away meanwhile. Bytes that are not UTF-8 are lone surrogates in it."""
        found = self._texts.get(path)
        if found is None:
            from atl.source import decode

            try:
                found = decode(read_bytes(self.absolute.get(path, path)))[0]
            except OSError:
                found = ""
            self._texts[path] = found
        return found

    def count(self, severity: str) -> int:
        """How many findings are `error`, `warning` or `hint`."""
        return sum(finding.severity == severity for finding in self.findings)


def check_paths(paths: Sequence[str], options: Options = Options()) -> Report:  # noqa: B008
    """Check files and folders. A folder means its files; a file is checked within its workspace and reported alone.
    No path means the current folder. Raises WorkspaceError when a path does not exist or a configuration is bad.
    """
    with uncollected():
        return _check_paths(paths, options)


def _check_paths(paths: Sequence[str], options: Options) -> Report:
    wanted = _wanted(options)
    findings: list[ResolvedFinding] = []
    unreadable: list[Unreadable] = []
    absolute: dict[str, str] = {}
    files = hints = 0
    here = os.getcwd()
    for target in targets(paths, options.texts):
        part = _check(target, options, wanted)
        files += part.files
        hints += part.hints
        root = target.config.root
        shown: dict[str, str] = {}
        for path in part.paths:
            full = os.path.normpath(os.path.join(root, path))
            shown[path] = relative_path(full, here)
            absolute[shown[path]] = full
        if part.findings:
            findings += _resolved(part.findings, shown)
        unreadable.extend(
            Unreadable(relative_path(os.path.normpath(os.path.join(root, path)), here) or ".", why)
            for path, why in part.unreadable
        )
    texts = {name: options.texts[full] for name, full in absolute.items() if full in options.texts}
    return Report(_sorted(findings), files, tuple(sorted(unreadable)), texts, hints, absolute)


# ------------------------------------------------------------------ one workspace


class _Part(NamedTuple):
    """As Report, with paths as the workspace has them; findings as JSON. paths: all that findings name."""

    findings: list[Any]
    files: int
    hints: int
    paths: set[str]
    unreadable: list[tuple[str, str]]


def _check(target: Target, options: Options, wanted: Callable[[str], bool] | None) -> _Part:
    listing = target.listing
    made = outcome(
        target.config.root,
        target.config.caller,
        listing.files,
        options.texts,
        cached=options.cache,
        hints=options.hints,
        workers=options.workers,
    )
    reported = [entry for entry in target.reported() if entry.path in made.rows]
    findings: list[Any] = []
    paths: set[str] = set()
    hints = 0
    for entry in reported:
        row = made.rows[entry.path]
        if not row.shown and not row.hints:
            continue
        select, hidden = entry.lint.select, entry.lint.hidden(entry.full)

        def passes(
            code: str, severity: str, select: frozenset[str] | None = select, hidden: frozenset[str] = hidden
        ) -> bool:
            configured = severity == "error" or ((select is None or code in select) and code not in hidden)
            return configured and (wanted is None or wanted(code))

        hints += sum(passes(code, "hint") for code in row.hints)
        both = (*row.shown, *made.hints.get(entry.path, ()))
        kept = [finding for finding in both if passes(finding[0], finding[2])]
        if kept:
            findings += kept
            paths.add(entry.path)
            paths.update(row.mentions)
    unreadable = [*listing.unreadable, *((p, why) for p, why in made.unreadable if listing.files[p].own)]
    return _Part(findings, len(reported), hints, paths, unreadable)


def _resolved(findings: list[Any], shown: dict[str, str]) -> list[ResolvedFinding]:
    """Findings as JSON, with their files called as they are shown."""
    from atl.findings.resolved import from_json, moved

    made = [from_json(finding) for finding in findings]
    same = all(path == name for path, name in shown.items())
    return made if same else [moved(finding, shown) for finding in made]


def _sorted(findings: list[ResolvedFinding]) -> tuple[ResolvedFinding, ...]:
    if not findings:
        return ()
    from atl.findings.resolved import sort_key

    return tuple(sorted(findings, key=sort_key))


def _wanted(options: Options) -> Callable[[str], bool] | None:
    """The codes that this run asks for; None for all of them."""
    if not options.select and not options.ignore:
        return None
    from atl.workspace.lint import selected

    select = selected(options.select, "--select", True) if options.select else None
    ignore = selected(options.ignore, "--ignore", True)
    return lambda code: (select is None or code in select) and code not in ignore
