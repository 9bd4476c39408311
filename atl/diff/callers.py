"""Where other callers' declarations use what a change breaks.

Other callers' files still say what held before the change, so their names are resolved against the old side. A use
counts when it certainly or possibly names the thing: a column whose table is not certain, `*`, and `output as` count
as uses of every field that they may take in. What counts too much only names one caller more.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from atl.diff.differ import Users
from atl.diff.model import Caller, Change
from atl.diff.renames import find_renames
from atl.schema import model as m
from atl.schema.index import Index, Scope
from atl.schema.model_symbols import index_of_model
from atl.schema.symbols import symbol_of
from atl.schema.targets import Target
from atl.schema.uses import uses
from atl.syntax import nodes as n
from atl.syntax.tree import FileTree, Unit

__all__ = ["find_users"]

_ANY = "*"
"""Stands for every field of an entity."""

# After these `*` stands for columns; `)` may also end a factor. After anything else it multiplies, or counts rows.
_BEFORE_STAR = frozenset({"select", "all", "distinct", "returning", ",", ".", ")"})


def find_users(old: m.Schema, new: m.Schema, cached: Sequence[FileTree]) -> Users | None:
    """Who uses what changes, by the files of other callers; None without any, as nothing is known of callers then.

    The answer's places are sorted, each line once. The files are read at the first question.
    """
    if not cached:
        return None
    found: Mapping[Target, Sequence[Caller]] | None = None
    back = _Back(old, new)

    def users(change: Change) -> tuple[Caller, ...]:
        nonlocal found
        targets = back.targets(change)
        if not targets:
            return ()
        if found is None:
            found = _read(old, cached)
        return tuple(sorted({place for target in targets for place in found.get(target, ())}))

    return users


class _Back:
    """From a change, which has the new names, to what it was called before."""

    def __init__(self, old: m.Schema, new: m.Schema) -> None:
        renames = find_renames(old, new)
        self.ids = {b: a for ids in (renames.entities, renames.enums, renames.jobs) for a, b in ids.items()}
        self.members = {
            (id, b): a
            for held in (renames.fields, renames.labels)
            for id, names in held.items()
            for a, b in names.items()
        }

    def targets(self, change: Change) -> list[Target]:
        removed = change.kind.endswith("_removed")
        id = change.id if removed and not change.member else self.ids.get(change.id, change.id)
        member = change.member if removed else self.members.get((change.id, change.member), change.member)
        match change.kind.split("_", 1)[0]:
            case "field" | "reference":
                return [Target("field", id, member), Target("field", id, _ANY)]
            case "entity" | "key" | "soft" | "ttl" | "partition":
                return [Target("entity", id)]
            case "enum":
                return [Target("label", id, member) if change.member else Target("enum", id)]
            case "job":
                return [Target("argument", id, member) if change.member else Target("job", id)]
            case _:
                return []


def _read(old: m.Schema, cached: Sequence[FileTree]) -> Mapping[Target, list[Caller]]:
    index = index_of_model(old)
    for tree in cached:
        entries = [(symbol_of(decl), unit.anchor) for unit in tree.units for decl in unit.chunk.declarations]
        index.add(tree.file.path, entries, own=False)
    found: dict[Target, list[Caller]] = defaultdict(list)
    for tree in cached:
        for unit in tree.units:
            for decl in unit.chunk.declarations:
                for target, start in _uses(decl, unit, index):
                    line = tree.file.lines.line(unit.anchor.start + start) + 1
                    found[target].append((tree.file.path, line))
    return found


def _uses(decl: n.Declaration, unit: Unit, index: Index) -> Iterator[tuple[Target, int]]:
    scope = Scope.of(index, symbol_of(decl))
    named = [use for use in uses(decl, unit.chunk.text, scope) if not use.declares]
    yield from ((use.target, use.start) for use in named)
    if not isinstance(decl, n.QueryDecl | n.ProcedureDecl):
        return
    for part in decl.parts:
        if isinstance(part, n.Output) and part.entity is not None:
            entity = scope.entity(part.entity.namespace.text if part.entity.namespace else None, part.entity.name.text)
            if entity is not None:
                yield Target("field", f"{entity.namespace}.{entity.name}", _ANY), part.entity.name.start
    blocks = [part for part in decl.parts if isinstance(part, n.Sql)]
    blocks += [
        step for part in decl.parts if isinstance(part, n.Steps) for step in part.steps if isinstance(step, n.Sql)
    ]
    for block in blocks:
        inside = [use for use in named if block.sql.start <= use.start < block.sql.end]
        tables = {use.target.id for use in inside if use.form == "table"}
        settled = {use.start for use in inside if use.form == "column"}
        yield from _possible(block.sql, tables, settled)


def _possible(sql: n.RawSql, tables: set[str], settled: set[int]) -> Iterator[tuple[Target, int]]:
    """What a block may take of its tables beyond the columns that are certain."""
    from atl.postgres.scan import tokens
    from atl.postgres.text import fold

    before = ""
    for token in tokens(sql.text):
        word = sql.text[token.start : token.end]
        at = sql.start + token.start
        before, last = word.lower(), before
        if token.kind == "quoted":
            word = word[1:-1].replace('""', '"')
        elif token.kind == "word":
            word = fold(word)
        elif word != "*" or last not in _BEFORE_STAR:
            continue
        if settled.isdisjoint((at, at + 1)):
            yield from ((Target("field", id, word), at) for id in sorted(tables))
