"""Queries, procedures, jobs, workflows and ephemerals in the schema's JSON: the keys of each, and what they mean."""

from __future__ import annotations

from typing import Any

from atl.schema import model as m
from atl.schema.canonical.codec import (
    ANY_TEXT,
    NAME,
    REFERENCE,
    ListOf,
    MapOf,
    Nullable,
    Object,
    Pairs,
    Row,
    SchemaError,
    Tagged,
    Whole,
)
from atl.schema.canonical.entities import CACHE
from atl.schema.canonical.fields import ARGUMENT, ENTRY, INPUT, OUTPUT, RENAMED
from atl.schema.canonical.values import ARGUMENTS, MILLISECONDS

__all__ = ["EPHEMERAL", "JOB", "PROCEDURE", "QUERY", "WORKFLOW"]

_SQL = Object(
    "sql",
    "A block of SQL.",
    m.SqlStep,
    (
        Row("touches", "touches", ListOf(REFERENCE, order=lambda id: id, unique=True), "Ids of the entities it names."),
        Row("sql", "sql", ANY_TEXT, "The SQL, as written."),
    ),
)
_WRITE_ROWS = (
    Row("entity", "entity", REFERENCE, "Id of the entity."),
    Row("sets", "set", Pairs(2, True), "Columns with their values.", ()),
    Row("conditions", "where", Pairs(3), "Left side, operator, right side; all of them hold.", ()),
)
_STEP = Tagged(
    "step",
    {
        "sql": _SQL,
        **{
            kind: Object(kind, f"A typed {kind}.", m.WriteStep, _WRITE_ROWS, fixed={"kind": kind})
            for kind in ("update", "insert", "delete")
        },
        "enqueue": Object(
            "enqueue",
            "Enqueues a job.",
            m.EnqueueStep,
            (
                Row("job", "job", REFERENCE, "Id of the job."),
                Row("args", "args", ARGUMENTS, "Its arguments.", ()),
            ),
        ),
    },
    lambda step: step.kind if isinstance(step, m.WriteStep) else "sql" if isinstance(step, m.SqlStep) else "enqueue",
)
_FOR = Row("owner", "for", REFERENCE, "Id of the entity that it is for.")
_INPUTS = Row("inputs", "input", MapOf(INPUT), "Its inputs by name.", {})
QUERY = Object(
    "query",
    "A query.",
    m.Query,
    (
        _FOR,
        _INPUTS,
        Row("output_entity", "output as", REFERENCE, "Id of the entity whose columns it gives.", ""),
        Row("outputs", "output", ListOf(OUTPUT), "The columns that it gives, in order.", ()),
        Row("block", "sql", _SQL, "Its SQL."),
        Row("cache", "cache", CACHE, "What of it is cached.", None),
    ),
    named="id",
)
PROCEDURE = Object(
    "procedure",
    "A procedure.",
    m.Procedure,
    (
        _FOR,
        _INPUTS,
        Row("steps", "steps", ListOf(_STEP), "Its steps, in order.", (), True),
        Row("invalidate_tag", "invalidate", ANY_TEXT, "The tag that it makes invalid.", ""),
    ),
    named="id",
)
JOB = Object(
    "job",
    "A job.",
    m.Job,
    (
        Row("args", "args", MapOf(ARGUMENT), "Its arguments by name.", {}),
        Row("retries", "retries", Whole(), "Attempts before the dead-letter queue.", 0, True),
        Row("timeout_ms", "timeout_ms", Nullable(Whole(1)), "Deadline of an attempt; null: none.", 1_800_000, True),
        Row("heartbeat_ms", "heartbeat_ms", MILLISECONDS, "How long a claim lives without a sign.", 300_000, True),
        Row("queue", "queue", ANY_TEXT, "The worker pool.", "default", True),
        Row("schedule", "schedule", Nullable(ANY_TEXT, ""), "Five cron fields; null: never.", "", True),
        Row("visible_to", "visible_to", ANY_TEXT, "Who may submit and claim it; `*`: anyone.", "*", True),
        RENAMED,
    ),
    named="id",
)
_RUN_ROWS = (
    Row("job", "job", REFERENCE, "Id of the job."),
    Row("args", "args", ARGUMENTS, "Its arguments.", ()),
)
WORKFLOW = Object(
    "workflow",
    "A workflow.",
    m.Workflow,
    (
        Row("state", "state", MapOf(ARGUMENT), "Its state fields by name.", {}),
        Row(
            "steps",
            "steps",
            ListOf(Object("step", "A step.", m.WorkflowStep, (Row("name", "name", NAME, "Its name."), *_RUN_ROWS))),
            "Its steps, in order.",
        ),
        Row(
            "compensations",
            "compensate",
            MapOf(Object("compensation", "Undoes a step.", m.WorkflowStep, _RUN_ROWS, named="name")),
            "Its compensations by step.",
            {},
        ),
    ),
    named="id",
)


def _settle_ephemeral(attributes: dict[str, Any], path: str) -> None:
    keys = [name for name, field in attributes["fields"].items() if field.primary]
    if len(keys) > 1:
        raise SchemaError(path, "several fields are `primary`")
    attributes["key"] = keys[0] if keys else ""


EPHEMERAL = Object(
    "ephemeral",
    "An ephemeral.",
    m.Ephemeral,
    (
        Row("fields", "fields", MapOf(ENTRY), "Its fields by name."),
        Row("ttl_ms", "ttl_ms", MILLISECONDS, "How long an entry lives.", 86_400_000, True),
    ),
    named="id",
    settle=_settle_ephemeral,
)
