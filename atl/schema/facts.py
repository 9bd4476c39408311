"""What a declaration is in effect: physical names and types, defaults filled in, durations as people write them.

Hovers show these facts, plans and pages name them; they say nothing that a change of layout could change.
"""

from __future__ import annotations

from typing import TypeAlias

from atl.closed import assert_never
from atl.records import NamedTuple
from atl.schema import model as m
from atl.schema.types import postgres_type, spelled

__all__ = ["Declared", "Fact", "column", "duration_text", "facts", "value_text"]

Declared: TypeAlias = "m.Entity | m.Enum | m.Query | m.Procedure | m.Job | m.Workflow | m.Ephemeral"

_UNITS = (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000))


class Fact(NamedTuple):
    """name: a word of the language where there is one (`retries`). usual: it is what holds when nothing is written."""

    name: str
    value: str
    usual: bool = False


def duration_text(ms: int | None) -> str:
    """A duration in its largest whole unit (`90m`, `1d`, `1500ms`); `none` for None."""
    if ms is None:
        return "none"
    for unit, size in _UNITS:
        if ms and ms % size == 0:
            return f"{ms // size}{unit}"
    return f"{ms}ms"


def value_text(value: m.Value) -> str:
    """A default or argument as it is written in a declaration."""
    match value.kind:
        case "string" | "raw":
            escaped = value.text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n").replace("\t", "\\t")
            return f'raw "{escaped}"' if value.kind == "raw" else f'"{escaped}"'
        case "now":
            return "now()"
        case _:
            return value.text


def column(field: m.Field, enums: dict[str, m.Enum] | None = None) -> str:
    """A field as PostgreSQL has it: type, nullability, what fills it. An enum that `enums` does not have is shown by
    its id."""
    enum = (enums or {}).get(field.type.enum)
    if field.type.base:
        parts = [postgres_type(field.type)]
    else:
        parts = [".".join(enum.type_name) if enum is not None else spelled(field.type)]
    if field.not_null:
        parts.append("NOT NULL")
    if field.generated == "identity":
        parts.append("GENERATED ALWAYS AS IDENTITY")
    elif field.generated == "serial":
        parts.append("DEFAULT nextval(...)")
    elif field.default is not None:
        parts.append(f"DEFAULT {_default_sql(field.default)}")
    if field.primary:
        parts.append("PRIMARY KEY")
    elif field.unique:
        parts.append("UNIQUE")
    return " ".join(parts)


def _default_sql(value: m.Value) -> str:
    match value.kind:
        case "string":
            return "'" + value.text.replace("'", "''") + "'"
        case "now":
            return "now()"
        case _:
            return value.text


def facts(declared: Declared) -> tuple[Fact, ...]:
    """The facts of a declaration, the most telling first. Members (fields, arguments, steps) are not among them."""
    match declared:
        case m.Entity():
            return tuple(_entity(declared))
        case m.Enum():
            return (Fact("type", ".".join(declared.type_name)), Fact("labels", str(len(declared.labels))))
        case m.Query():
            output = declared.output_entity or ", ".join(field.name for field in declared.outputs)
            found = [Fact("for", declared.owner), Fact("output", output)]
            found.append(Fact("touches", ", ".join(declared.block.touches)))
            return tuple(found + _cache(declared.cache))
        case m.Procedure():
            found = [Fact("for", declared.owner), Fact("steps", str(len(declared.steps)))]
            enqueued = dict.fromkeys(step.job for step in declared.steps if isinstance(step, m.EnqueueStep))
            if enqueued:
                found.append(Fact("enqueues", ", ".join(enqueued)))
            return tuple(found)
        case m.Job():
            return tuple(_job(declared))
        case m.Workflow():
            steps = [step.name for step in declared.steps]
            undone = [name for name in reversed(steps) if name in declared.compensations]
            found = [Fact("steps", " → ".join(steps))]
            if undone:
                found.append(Fact("compensate", " → ".join(undone)))
            return tuple(found)
        case m.Ephemeral():
            usual = declared.ttl_ms == m.Ephemeral.__dataclass_fields__["ttl_ms"].default
            key = Fact("key", declared.key or "outside the value", declared.key == "")
            return (key, Fact("ttl", duration_text(declared.ttl_ms), usual))
        case _:
            assert_never(declared)


def _entity(entity: m.Entity) -> list[Fact]:
    found = [Fact("table", ".".join(entity.table)), Fact("key", ", ".join(entity.key) or "none: keyless")]
    if entity.hyper:
        found.append(Fact("hypertable on", entity.time_field))
        if entity.chunk_interval_ms is not None:
            found.append(Fact("chunk_time_interval", duration_text(entity.chunk_interval_ms)))
    for name, field in (
        ("soft_delete", entity.soft_delete),
        ("touch_on_update", entity.touch_on_update),
        ("ttl_field", entity.ttl_field),
        ("partition", entity.partition),
    ):
        if field:
            found.append(Fact(name, field))
    if entity.query_timeout_ms is not None:
        found.append(Fact("query_timeout", duration_text(entity.query_timeout_ms)))
    return found + _cache(entity.cache)


def _cache(cache: m.Cache | None) -> list[Fact]:
    if cache is None or cache.ttl_ms is None:
        return []
    tag = f", tag {cache.tag}" if cache.tag else ""
    return [Fact("cache", f"{duration_text(cache.ttl_ms)}{tag}")]


def _job(job: m.Job) -> list[Fact]:
    usual = m.Job(job.id, {})
    signal = f"{duration_text(job.heartbeat_ms)}, a sign of life every {duration_text(job.heartbeat_ms // 3)}"
    return [
        Fact("retries", str(job.retries), job.retries == usual.retries),
        Fact("timeout", duration_text(job.timeout_ms), job.timeout_ms == usual.timeout_ms),
        Fact("heartbeat", signal, job.heartbeat_ms == usual.heartbeat_ms),
        Fact("queue", f'"{job.queue}"', job.queue == usual.queue),
        Fact("schedule", f'"{job.schedule}"' if job.schedule else "never", not job.schedule),
        Fact("visible_to", f'"{job.visible_to}"', job.visible_to == usual.visible_to),
    ]
