"""Renames: which hints hold between two schemas, and the old schema under its new names.

Only a hint renames, never a guess. A hint that the old side's same member carries too was carried out before. One whose
old name does not exist, or is still taken by a member that is not renamed itself, is stale and does nothing. A hint
beats an equal name, so chains and swaps work.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from atl.schema import model as m
from atl.schema.facts import value_text
from atl.schema.naming import default_physical
from atl.schema.symbols import Type

__all__ = ["GONE", "Renames", "Stale", "Swap", "find_renames", "follow"]

GONE = " (before)"
"""Ends the name of what gives its name to another thing, on the old side under its new names."""


@dataclass(frozen=True, slots=True)
class Stale:
    """A hint that names nothing: of `id` (and its member), the name in it, where it stands."""

    id: str
    member: str
    old_name: str
    where: m.Where


@dataclass(frozen=True, slots=True)
class Swap:
    """Members of `id` (or declarations of a namespace) that took each other's names by hints which are gone now. That
    may be tidiness, or the old text brought back: without hints they look the same."""

    id: str
    names: tuple[str, ...]
    where: m.Where


@dataclass(slots=True)
class Renames:
    """Old names to new ones, by kind. `fields` and `labels` are by the *new* id of their entity or enum."""

    entities: dict[str, str] = field(default_factory=dict)
    enums: dict[str, str] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)
    fields: dict[str, dict[str, str]] = field(default_factory=dict)
    labels: dict[str, dict[str, str]] = field(default_factory=dict)
    stale: list[Stale] = field(default_factory=list)
    swaps: list[Swap] = field(default_factory=list)

    @property
    def any(self) -> bool:
        """Whether anything has another name."""
        return bool(self.entities or self.enums or self.jobs or self.fields or self.labels)

    def of_fields(self, entity: str) -> dict[str, str]:
        return self.fields.get(entity, {})


Held = tuple[str, str]  # a member's name, and the old name in its hint or ""


def _valid(old: Mapping[str, str], new: list[Held]) -> tuple[dict[str, str], list[Held]]:
    """Old name -> new name of the hints that hold, and the hints that are stale. old: name -> its own hint."""
    claims: dict[str, str] = {}
    stale: list[Held] = []
    for name, hint in new:
        if not hint or (name in old and old[name] == hint):
            continue
        if hint not in old or hint in claims or hint == name:
            stale.append((name, hint))
        else:
            claims[hint] = name
    names = {name for name, _ in new}
    changed = True
    while changed:
        changed = False
        renamed = set(claims.values())
        for hint, name in list(claims.items()):
            if hint in names and hint not in renamed:
                del claims[hint]
                stale.append((name, hint))
                changed = True
    return claims, stale


def _rings(old: Mapping[str, str], new: list[Held]) -> list[tuple[str, ...]]:
    """Names that went round by the old side's hints, where the new side has the names and none of the hints."""
    plain = {name for name, hint in new if not hint}
    found: list[tuple[str, ...]] = []
    for name in old:
        ring, at = [name], old[name]
        while at != name and at in old and at not in ring:
            ring.append(at)
            at = old[at]
        if at == name and len(ring) > 1 and plain.issuperset(ring) and name == min(ring):
            found.append(tuple(sorted(ring)))
    return found


def _split(id: str) -> Held:
    namespace, _, name = id.rpartition(".")
    return namespace, name


def _declarations(old: Mapping[str, Any], new: Mapping[str, Any], out: Renames) -> dict[str, str]:
    """The renames of a kind of declaration, within each namespace."""
    found: dict[str, str] = {}
    before_in: dict[str, dict[str, str]] = {}
    after_in: dict[str, list[Held]] = {}
    for id, declared in old.items():
        namespace, name = _split(id)
        before_in.setdefault(namespace, {})[name] = declared.renamed_from
    for id, declared in new.items():
        namespace, name = _split(id)
        after_in.setdefault(namespace, []).append((name, declared.renamed_from))
    for namespace, after in sorted(after_in.items()):
        before = before_in.get(namespace, {})
        claims, wrong = _valid(before, after)
        found |= {f"{namespace}.{a}": f"{namespace}.{b}" for a, b in claims.items()}
        for name, hint in wrong:
            out.stale.append(Stale(f"{namespace}.{name}", "", hint, new[f"{namespace}.{name}"].where))
        out.swaps += [Swap(namespace, ring, new[f"{namespace}.{ring[0]}"].where) for ring in _rings(before, after)]
    return found


def find_renames(old: m.Schema, new: m.Schema) -> Renames:
    """The hints of the new side that hold against the old one."""
    out = Renames()
    out.entities = _declarations(old.entities, new.entities, out)
    out.enums = _declarations(old.enums, new.enums, out)
    out.jobs = _declarations(old.jobs, new.jobs, out)
    backward = {b: a for a, b in out.entities.items()}
    for id, entity in new.entities.items():
        before = old.entities.get(backward.get(id, id))
        if before is None or (id in out.entities and id not in backward):
            continue
        held = {name: f.renamed_from for name, f in before.fields.items()}
        named = [(name, f.renamed_from) for name, f in entity.fields.items()]
        claims, wrong = _valid(held, named)
        out.swaps += [Swap(id, ring, entity.where) for ring in _rings(held, named)]
        if claims:
            out.fields[id] = claims
        out.stale += [Stale(id, name, hint, entity.fields[name].where) for name, hint in wrong]
    backward = {b: a for a, b in out.enums.items()}
    for id, enum in new.enums.items():
        earlier = old.enums.get(backward.get(id, id))
        if earlier is None or (id in out.enums and id not in backward):
            continue
        hints = {label: earlier.label_renames.get(label, "") for label in earlier.labels}
        named = [(label, enum.label_renames.get(label, "")) for label in enum.labels]
        claims, wrong = _valid(hints, named)
        out.swaps += [Swap(id, ring, enum.where) for ring in _rings(hints, named)]
        if claims:
            out.labels[id] = claims
        out.stale += [Stale(id, label, hint, enum.where) for label, hint in wrong]
    return out


T = TypeVar("T")


def _keys(mapping: Mapping[str, T], ids: Mapping[str, str], change: Callable[[str, T], T]) -> dict[str, T]:
    """A map of declarations under their new ids. A declaration whose id another one takes over is dropped from view
    by the differ as removed, under an id of its own that no file can spell."""
    taken = set(ids.values())
    out: dict[str, T] = {}
    for id, value in mapping.items():
        new_id = ids.get(id, id)
        if new_id == id and id in taken:
            new_id = f"{id}{GONE}"
        out[new_id] = change(new_id, value)
    return out


def follow(old: m.Schema, renames: Renames, new: m.Schema) -> m.Schema:
    """The old schema as it would be had it always used the new names.

    SQL text stays as written: `following` compares it. A default table follows its entity's name, unless the new side
    names a table.
    """
    if not renames.any:
        return old
    return m.Schema(
        entities=_keys(old.entities, renames.entities, lambda id, e: _entity(id, e, renames, new)),
        enums=_keys(old.enums, renames.enums, lambda id, e: _enum(id, e, renames)),
        queries={id: _query(q, renames) for id, q in old.queries.items()},
        procedures={id: _procedure(p, old, renames) for id, p in old.procedures.items()},
        jobs=_keys(old.jobs, renames.jobs, lambda id, j: replace(j, id=id, args=_fields(j.args, renames))),
        workflows={id: _workflow(w, old, renames) for id, w in old.workflows.items()},
        ephemerals={id: replace(e, fields=_fields(e.fields, renames)) for id, e in old.ephemerals.items()},
    )


def _entity(id: str, entity: m.Entity, renames: Renames, new: m.Schema) -> m.Entity:
    own = renames.of_fields(id)
    taken = set(own.values())

    def name(field_name: str) -> str:
        if field_name in own:
            return own[field_name]
        return f"{field_name}{GONE}" if field_name in taken else field_name

    table = entity.table
    if table == default_physical(*_split(entity.id)) and id in new.entities:
        default = default_physical(*_split(id))
        table = default if new.entities[id].table == default else table
    fields = {name(f.name): replace(_field(f, renames), name=name(f.name)) for f in entity.fields.values()}
    return replace(
        entity,
        id=id,
        table=table,
        fields=fields,
        key=tuple(map(name, entity.key)),
        unique_by=tuple(sorted(tuple(sorted(map(name, columns))) for columns in entity.unique_by)),
        indexes=tuple(
            replace(i, columns=tuple(replace(c, field=name(c.field) if c.field else "") for c in i.columns))
            for i in entity.indexes
        ),
        relations=tuple(_relation(r, entity, renames) for r in entity.relations),
        time_field=name(entity.time_field) if entity.time_field else "",
        soft_delete=name(entity.soft_delete) if entity.soft_delete else "",
        touch_on_update=name(entity.touch_on_update) if entity.touch_on_update else "",
        ttl_field=name(entity.ttl_field) if entity.ttl_field else "",
        partition=name(entity.partition) if entity.partition else "",
        cache=_cache(entity.cache, own, renames),
    )


def _field(f: m.Field, renames: Renames) -> m.Field:
    kind = _type(f.type, renames)
    reference = f.reference
    if reference is not None:
        target = renames.entities.get(reference.entity, reference.entity)
        column = renames.of_fields(target).get(reference.field, reference.field)
        reference = replace(reference, entity=target, field=column)
    default = f.default
    if default is not None and kind.enum and default.kind == "string":
        default = replace(default, text=renames.labels.get(kind.enum, {}).get(default.text, default.text))
    return replace(f, type=kind, reference=reference, default=default)


def _fields(fields: Mapping[str, m.Field], renames: Renames) -> dict[str, m.Field]:
    return {name: _field(f, renames) for name, f in fields.items()}


def _type(kind: Type, renames: Renames) -> Type:
    return kind._replace(enum=renames.enums.get(kind.enum, kind.enum)) if kind.enum else kind


def _relation(relation: m.Relation, entity: m.Entity, renames: Renames) -> m.Relation:
    target = renames.entities.get(relation.target, relation.target)
    return replace(relation, target=target, via=renames.of_fields(target).get(relation.via, relation.via))


def _cache(cache: m.Cache | None, own: Mapping[str, str], renames: Renames) -> m.Cache | None:
    if cache is None:
        return None
    tag = cache.tag
    if tag is not None and own:
        import re

        tag = re.sub(r"\{(\w+)\}", lambda found: "{" + own.get(found[1], found[1]) + "}", tag)
    writes = []
    for write in cache.invalidate_on:
        target = renames.entities.get(write.entity, write.entity)
        column = renames.of_fields(target).get(write.field, write.field)
        writes.append(m.CacheWrite(target, column, own.get(write.own, write.own)))
    writes.sort(key=lambda write: (write.entity, write.field, write.own))
    return replace(cache, tag=tag, invalidate_on=tuple(writes))


def _enum(id: str, enum: m.Enum, renames: Renames) -> m.Enum:
    own = renames.labels.get(id, {})
    taken = set(own.values())
    labels = tuple(own.get(x, f"{x}{GONE}" if x in taken else x) for x in enum.labels)
    type_name = enum.type_name
    if type_name == default_physical(*_split(enum.id)) and " " not in id:
        type_name = default_physical(*_split(id))
    return replace(enum, id=id, labels=labels, type_name=type_name)


def _ids(ids: tuple[str, ...], renames: Renames) -> tuple[str, ...]:
    return tuple(sorted(renames.entities.get(id, id) for id in ids))


def _query(query: m.Query, renames: Renames) -> m.Query:
    entity = query.output_entity
    return replace(
        query,
        owner=renames.entities.get(query.owner, query.owner),
        inputs=_fields(query.inputs, renames),
        output_entity=renames.entities.get(entity, entity),
        outputs=tuple(_field(f, renames) for f in query.outputs),
        block=replace(query.block, touches=_ids(query.block.touches, renames)),
        cache=_cache(query.cache, {}, renames),
    )


def _procedure(procedure: m.Procedure, old: m.Schema, renames: Renames) -> m.Procedure:
    steps: list[m.SqlStep | m.WriteStep | m.EnqueueStep] = []
    for step in procedure.steps:
        if isinstance(step, m.SqlStep):
            steps.append(replace(step, touches=_ids(step.touches, renames)))
        elif isinstance(step, m.EnqueueStep):
            args = _arguments(step.args, old.jobs.get(step.job), renames)
            steps.append(replace(step, job=renames.jobs.get(step.job, step.job), args=args))
        else:
            steps.append(_write(step, old, renames))
    return replace(
        procedure,
        owner=renames.entities.get(procedure.owner, procedure.owner),
        inputs=_fields(procedure.inputs, renames),
        steps=tuple(steps),
    )


def _write(step: m.WriteStep, old: m.Schema, renames: Renames) -> m.WriteStep:
    target = renames.entities.get(step.entity, step.entity)
    own = renames.of_fields(target)
    entity = old.entities.get(step.entity)

    def value(text: str, beside: str) -> str:
        """A value that is compared with, or put into, the column `beside`."""
        field = entity.fields.get(beside) if entity is not None else None
        if text.startswith('"') and field is not None:
            labels = renames.labels.get(_type(field.type, renames).enum, {})
            return next((value_text(m.Value("string", b)) for a, b in labels.items() if _is(text, a)), text)
        return own.get(text, text)

    sets = tuple(sorted((own.get(column, column), value(text, column)) for column, text in step.sets))
    conditions = tuple((value(a, b), op, value(b, a)) for a, op, b in step.conditions)
    return replace(step, entity=target, sets=sets, conditions=conditions)


def _is(text: str, label: str) -> bool:
    return text == value_text(m.Value("string", label))


def _arguments(args: tuple[m.Argument, ...], job: m.Job | None, renames: Renames) -> tuple[m.Argument, ...]:
    found = []
    for arg in args:
        value = arg.value
        declared = job.args.get(arg.name) if job is not None else None
        if value is not None and declared is not None and declared.type.enum and value.kind == "string":
            labels = renames.labels.get(_type(declared.type, renames).enum, {})
            value = replace(value, text=labels.get(value.text, value.text))
        found.append(replace(arg, value=value))
    return tuple(found)


def _workflow(workflow: m.Workflow, old: m.Schema, renames: Renames) -> m.Workflow:
    def step(s: m.WorkflowStep) -> m.WorkflowStep:
        job = renames.jobs.get(s.job, s.job)
        return replace(s, job=job, args=_arguments(s.args, old.jobs.get(s.job), renames))

    return replace(
        workflow,
        state=_fields(workflow.state, renames),
        steps=tuple(step(s) for s in workflow.steps),
        compensations={name: step(s) for name, s in workflow.compensations.items()},
    )
