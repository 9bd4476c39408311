"""Finding names over all files.

`Index` holds every declaration of a workspace by what it can be found by. `Scope` is one declaration's view of it: it
answers look-ups as `language.md`, section 2, says and records what was asked (`Scope.asked`), hits and misses alike.
When a declaration comes, goes or changes its symbol, the index tells the keys that are touched; who asked one of them
is checked again, and no one else.

Keys are small tuples of strings: ("id", "shop.Order"), ("entity", "Order"), ("job", "Order"), ("table", "shop.orders"),
("names", "entity") for did-you-mean, and so on; they go through JSON.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

from atl.schema.symbols import EntitySymbol, EnumSymbol, JobSymbol, Symbol
from atl.source import Anchor, Place

__all__ = ["Found", "Index", "Key", "Scope"]

Key: TypeAlias = tuple[str, ...]


class Found(NamedTuple):
    """A declaration in the index. `own`: of this workspace, not of another caller's cache."""

    symbol: Symbol
    anchor: Anchor
    own: bool

    @property
    def place(self) -> Place:
        """The declaration's name."""
        return Place(self.anchor, *self.symbol.span)


class Index:
    """All declarations of a workspace."""

    def add(self, path: str, entries: Sequence[tuple[Symbol, Anchor]], own: bool = True) -> set[Key]:
        """Put in (or replace) one file's declarations, in the order of the file; the keys whose answer changed."""
        raise NotImplementedError

    def remove(self, path: str) -> set[Key]:
        raise NotImplementedError


class Scope:
    """What one declaration sees. `namespace` is its own ("" where it cannot be known)."""

    def __init__(self, index: Index, namespace: str) -> None:
        self.index = index
        self.namespace = namespace
        self.asked: set[Key] = set()

    def entity(self, namespace: str | None, name: str) -> EntitySymbol | None:
        """The entity that a reference means; None when unknown or ambiguous (ATL103, ATL106 say so, no one else)."""
        raise NotImplementedError

    def entity_candidates(self, namespace: str | None, name: str) -> list[Found]:
        """All that the reference may mean, in order of namespace: none, one, or several (ambiguous)."""
        raise NotImplementedError

    def job(self, namespace: str | None, name: str) -> JobSymbol | None:
        raise NotImplementedError

    def enum(self, id: str) -> EnumSymbol | None:
        raise NotImplementedError

    def find(self, kind: str, namespace: str | None, name: str) -> Found | None:
        """As `entity`, `job`, `enum`, with the place. kind: `entity`, `job`, `enum`."""
        raise NotImplementedError

    def same_id(self, id: str) -> list[Found]:
        """Every declaration with that id, by path and offset, queries and procedures under their owner's namespace."""
        raise NotImplementedError

    def same_physical_name(self, schema: str, name: str) -> list[Found]:
        """Entities and enums whose table or type has this name, without regard to case, by path and offset."""
        raise NotImplementedError

    def tables(self, schema: str | None, name: str) -> list[Found]:
        """Entities that SQL may mean by `[schema.]name`, spelled in any of the four ways of `rules.md` (6xx)."""
        raise NotImplementedError

    def may_be_broken(self, name: str) -> bool:
        """Whether a declaration that could not be read may be the one of that name: then nothing is reported of it.
        Also true for every name while some broken declaration's name is not known at all."""
        raise NotImplementedError

    def names(self, kind: str) -> list[tuple[str, str]]:
        """(namespace, name) of all declarations of a kind (`entity`, `job`, `enum`), sorted: for did-you-mean."""
        raise NotImplementedError
