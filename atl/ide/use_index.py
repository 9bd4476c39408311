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
from atl.schema.naming import default_physical, snake_case
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
        self._words: dict[Unit, frozenset[str]] = {}
        self._unread: set[Unit] = set()
        self._uses: dict[Unit, tuple[Use, ...]] = {}
        self._asked: dict[Unit, set[Key]] = {}
        self._askers: dict[Key, set[Unit]] = {}
        self._by_target: dict[Target, set[Unit]] = {}

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
            self._words.pop(unit, None)

    def _drop(self, unit: Unit) -> None:
        for use in self._uses.pop(unit, ()):
            there = self._by_target.get(use.target)
            if there is not None:
                there.discard(unit)
                if not there:
                    del self._by_target[use.target]
        for key in self._asked.pop(unit, ()):
            askers = self._askers[key]
            askers.discard(unit)
            if not askers:
                del self._askers[key]

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
        return [
            unit
            for unit in units
            if not spelled.isdisjoint(words := self.words_of(unit)) and (not owner or not owner.isdisjoint(words))
        ]

    def read_all(self) -> None:
        for unit in tuple(self._unread):
            self._read(unit)

    def words_of(self, unit: Unit) -> frozenset[str]:
        words = self._words.get(unit)
        if words is None:
            words = self._words[unit] = frozenset(("", *_WORD.findall(unit.chunk.text.lower())))
        return words

    def _read(self, unit: Unit) -> tuple[Use, ...]:
        found: list[Use] = []
        asked: set[Key] = set()
        for decl in unit.chunk.declarations:
            scope = Scope.of(self._core.index, symbol_of(decl))
            found += uses(decl, unit.chunk.text, scope)
            asked |= scope.asked
        read = self._uses[unit] = tuple(sorted(dict.fromkeys(found), key=lambda use: (use.start, use.end)))
        self._unread.discard(unit)
        self._asked[unit] = asked
        for key in asked:
            self._askers.setdefault(key, set()).add(unit)
        for use in read:
            self._by_target.setdefault(use.target, set()).add(unit)
        return read


def spellings(target: Target, index: Index) -> frozenset[str]:
    """Words, in lower case, one of which stands in every text that names the target."""
    if target.member:
        return frozenset(_WORD.findall(target.member.lower())[:1] or [""])
    namespace, _, name = target.id.rpartition(".")
    found = {name.lower(), snake_case(name), default_physical(namespace, name)[1].lower()}
    for each in index.at(("entity", target.id)):
        found.add(each.symbol.table[1].lower())  # type: ignore[union-attr]
    return frozenset(found)


_OWNERS = {"field": "entity", "argument": "job"}


def owner_spellings(target: Target, index: Index) -> frozenset[str]:
    """The spellings of the declaration of a member; none for a declaration, and for a label."""
    if not target.member or target.kind == "label":
        return frozenset()
    return spellings(Target(_OWNERS.get(target.kind, target.kind), target.id), index)
