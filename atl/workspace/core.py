"""Trees, the index and findings of a set of files that changes: what a check keeps between two questions.

Knows no disk and no configuration but the caller. A result belongs to a unit and stands until the unit's text changes
or one of the index's answers that its rules asked for does (`UnitResult.asked`); a file's findings are put together
anew when one of its units was checked again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from atl.check.context import Settings
from atl.check.runner import UnitResult, check_unit
from atl.check.silences import apply_silences
from atl.findings import Finding
from atl.schema.index import Index, Key
from atl.schema.symbols import Symbol, symbols_of
from atl.source import Anchor, SourceFile
from atl.syntax.parser import parse, reparse
from atl.syntax.tree import FileTree, Unit

__all__ = ["Companion", "Core"]


class Companion(Protocol):
    """Someone else who keeps what follows from answers of the index."""

    def outdate(self, keys: set[Key]) -> None:
        """The answers under these keys have changed."""
        ...


class Core:
    """Paths are whatever findings are to show; they decide the order of files."""

    def __init__(self, caller: str | None = None, names_only: bool = False) -> None:
        self.index = Index()
        self.settings = Settings(caller, names_only)
        self.trees: dict[str, FileTree] = {}
        self._own: dict[str, bool] = {}
        self._symbols: dict[Unit, tuple[Symbol, ...]] = {}
        self._results: dict[Unit, UnitResult] = {}
        self._askers: dict[Key, set[Unit]] = {}
        self._findings: dict[str, list[Finding]] = {}
        # The files whose findings may be others than before, for whoever empties it.
        self.outdated: set[str] = set()
        self.companions: list[Companion] = []

    # ------------------------------------------------------------ changes; each returns the keys whose answer changed

    def put(self, file: SourceFile, own: bool) -> set[Key]:
        """Put in, or replace, a file."""
        old = self.trees.get(file.path)
        if old is not None and self._own[file.path] == own:
            if old.file.text == file.text and old.file.bom == file.bom:
                return set()
            start, old_end, new_end = _difference(old.file.text, file.text)
            return self._replace(old, reparse(old, file, start, old_end, new_end))
        changed = self.drop(file.path) if old is not None else set()
        tree = parse(file)
        self.trees[file.path] = tree
        self._own[file.path] = own
        self.outdated.add(file.path)
        return changed | self._changed(self.index.add(file.path, self._entries(tree), own))

    def put_known(self, path: str, entries: Sequence[tuple[Symbol, Anchor]], own: bool) -> set[Key]:
        """Put in what others see of a file, without a tree: it resolves names and cannot be asked for findings."""
        return self._changed(self.index.add(path, entries, own))

    def edit(self, path: str, start: int, end: int, new_text: str) -> set[Key]:
        """Replace [start, end) of a file that has a tree."""
        old = self.trees[path]
        text = old.file.text
        file = SourceFile(path, text[:start] + new_text + text[end:], old.file.bom)
        return self._replace(old, reparse(old, file, start, end, start + len(new_text)))

    def drop(self, path: str) -> set[Key]:
        """Take a file out; one that is not there changes nothing."""
        tree = self.trees.pop(path, None)
        self._own.pop(path, None)
        self._findings.pop(path, None)
        self.outdated.add(path)
        for unit in tree.units if tree is not None else ():
            self._forget(unit)
        return self._changed(self.index.remove(path))

    # ------------------------------------------------------------ questions

    def is_own(self, path: str) -> bool:
        return self._own.get(path, False)

    def paths(self) -> list[str]:
        """The own files that have trees, sorted."""
        return sorted(path for path, own in self._own.items() if own)

    def findings(self, path: str) -> list[Finding]:
        """A file's findings, silences applied, by offset and code. The list is the caller's to keep, not to change."""
        found = self._findings.get(path)
        if found is None:
            tree = self.trees[path]
            raw = [finding for unit in tree.units for finding in self._result(unit).findings]
            found = sorted(apply_silences(tree, raw), key=_by_place)
            self._findings[path] = found
        return found

    def asked(self, path: str) -> set[Key]:
        """What the rules asked of the index for a file's findings, each key once."""
        asked: set[Key] = set()
        for unit in self.trees[path].units:
            asked |= self._result(unit).asked
        return asked

    def symbols(self, path: str) -> list[tuple[Symbol, int]]:
        """The symbols of a file that has a tree, with the offset of their anchor."""
        return [(symbol, unit.anchor.start) for unit in self.trees[path].units for symbol in self._symbols_of(unit)]

    # ------------------------------------------------------------ inside

    def _result(self, unit: Unit) -> UnitResult:
        result = self._results.get(unit)
        if result is None:
            result = check_unit(unit, self.index, self.settings, self._symbols_of(unit))
            self._results[unit] = result
            for key in result.asked:
                askers = self._askers.get(key)
                if askers is None:
                    self._askers[key] = {unit}
                else:
                    askers.add(unit)
        return result

    def _symbols_of(self, unit: Unit) -> tuple[Symbol, ...]:
        symbols = self._symbols.get(unit)
        if symbols is None:
            symbols = self._symbols[unit] = symbols_of(unit.chunk)
        return symbols

    def _entries(self, tree: FileTree) -> list[tuple[Symbol, Anchor]]:
        return [(symbol, unit.anchor) for unit in tree.units for symbol in self._symbols_of(unit)]

    def _replace(self, old: FileTree, new: FileTree) -> set[Key]:
        path = new.file.path
        kept = set(new.units)
        gone = [unit for unit in old.units if unit not in kept]
        was = set(old.units)
        fresh = [unit for unit in new.units if unit not in was]
        lone = all(len(unit.chunk.declarations) < 2 for unit in (*gone, *fresh))
        same = lone and self._keep_anchors(gone, fresh)
        for unit in gone:
            self._forget(unit)
        self.trees[path] = new
        self._findings.pop(path, None)
        self.outdated.add(path)
        if same:
            return set()
        # Where declarations share an anchor they cannot keep it one by one: then all of the file's count as changed.
        changed = set() if lone else self.index.remove(path)
        return self._changed(changed | self.index.add(path, self._entries(new), self._own[path]))

    def _keep_anchors(self, gone: list[Unit], fresh: list[Unit]) -> bool:
        """Let a declaration keep its anchor when its text has changed: places in other files' findings stand on it.
        True when nothing else about the declarations has changed that others can see."""
        before = [(symbol, unit.anchor) for unit in gone for symbol in self._symbols_of(unit)]
        anchors: dict[object, list[Anchor]] = {}
        for symbol, anchor in reversed(before):
            anchors.setdefault((type(symbol), symbol.namespace, symbol.name), []).append(anchor)
        for unit in fresh:
            for symbol in self._symbols_of(unit):
                same_name = anchors.get((type(symbol), symbol.namespace, symbol.name))
                if same_name:
                    anchor = same_name.pop()
                    anchor.file, anchor.start = unit.anchor.file, unit.anchor.start
                    unit.anchor = anchor
        after = [(symbol, unit.anchor) for unit in fresh for symbol in self._symbols_of(unit)]
        return before == after

    def _forget(self, unit: Unit) -> None:
        self._symbols.pop(unit, None)
        self._outdate(unit)

    def _outdate(self, unit: Unit) -> None:
        result = self._results.pop(unit, None)
        for key in result.asked if result is not None else ():
            askers = self._askers[key]
            askers.discard(unit)
            if not askers:
                del self._askers[key]

    def _changed(self, keys: Iterable[Key]) -> set[Key]:
        """Have who asked one of these keys checked again, when its findings are asked for."""
        changed = set(keys)
        for companion in self.companions:
            companion.outdate(changed)
        for key in changed & self._askers.keys():
            for unit in tuple(self._askers.get(key, ())):
                self._outdate(unit)
                self._findings.pop(unit.anchor.file.path, None)
                self.outdated.add(unit.anchor.file.path)
        return changed


def _by_place(finding: Finding) -> tuple[object, ...]:
    """As `atl.findings.resolved.sort_key`, within a file."""
    start, end = finding.place.span
    return start, finding.code, end, finding.message


def _difference(old: str, new: str) -> tuple[int, int, int]:
    """(start, old end, new end) of a smallest replacement that makes `new` of `old`, in a logarithm of comparisons."""
    limit = min(len(old), len(new))
    start = _common(limit, lambda n: old[:n] == new[:n])
    limit -= start
    tail = _common(limit, lambda n: n == 0 or old[-n:] == new[-n:])
    return start, len(old) - tail, len(new) - tail


def _common(limit: int, equal: Callable[[int], bool]) -> int:
    """The largest length up to `limit` for which `equal` holds, where it holds for all smaller ones."""
    low, high = 0, limit
    while low < high:
        middle = (low + high + 1) // 2
        if equal(middle):
            low = middle
        else:
            high = middle - 1
    return low
