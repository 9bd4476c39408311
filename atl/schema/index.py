"""Finding names over all files.

`Index` holds every declaration of a workspace by what it can be found by. `Scope` is one declaration's view of it: it
answers look-ups as `language.md`, section 2, says and records what was asked (`Scope.asked`), hits and misses alike.
When a declaration comes, goes or changes its symbol, the index tells the keys that are touched; who asked one of them
is checked again, and no one else.

Keys are small tuples of strings and go through JSON: ("entity", "shop.Order"), ("entity", "Order") for a bare name,
("job", "shop.Order"), ("enum", "shop.Status"), ("id", "shop.Order"), ("physical", schema, name), ("table", schema,
name), ("broken", name), ("names", kind), ("renamed", kind, "shop.Order").
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterable, Iterator, Sequence
from operator import attrgetter
from typing import TypeAlias

from atl.records import NamedTuple
from atl.schema.naming import SCHEMA, clip, snake_case
from atl.schema.symbols import EntitySymbol, EnumSymbol, JobSymbol, OtherSymbol, Symbol
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


class _Entry:
    """A declaration where it stands. `order`: path and position in the file. `id_key` changes when a query's or
    procedure's owner is found elsewhere; every other key follows from the symbol alone."""

    __slots__ = ("found", "id_key", "keys", "order")

    def __init__(self, order: tuple[str, int], found: Found) -> None:
        self.order = order
        self.found = found
        self.keys = _all_keys(found.symbol)
        self.id_key: Key | None = None


_order = attrgetter("order")


def _path(entry: _Entry) -> str:
    return entry.order[0]


_MANY = 8


class Index:
    """All declarations of a workspace."""

    def __init__(self) -> None:
        self._files: dict[str, list[_Entry]] = {}
        self._by_key: dict[Key, list[_Entry]] = {}
        self._names: dict[str, dict[tuple[str, str], int]] = {"entity": {}, "job": {}, "enum": {}}
        self._sorted_names: dict[str, list[tuple[str, str]]] = {}
        # Answers of many declarations, until the next change: thousands of one name ask for each other.
        self._all: dict[Key, list[Found]] = {}
        self._each: dict[Key, list[Found]] = {}

    def add(self, path: str, entries: Sequence[tuple[Symbol, Anchor]], own: bool = True) -> set[Key]:
        """Put in (or replace) one file's declarations, in the order of the file; the keys whose answer changed.

        An answer counts as the same when its symbols are equal: whoever gives a declaration a new text must keep its
        anchor, since places in other files' findings refer to it.
        """
        self._forget()
        old = self._files.pop(path, [])
        if len(old) == len(entries):
            # The usual edit: one declaration is another one in its place, and the others are who they were.
            kept = [_is(entry.found, symbol, anchor, own) for entry, (symbol, anchor) in zip(old, entries, strict=True)]
        else:
            kept = [False] * len(entries)
        new = [
            old[at] if kept[at] else _Entry((path, at), Found(symbol, anchor, own))
            for at, (symbol, anchor) in enumerate(entries)
        ]
        if new:
            self._files[path] = new
        if any(kept):
            old, new = ([entry for at, entry in enumerate(all_) if not kept[at]] for all_ in (old, new))
        moved = {entry.id_key for entry in old if entry.id_key is not None}
        if any(kept):
            changed = self._replace(path, old, new)
        else:
            changed = self._exchange(path, old, new) if old else self._append(new)
        changed |= self._count_names(old, new)
        moved |= self._place_owned(new, changed)
        self._forget()
        return changed | moved

    def remove(self, path: str) -> set[Key]:
        return self.add(path, ())

    def __iter__(self) -> Iterator[Found]:
        """Every declaration by path and offset."""
        for path in sorted(self._files):
            for entry in self._files[path]:
                yield entry.found

    def in_file(self, path: str) -> list[Found]:
        """A file's declarations, in its order."""
        return [entry.found for entry in self._files.get(path, ())]

    def keys_of(self, path: str) -> set[Key]:
        """Every key under which a file's declarations stand, by which any of them can be found."""
        keys: set[Key] = set()
        for entry in self._files.get(path, ()):
            keys.update(entry.keys)
            if entry.id_key is not None:
                keys.add(entry.id_key)
        return keys

    def at(self, key: Key) -> list[Found]:
        """What stands under a key, by path and offset. Rules ask their `Scope`, which records the question."""
        found = self._all.get(key)
        if found is None:
            found = [entry.found for entry in self._by_key.get(key, ())]
            if len(found) > _MANY:
                self._all[key] = found
        return found

    def _forget(self) -> None:
        self._all.clear()
        self._each.clear()

    def names(self, kind: str) -> list[tuple[str, str]]:
        found = self._sorted_names.get(kind)
        if found is None:
            found = self._sorted_names[kind] = sorted(self._names[kind])
        return found

    def _append(self, new: list[_Entry]) -> set[Key]:
        """Put in the declarations of a file that had none; all their keys."""
        by_key = self._by_key
        changed: set[Key] = set()
        for entry in new:
            changed.update(entry.keys)
            for key in entry.keys:
                there = by_key.get(key)
                if there is None:
                    by_key[key] = [entry]
                elif there[-1].order < entry.order:
                    there.append(entry)
                else:
                    insort(there, entry, key=_order)
        return changed

    def _exchange(self, path: str, old: list[_Entry], new: list[_Entry]) -> set[Key]:
        """Replace a file's declarations; the keys to which it gives something else now."""
        for entry in old:
            self._move(entry, None)
        before, after = _parts(old), _parts(new)
        changed = {key for key in before if key not in after}
        for key in changed:
            self._put(key, path, [])
        for key, part in after.items():
            if not _same(before.get(key), part):
                changed.add(key)
            self._put(key, path, part)
        return changed

    def _replace(self, path: str, old: list[_Entry], new: list[_Entry]) -> set[Key]:
        """As `_exchange`, for some of a file's declarations."""
        for entry in old:
            self._move(entry, None)
        gone, fresh = _parts(old), _parts(new)
        changed: set[Key] = set()
        for key in (*gone, *(key for key in fresh if key not in gone)):
            there = self._by_key.get(key, [])
            low = bisect_left(there, path, key=_path)
            before = there[low : bisect_right(there, path, low, key=_path)]
            left = set(gone.get(key, ()))
            after = sorted([*(entry for entry in before if entry not in left), *fresh.get(key, ())], key=_order)
            if not before or not _same(before, after):
                changed.add(key)
            self._put(key, path, after)
        return changed

    def _put(self, key: Key, path: str, part: list[_Entry]) -> None:
        """Make `part` what one file gives to the answer of a key."""
        there = self._by_key.get(key)
        if there is None:
            self._by_key[key] = part
            return
        low = bisect_left(there, path, key=_path)
        there[low : bisect_right(there, path, low, key=_path)] = part
        if not there:
            del self._by_key[key]

    def _count_names(self, old: list[_Entry], new: list[_Entry]) -> set[Key]:
        changed: set[Key] = set()
        for entries, step in ((new, 1), (old, -1)):
            for entry in entries:
                symbol = entry.found.symbol
                kind = _kind(symbol)
                if kind not in self._names or not symbol.name or not symbol.namespace:
                    continue
                counts, name = self._names[kind], (symbol.namespace, symbol.name)
                count = counts.get(name, 0) + step
                if count:
                    counts[name] = count
                else:
                    del counts[name]
                if (count == 0) if step < 0 else (count == 1):
                    changed.add(("names", kind))
                    self._sorted_names.pop(kind, None)
        return changed

    def _place_owned(self, new: list[_Entry], changed: set[Key]) -> set[Key]:
        """Put queries and procedures of a bare owner under the id that they have now; the id keys that changed."""
        moved: set[Key] = set()
        waiting = [entry for entry in new if _bare_owner(entry.found.symbol)]
        for kind, *rest in changed:
            if kind == "entity" and "." not in rest[0]:
                waiting.extend(self._by_key.get(("owned", rest[0]), ()))
        for entry in waiting:
            symbol = entry.found.symbol
            owners = self._one_each(("entity", _bare_owner(symbol)))
            certain = len(owners) == 1 and symbol.name != ""
            key: Key | None = ("id", f"{owners[0].symbol.namespace}.{symbol.name}") if certain else None
            if key != entry.id_key:
                moved.update(k for k in (key, entry.id_key) if k is not None)
                self._move(entry, key)
        return moved

    def _move(self, entry: _Entry, key: Key | None) -> None:
        if entry.id_key is not None:
            there = self._by_key[entry.id_key]
            there.remove(entry)
            if not there:
                del self._by_key[entry.id_key]
        entry.id_key = key
        if key is not None:
            insort(self._by_key.setdefault(key, []), entry, key=_order)

    def _one_each(self, key: Key) -> list[Found]:
        """What stands under a key, by namespace and name, one of each: the first, own ones before others'."""
        entries = self._by_key.get(key, ())
        if len(entries) < 2:
            return [entry.found for entry in entries]
        if key in self._each:
            return self._each[key]
        best: dict[tuple[str, str], Found] = {}
        for entry in entries:
            name = (entry.found.symbol.namespace, entry.found.symbol.name)
            if name not in best or (entry.found.own and not best[name].own):
                best[name] = entry.found
        found = [best[name] for name in sorted(best)]
        if len(entries) > _MANY:
            self._each[key] = found
        return found

    def _first(self, key: Key) -> Found | None:
        found = self._one_each(key)
        return found[0] if found else None


def _kind(symbol: Symbol) -> str:
    match symbol:
        case EntitySymbol():
            return "entity"
        case JobSymbol():
            return "job"
        case EnumSymbol():
            return "enum"
        case _:
            return symbol.kind


def _all_keys(symbol: Symbol) -> Iterable[Key]:
    """Every key under which a symbol stands by itself."""
    if isinstance(symbol, OtherSymbol) or not symbol.renamed_from:
        return _keys(symbol)
    return *_keys(symbol), ("renamed", _kind(symbol), f"{symbol.namespace}.{symbol.renamed_from}")


def _keys(symbol: Symbol) -> Iterable[Key]:
    namespace, name = symbol.namespace, symbol.name
    kind = _kind(symbol)
    if type(symbol) is OtherSymbol:
        if kind == "broken":
            return (("broken", name),)
        if _bare_owner(symbol):
            return (("owned", _bare_owner(symbol)),)
        return (("id", f"{namespace}.{name}"),) if namespace and name else ()
    if not namespace or not name:
        return (("broken", name),)
    id = f"{namespace}.{name}"
    if type(symbol) is JobSymbol:
        return ("id", id), ("job", id)
    if type(symbol) is EnumSymbol:
        schema, type_name = symbol.type_name
        return ("id", id), ("enum", id), ("physical", schema.lower(), type_name.lower())
    assert type(symbol) is EntitySymbol
    return ("id", id), ("entity", id), ("entity", name), *_table_keys(symbol)


def _bare_owner(symbol: Symbol) -> str:
    """The name of an owner that has to be looked up first; "" when there is none."""
    if type(symbol) is not OtherSymbol or symbol.namespace or symbol.owner is None:
        return ""
    return symbol.owner[1]


def _table_keys(entity: EntitySymbol) -> Iterable[Key]:
    snake = snake_case(entity.name)
    namespace = entity.namespace.lower()
    full = clip(f"{namespace}_{snake}")
    schema, table = entity.table
    keys: tuple[Key, ...] = (("table", namespace, clip(snake)), ("table", SCHEMA, full), ("table", "", full))
    if schema == SCHEMA and table == full:
        return *keys, ("physical", SCHEMA, full)
    if not table:
        return keys
    schema, table = schema.lower(), table.lower()
    keys = *keys, ("physical", schema, table), ("table", schema, clip(table))
    if schema in ("public", SCHEMA):
        keys = *keys, ("table", "", clip(table))
    return dict.fromkeys(keys)


def _parts(entries: list[_Entry]) -> dict[Key, list[_Entry]]:
    """What a file gives to the answer of each key. Files do not disturb each other's parts, so an answer has changed
    only if one of its parts has."""
    parts: dict[Key, list[_Entry]] = {}
    for entry in entries:
        for key in entry.keys:
            there = parts.get(key)
            if there is None:
                parts[key] = [entry]
            else:
                there.append(entry)
    return parts


def _is(found: Found, symbol: Symbol, anchor: Anchor, own: bool) -> bool:
    return found.symbol is symbol and found.anchor is anchor and found.own == own


def _same(before: list[_Entry] | None, after: list[_Entry]) -> bool:
    return (
        before is not None
        and len(before) == len(after)
        and all(
            a.found.own == b.found.own and a.found.symbol == b.found.symbol for a, b in zip(before, after, strict=True)
        )
    )


class Scope:
    """What one declaration sees.

    `namespace` is its own. It is "" where it cannot be known: bare names of enums and jobs are then not found, and an
    entity's bare name with several candidates may well be unambiguous, so that neither is worth a finding.
    """

    __slots__ = ("asked", "index", "namespace")

    def __init__(self, index: Index, namespace: str) -> None:
        self.index = index
        self.namespace = namespace
        self.asked: set[Key] = set()

    @classmethod
    def of(cls, index: Index, symbol: Symbol) -> Scope:
        """The scope of a declaration; a query's or procedure's namespace is that of its owner."""
        scope = cls(index, symbol.namespace)
        if not symbol.namespace and type(symbol) is OtherSymbol and symbol.owner is not None:
            owner = scope.entity(None, symbol.owner[1])
            if owner is not None:
                scope.namespace = owner.namespace
        return scope

    def entity(self, namespace: str | None, name: str) -> EntitySymbol | None:
        """The entity that a reference means; None when unknown or ambiguous (ATL103, ATL106 say so, no one else)."""
        found = self.find("entity", namespace, name)
        return None if found is None else found.symbol  # type: ignore[return-value]

    def entity_candidates(self, namespace: str | None, name: str) -> list[Found]:
        """All that the reference may mean, in order of namespace: none, one, or several (ambiguous)."""
        own = self._exact("entity", namespace, name)
        if own is not None:
            return [own]
        return [] if namespace else self._ask_each(("entity", name))

    def job(self, namespace: str | None, name: str) -> JobSymbol | None:
        found = self.find("job", namespace, name)
        return None if found is None else found.symbol  # type: ignore[return-value]

    def enum(self, id: str) -> EnumSymbol | None:
        found = self._ask_each(("enum", id))
        return found[0].symbol if found else None  # type: ignore[return-value]

    def find(self, kind: str, namespace: str | None, name: str) -> Found | None:
        """As `entity`, `job`, `enum`, with the place. kind: `entity`, `job`, `enum`."""
        if kind != "entity":
            return self._exact(kind, namespace, name)
        candidates = self.entity_candidates(namespace, name)
        return candidates[0] if len(candidates) == 1 else None

    def same_id(self, id: str) -> list[Found]:
        """Every declaration with that id, by path and offset, queries and procedures under their owner's namespace."""
        return self._ask(("id", id))

    def same_hint(self, symbol: EntitySymbol | EnumSymbol | JobSymbol) -> list[Found]:
        """Every declaration of a symbol's kind and namespace whose hint names the same, by path and offset."""
        return self._ask(("renamed", _kind(symbol), f"{symbol.namespace}.{symbol.renamed_from}"))

    def same_physical_name(self, schema: str, name: str) -> list[Found]:
        """Entities and enums whose table or type has this name, without regard to case, by path and offset."""
        return self._ask(("physical", schema.lower(), name.lower()))

    def tables(self, schema: str | None, name: str) -> list[Found]:
        """Entities that SQL may mean by `[schema.]name`, spelled in any of the four ways of `rules.md` (6xx)."""
        return self._ask_each(("table", clip((schema or "").lower()), clip(name.lower())))

    def may_be_broken(self, name: str) -> bool:
        """Whether a declaration that could not be read may be the one of that name: then nothing is reported of it.
        Also true for every name while some broken declaration's name is not known at all."""
        named = bool(self._ask(("broken", name)))
        return bool(self._ask(("broken", ""))) or named

    def names(self, kind: str) -> list[tuple[str, str]]:
        """(namespace, name) of all declarations of a kind (`entity`, `job`, `enum`), sorted: for did-you-mean."""
        self.asked.add(("names", kind))
        return self.index.names(kind)

    def _exact(self, kind: str, namespace: str | None, name: str) -> Found | None:
        """The one declaration of that id, in the own namespace when `namespace` is None or ""."""
        namespace = namespace or self.namespace
        if not namespace:
            return None
        key = (kind, f"{namespace}.{name}")
        self.asked.add(key)
        return self.index._first(key)

    def _ask(self, key: Key) -> list[Found]:
        self.asked.add(key)
        return self.index.at(key)

    def _ask_each(self, key: Key) -> list[Found]:
        self.asked.add(key)
        return self.index._one_each(key)
