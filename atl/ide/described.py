"""What a thing with a name is in effect, in Markdown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from atl.ide.named import declared, holder
from atl.ide.use_index import UnitUse
from atl.schema import model as m
from atl.schema.build import build
from atl.schema.facts import Declared, column, facts, value_text
from atl.schema.targets import Target
from atl.schema.types import postgres_type, spelled
from atl.syntax import nodes as n
from atl.syntax.tree import FileTree, Unit

if TYPE_CHECKING:
    from datetime import datetime

    from atl.workspace.live import Workspace

__all__ = ["comment_above", "described", "field_text", "model_of"]


def described(workspace: Workspace, target: Target, now: datetime) -> str:
    """Empty where it is not known."""
    places = declared(workspace, target)
    if not places:
        return ""
    place = places[0]
    model = model_of(workspace, place.unit, target)
    node = holder(place.unit, place.use)
    comment = comment_above(place.unit, node) if node is not None else ""
    parts = [*_parts(workspace, target, model, place, now), comment]
    if not workspace.is_own(place.location.path):
        parts.append(f"declared by another caller, in {place.location.path}")
    return "\n\n".join(part for part in parts if part)


def model_of(workspace: Workspace, unit: Unit, target: Target) -> Declared | None:
    """The declaration of a target, or of the declaration it is a member of, with every default filled in."""
    schema = build([FileTree(unit.anchor.file, [unit])], (), workspace.index)
    kinds: tuple[Mapping[str, Declared], ...]
    match target.kind:
        case "field" | "entity" | "relation" | "check" | "ephemeral":
            kinds = (schema.ephemerals,) if target.kind == "ephemeral" else (schema.entities, schema.ephemerals)
        case "label" | "enum":
            kinds = (schema.enums,)
        case "argument" | "job":
            kinds = (schema.jobs,)
        case "query" | "output":
            kinds = (schema.queries,)
        case "procedure":
            kinds = (schema.procedures,)
        case "input":
            kinds = (schema.queries, schema.procedures)
        case _:
            kinds = (schema.workflows,)
    for each in kinds:
        if target.id in each:
            return each[target.id]
    return None


def comment_above(unit: Unit, node: n.Node) -> str:
    """The comment lines right above a node, without those for the tools."""
    text = unit.chunk.text
    lines: list[str] = []
    before = text.rfind("\n", 0, node.start) + 1
    for comment in reversed(unit.chunk.comments):
        if not comment.own_line or comment.block or comment.end > before or text[comment.end : before].count("\n") > 1:
            continue
        if text[comment.end : before].strip():
            break
        said = comment.text[2:].strip()
        if not said.startswith("atl:"):
            lines.append(said)
        before = text.rfind("\n", 0, comment.start) + 1
    return "\n".join(reversed(lines))


def _parts(workspace: Workspace, target: Target, model: Declared | None, place: UnitUse, now: datetime) -> list[str]:
    name = target.member or target.id.rpartition(".")[2]
    namespace = target.id.rpartition(".")[0]
    if not target.member:
        head = f"{target.kind} {name} in {namespace}"
        if isinstance(model, m.Query | m.Procedure):
            head = f"{target.kind} {name} for {model.owner}"
        elif isinstance(model, m.Entity) and model.hyper:
            head = f"hypertable {name} in {namespace} on {model.time_field}"
        elif isinstance(model, m.Enum):
            head = f"enum {name} in {namespace} {{ {', '.join(model.labels)} }}"
        return [_code(head), _facts(model, now)]
    match target.kind, model:
        case "field", m.Entity() if name in model.fields:
            return [_code(f"{field_text(model.fields[name])}"), _column(workspace, model, name)]
        case "field", m.Ephemeral() if name in model.fields:
            return [_code(field_text(model.fields[name])), f"field of the ephemeral `{target.id}`"]
        case "argument", m.Job() if name in model.args:
            field = model.args[name]
            needed = "required" if field.not_null and field.default is None else "may be left out"
            return [_code(field_text(field)), f"argument of the job `{target.id}`, {needed}"]
        case "input", m.Query() | m.Procedure() if name in model.inputs:
            field = model.inputs[name]
            return [_code(f"${name}: {spelled(field.type)}{_default(field)}"), f"input of `{target.id}`"]
        case "output", m.Query():
            for field in model.outputs:
                if field.name == name:
                    return [_code(f"{name}: {spelled(field.type)}"), f"output of `{target.id}`"]
        case "state", m.Workflow() if name in model.state:
            return [_code(field_text(model.state[name])), f"state of the workflow `{target.id}`"]
        case "step", m.Workflow():
            return [_code(f"step {name}"), _step(model, name)]
        case "label", m.Enum() if name in model.labels:
            at = model.labels.index(name) + 1
            return [_code(name), f"label {at} of {len(model.labels)} of the enum `{target.id}`"]
        case "relation", m.Entity():
            for relation in model.relations:
                if relation.name == name:
                    text = f"{relation.kind} {name}: {relation.target} via {relation.via}"
                    return [_code(text), f"relation of `{target.id}`; it has no effect"]
        case "check", m.Entity():
            for check in model.checks:
                if check.name == name:
                    return [_code(f'check "{check.expression}" as {name}'), f"constraint of `{target.id}`"]
        case _:
            pass
    return []


def _code(text: str) -> str:
    return f"```atl\n{text}\n```"


def _facts(model: Declared | None, now: datetime) -> str:
    if model is None:
        return ""
    lines = []
    for fact in facts(model):
        lines.append(f"- {fact.name}: `{fact.value}`{' (default)' if fact.usual else ''}")
        if fact.name == "schedule" and isinstance(model, m.Job) and model.schedule:
            from atl.ide.cron_words import next_firings, schedule_words

            words = schedule_words(model.schedule)
            following = next_firings(model.schedule, now, 1)
            lines[-1] += f": {words} (UTC)" if words else ""
            lines[-1] += f", next {following[0]}" if following else ""
    if isinstance(model, m.Job):
        lines += [f"- argument `{field_text(field)}`" for field in model.args.values()]
    if isinstance(model, m.Query | m.Procedure):
        lines += [f"- input `{f.name}: {spelled(f.type)}{_default(f)}`" for f in model.inputs.values()]
    return "\n".join(lines)


def field_text(field: m.Field) -> str:
    """A field as it is in effect, on one line."""
    parts = [field.name, spelled(field.type)]
    if field.primary:
        parts.append("primary")
    elif field.not_null and not field.generated:
        parts.append("not null")
    if field.generated:
        parts.append(field.generated)
    if field.unique:
        parts.append("unique")
    if field.reference is not None:
        parts.append(f"references {field.reference.entity}.{field.reference.field}")
        for event, action in (("delete", field.reference.on_delete), ("update", field.reference.on_update)):
            if action:
                parts.append(f"on {event} {action}")
    text = " ".join(parts) + _default(field)
    for word, sql in (("check", field.check), ("backfill", field.backfill)):
        if sql:
            text += f" {word} " + value_text(m.Value("string", sql))
    return text


def _default(field: m.Field) -> str:
    return "" if field.default is None else f" default {value_text(field.default)}"


def _column(workspace: Workspace, entity: m.Entity, name: str) -> str:
    field = entity.fields[name]
    lines = [f"- column: `{'.'.join(entity.table)}.{name}`"]
    if field.type.known or field.type.base:
        lines.append(f"- PostgreSQL: `{_sql(workspace, field)}`")
    if name in entity.key and len(entity.key) > 1:
        lines.append(f"- part of the key `{', '.join(entity.key)}`")
    for word, own in (
        ("soft_delete", entity.soft_delete),
        ("touch_on_update", entity.touch_on_update),
        ("ttl_field", entity.ttl_field),
        ("partition", entity.partition),
    ):
        if own == name:
            lines.append(f"- `{word}` of the entity")
    indexes = sum(any(column_.field == name for column_ in index.columns) for index in entity.indexes)
    if indexes:
        lines.append(f"- in {indexes} index{'es' if indexes > 1 else ''}")
    return "\n".join(lines)


def _sql(workspace: Workspace, field: m.Field) -> str:
    if field.type.enum:
        found = workspace.index.at(("enum", field.type.enum))
        if found:
            symbol = found[0].symbol
            enum = m.Enum(field.type.enum, (), symbol.type_name)  # type: ignore[union-attr]
            return column(field, {field.type.enum: enum})
        return spelled(field.type)
    return column(field) if field.type.known else postgres_type(field.type)


def _step(model: m.Workflow, name: str) -> str:
    lines = []
    for at, step in enumerate(model.steps, 1):
        if step.name == name:
            lines.append(f"- step {at} of {len(model.steps)}, runs the job `{step.job}`")
    undo = model.compensations.get(name)
    if undo is not None:
        lines.append(f"- undone by the job `{undo.job}`")
    return "\n".join(lines)
