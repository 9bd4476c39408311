"""What is named where, over the whole workspace, kept up with its edits.

A unit's uses are read once and stand until its text changes or an answer of the index changes that they were read by.
Only what may name a target is read for a question: units in whose text one of its spellings stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from atl.ide.places import Location, span_in
from atl.schema.index import Index, Key, Scope
from atl.schema.naming import clip, default_physical, snake_case
from atl.schema.symbols import symbol_of
from atl.schema.targets import Target, Use
from atl.schema.uses import uses
from atl.syntax.tree import FileTree, Unit

if TYPE_CHECKING:
    from atl.workspace.core import Core
    from atl.workspace.live import Workspace

__all__ = ["UnitUse", "UseIndex", "spellings", "use_index"]

_WORD = re.compile(r"\w+")


class UnitUse(NamedTuple):
    """A use, and the unit that its span is relative to."""

    unit: Unit
    use: Use

    @property
    def location(self) -> Location:
        return Location(self.unit.anchor.file.path, span_in(self.unit, self.use.start, self.use.end))


def use_index(workspace: Workspace) -> UseIndex:
    """The workspace's, up to date."""
    core = workspace.core
    for companion in core.companions:
        if type(companion) is UseIndex:
            companion.follow()
            return companion
    made = UseIndex(core)
    core.companions.append(made)
    made.follow()
    return made


class UseIndex:
    """Uses by unit and by target."""

    def __init__(self, core: Core) -> None:
        self._core = core
        self._trees: dict[str, FileTree] = {}
        self._marks: dict[Unit, int] = {}
        self._unread: set[Unit] = set()
        self._uses: dict[Unit, tuple[Use, ...]] = {}
        self._asked: dict[Unit, tuple[Key, ...]] = {}
        # Most keys and targets have very few units: a list of them is a third of a set.
        self._askers: dict[Key, list[Unit]] = {}
        self._by_target: dict[Target, list[Unit]] = {}
        self._same: dict[tuple[str, ...], tuple[str, ...]] = {}

    # ------------------------------------------------------------ changes

    def outdate(self, keys: set[Key]) -> None:
        for key in keys & self._askers.keys():
            for unit in tuple(self._askers.get(key, ())):
                self._drop(unit)
                self._unread.add(unit)

    def follow(self) -> None:
        """Take note of the files that have changed."""
        trees = self._core.trees
        for path in self._trees.keys() - trees.keys():
            self._forget(self._trees.pop(path).units)
        for path, tree in trees.items():
            old = self._trees.get(path)
            if old is tree:
                continue
            kept = set(tree.units)
            if old is not None:
                self._forget([unit for unit in old.units if unit not in kept])
            self._unread |= kept - self._uses.keys()
            self._trees[path] = tree

    def _forget(self, units: Iterable[Unit]) -> None:
        for unit in units:
            self._drop(unit)
            self._unread.discard(unit)
            self._marks.pop(unit, None)

    def _drop(self, unit: Unit) -> None:
        for target in {use.target for use in self._uses.pop(unit, ())}:
            there = self._by_target[target]
            there.remove(unit)
            if not there:
                del self._by_target[target], self._same[target]
        for key in self._asked.pop(unit, ()):
            askers = self._askers[key]
            askers.remove(unit)
            if not askers:
                del self._askers[key], self._same[key]

    # ------------------------------------------------------------ questions

    def of_unit(self, unit: Unit) -> tuple[Use, ...]:
        """A unit's uses by offset."""
        found = self._uses.get(unit)
        return self._read(unit) if found is None else found

    def of_target(self, target: Target) -> list[UnitUse]:
        """Every place that names it, by path and offset."""
        for unit in self.may_name(target, self._unread):
            self._read(unit)
        found = [
            UnitUse(unit, use)
            for unit in self._by_target.get(target, ())
            for use in self._uses[unit]
            if use.target == target
        ]
        found.sort(key=lambda each: each.location)
        return found

    def may_name(self, target: Target, units: Iterable[Unit] | None = None) -> list[Unit]:
        """The units, of all or of these, in whose text there is what naming the target takes: one of its spellings,
        and for a member one of its declaration's, without which only a label is ever named."""
        spelled, owner = spellings(target, self._core.index), owner_spellings(target, self._core.index)
        if units is None:
            units = (unit for tree in self._trees.values() for unit in tree.units)
        masks, owner_masks = [_mark(word) for word in spelled], [_mark(word) for word in owner]
        found = []
        for unit in units:
            marks = self._marks_of(unit)
            if any(marks & mask for mask in masks) and (not owner or any(marks & mask for mask in owner_masks)):
                words = _words(unit)
                if not spelled.isdisjoint(words) and (not owner or not owner.isdisjoint(words)):
                    found.append(unit)
        return found

    def read_all(self) -> None:
        for unit in tuple(self._unread):
            self._read(unit)

    def _marks_of(self, unit: Unit) -> int:
        """The marks of a unit's words, which say quickly of most words that they do not stand there."""
        marks = self._marks.get(unit)
        if marks is None:
            marks = 0
            for word in _words(unit):
                marks |= _mark(word)
            self._marks[unit] = marks
        return marks

    def _read(self, unit: Unit) -> tuple[Use, ...]:
        found: list[Use] = []
        asked: set[Key] = set()
        for decl in unit.chunk.declarations:
            scope = Scope.of(self._core.index, symbol_of(decl))
            found += uses(decl, unit.chunk.text, scope)
            asked |= scope.asked
        same = self._same.setdefault
        shared = [use._replace(target=same(use.target, use.target)) for use in dict.fromkeys(found)]  # type: ignore[arg-type]
        read = self._uses[unit] = tuple(sorted(shared, key=lambda use: (use.start, use.end)))
        self._unread.discard(unit)
        keys = self._asked[unit] = tuple([same(key, key) for key in asked])
        for key in keys:
            self._askers.setdefault(key, []).append(unit)
        for target in dict.fromkeys(use.target for use in read):
            self._by_target.setdefault(target, []).append(unit)
        return read


_MARKS = 4096
"""Bits per unit: of a declaration's some sixty words a word that is not there seems to be once in seventy times."""


def _mark(word: str) -> int:
    return 1 << hash(word) % _MARKS


def _words(unit: Unit) -> set[str]:
    """The words of a unit in lower case; "" stands for what has none."""
    return {"", *_WORD.findall(unit.chunk.text.lower())}


def spellings(target: Target, index: Index) -> frozenset[str]:
    """Words, in lower case, one of which stands in every text that names the target."""
    if target.member:
        return frozenset(_WORD.findall(target.member.lower())[:1] or [""])
    namespace, _, name = target.id.rpartition(".")
    snake = snake_case(name)
    found = {
        name.lower(),
        clip(snake),
        clip(f"{namespace}_{snake}".lower()),
        default_physical(namespace, name)[1].lower(),
    }
    for each in index.at(("entity", target.id)):
        found.add(each.symbol.table[1].lower())  # type: ignore[union-attr]
    return frozenset(found)


_OWNERS = {"field": "entity", "argument": "job"}


def owner_spellings(target: Target, index: Index) -> frozenset[str]:
    """The spellings of the declaration of a member; none for a declaration, and for a label."""
    if not target.member or target.kind == "label":
        return frozenset()
    return spellings(Target(_OWNERS.get(target.kind, target.kind), target.id), index)
