"""From trees to the model: every default filled in, every name resolved, hints attached.

Never raises, whatever the trees hold. Declarations without a name, and all but the first (in path order) of one kind
and id, are left out; what recovery dropped is simply not there; of what is given twice the first counts.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from atl.closed import assert_never
from atl.schema import model as m
from atl.schema.build_methods import procedure, query, workflow
from atl.schema.build_parts import Site, cache, fields, first, site
from atl.schema.facts import Declared
from atl.schema.index import Index, Key, Scope
from atl.schema.naming import default_physical, table_parts
from atl.schema.symbols import symbol_of, symbols_of
from atl.syntax import nodes as n
from atl.syntax.tree import FileTree

__all__ = ["Built", "build", "index_of"]


class Built:
    """What was built of files, to be used again: it holds while a file's tree stands, and the index's answers that it
    rests on."""

    def __init__(self) -> None:
        self._files: dict[FileTree, tuple[list[Declared], set[Key]]] = {}

    def outdate(self, keys: set[Key]) -> None:
        """The answers under these keys have changed."""
        for tree in [tree for tree, (_, asked) in self._files.items() if not keys.isdisjoint(asked)]:
            del self._files[tree]

    def of(self, tree: FileTree, index: Index) -> list[Declared]:
        """What a file declares, in its order."""
        known = self._files.get(tree)
        if known is None:
            known = self._files[tree] = _built(tree, index)
        return known[0]


def build(
    own: Iterable[FileTree],
    cached: Iterable[FileTree] = (),
    index: Index | None = None,
    built: Built | None = None,
) -> m.Schema:
    """The schema that the own files declare. `cached`: other callers' files, which only resolve names. `index`: one
    that holds all of them already; `built`: what was built with it before."""
    trees = sorted(own, key=lambda tree: tree.file.path)
    if index is None:
        index = index_of(trees, cached)
    schema = m.Schema()
    by_kind: dict[type, Any] = {
        m.Entity: schema.entities,
        m.Enum: schema.enums,
        m.Query: schema.queries,
        m.Procedure: schema.procedures,
        m.Job: schema.jobs,
        m.Workflow: schema.workflows,
        m.Ephemeral: schema.ephemerals,
    }
    for tree in trees:
        for made in built.of(tree, index) if built is not None else _built(tree, index)[0]:
            by_kind[type(made)].setdefault(made.id, made)
    return schema


def _built(tree: FileTree, index: Index) -> tuple[list[Declared], set[Key]]:
    """What a file declares, and the keys that were asked for it."""
    found: list[Declared] = []
    asked: set[Key] = set()
    for unit in tree.units:
        for decl in unit.chunk.declarations:
            here = site(unit, decl, index)
            if here is None:
                # Where its owner is found, it has a namespace.
                asked |= Scope.of(index, symbol_of(decl)).asked
                continue
            made = _declared(decl, here)
            if made is not None:
                found.append(made)
            asked |= here.scope.asked
    return found, asked


def _declared(decl: n.Declaration, here: Site) -> Declared | None:
    match decl:
        case n.EntityDecl():
            return _entity(decl, here)
        case n.EnumDecl():
            return _enum(decl, here)
        case n.QueryDecl():
            return query(decl, here)
        case n.ProcedureDecl():
            return procedure(decl, here)
        case n.JobDecl():
            return _job(decl, here)
        case n.WorkflowDecl():
            return workflow(decl, here)
        case n.EphemeralDecl():
            return _ephemeral(decl, here)
        case n.BrokenDecl():
            return None
        case _:
            assert_never(decl)


def index_of(own: Iterable[FileTree], cached: Iterable[FileTree] = ()) -> Index:
    """All declarations of these files."""
    index = Index()
    for trees, ours in ((own, True), (cached, False)):
        for tree in trees:
            entries = [(symbol, unit.anchor) for unit in tree.units for symbol in symbols_of(unit.chunk)]
            index.add(tree.file.path, entries, ours)
    return index


def _entity(decl: n.EntityDecl, here: Site) -> m.Entity:
    members = decl.members
    built = fields((member for member in members if type(member) is n.Field), here, stored=True, keyed=True)
    key_clause = first(members, n.PrimaryBy)
    keyless = first(members, n.Keyless) is not None
    key: tuple[str, ...] = ()
    if not keyless:
        flagged = [name for name, field in built.items() if field.primary]
        key = tuple(dict.fromkeys(name.text for name in key_clause.fields)) if key_clause else tuple(flagged[:1])
    sets = {tuple(sorted({name.text for name in each.fields})) for each in members if type(each) is n.UniqueBy}
    for name, field in built.items():
        alone = key == (name,)
        unique = not alone and (field.unique or (name,) in sets)
        not_null = field.not_null or name in key
        if (not_null, alone, unique) != (field.not_null, field.primary, field.unique):
            built[name] = replace(field, not_null=not_null, primary=alone, unique=unique)
    table = first(members, n.TableClause)
    timeout, chunk = first(members, n.QueryTimeout), first(members, n.ChunkInterval)
    pointers: dict[str, str] = {}
    for member in members:
        if type(member) is n.FieldClause:
            pointers.setdefault(member.word, member.field.text)
    return m.Entity(
        id=here.id,
        fields=built,
        key=key,
        table=(table_parts(table.table.value) if table else None) or default_physical(*here.id.split(".", 1)),
        keyless=keyless,
        hyper=decl.hyper,
        time_field=decl.on.text if decl.hyper and decl.on is not None else "",
        chunk_interval_ms=chunk.duration.ms if chunk is not None and decl.hyper else None,
        unique_by=tuple(sorted(names for names in sets if len(names) > 1)),
        indexes=_indexes(members, here),
        checks=_checks(members, here),
        relations=_relations(members, here),
        soft_delete=pointers.get("soft_delete", ""),
        touch_on_update=pointers.get("touch_on_update", ""),
        ttl_field=pointers.get("ttl_field", ""),
        partition=pointers.get("partition", ""),
        query_timeout_ms=None if timeout is None else timeout.duration.ms,
        cache=cache(first(members, n.Cache), here),
        renamed_from=here.renamed_from(decl),
        where=here.where(decl),
    )


def _indexes(members: Iterable[n.Member], here: Site) -> tuple[m.Index, ...]:
    found: list[m.Index] = []
    for member in members:
        where = here.where(member)
        match member:
            case n.Index():
                columns = tuple(
                    m.IndexColumn(
                        "" if column.field is None else column.field.text,
                        "" if column.expr is None else column.expr.value,
                        column.direction == "desc",
                    )
                    for column in member.columns
                )
                predicate = "" if member.predicate is None else _predicate(member.predicate.text)
                found.append(m.Index("btree", columns, member.unique, predicate, where=where))
            case n.HnswIndex():
                found.append(m.Index("hnsw", (m.IndexColumn(member.field.text, ""),), ops=member.ops, where=where))
            case n.GinIndex():
                found.append(m.Index("gin", (m.IndexColumn(member.field.text, ""),), where=where))
            case _:
                pass
    return tuple(sorted(found, key=m.index_order))


def _predicate(raw: str) -> str:
    from atl.syntax.strings import predicate_sql

    return predicate_sql(raw)[0].strip()


def _checks(members: Iterable[n.Member], here: Site) -> tuple[m.Check, ...]:
    found = [
        m.Check("" if member.name is None else member.name.text, member.sql.value, here.where(member))
        for member in members
        if type(member) is n.EntityCheck
    ]
    return tuple(sorted(found, key=lambda check: (check.name, check.expression)))


def _relations(members: Iterable[n.Member], here: Site) -> tuple[m.Relation, ...]:
    found = [
        m.Relation(member.kind, member.name.text, here.entity(member.target), member.via.text, here.where(member))
        for member in members
        if type(member) is n.Relation
    ]
    return tuple(sorted(found, key=lambda relation: (relation.name, relation.kind, relation.target, relation.via)))


def _enum(decl: n.EnumDecl, here: Site) -> m.Enum:
    labels: dict[str, str] = {}
    for label in decl.labels:
        labels.setdefault(label.text, here.renamed_from(label))
    return m.Enum(
        id=here.id,
        labels=tuple(labels),
        type_name=default_physical(*here.id.split(".", 1)),
        label_renames={label: old for label, old in labels.items() if old},
        renamed_from=here.renamed_from(decl),
        where=here.where(decl),
    )


def _job(decl: n.JobDecl, here: Site) -> m.Job:
    clauses = decl.clauses
    made = m.Job(
        id=here.id,
        args=fields((field for clause in clauses if type(clause) is n.Args for field in clause.fields), here),
        renamed_from=here.renamed_from(decl),
        where=here.where(decl),
    )
    for clause in reversed(clauses):
        match clause:
            case n.Args():
                pass
            case n.Retries(value=n.Int() as count):
                made = replace(made, retries=max(-1, min(count.value, 1 << 63)))
            case n.Timeout(value=None):
                made = replace(made, timeout_ms=None)
            case n.Timeout(value=n.Duration(ms=int(ms))):
                made = replace(made, timeout_ms=ms)
            case n.Heartbeat(value=n.Duration(ms=int(ms))):
                made = replace(made, heartbeat_ms=ms)
            case n.Queue():
                made = replace(made, queue=clause.value.value)
            case n.Schedule():
                # Names of months and days are taken in any case, and white space between the fields does not count.
                made = replace(made, schedule=" ".join(clause.value.value.split()).upper())
            case n.VisibleTo():
                made = replace(made, visible_to=clause.value.value)
            case n.Retries() | n.Timeout() | n.Heartbeat():
                pass  # a value in error counts as left out
            case _:
                assert_never(clause)
    return made


def _ephemeral(decl: n.EphemeralDecl, here: Site) -> m.Ephemeral:
    built = fields((member for member in decl.members if type(member) is n.Field), here, keyed=True)
    ttl = first(decl.members, n.Ttl)
    made = m.Ephemeral(
        id=here.id,
        fields=built,
        key=next((name for name, field in built.items() if field.primary), ""),
        where=here.where(decl),
    )
    return made if ttl is None or ttl.duration.ms is None else replace(made, ttl_ms=ttl.duration.ms)
