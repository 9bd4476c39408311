"""What hovers say of a declaration."""

from __future__ import annotations

import pytest

from atl.schema import model as m
from atl.schema.build import build
from atl.schema.facts import Declared, Fact, column, duration_text, facts, value_text
from atl.source import SourceFile
from atl.syntax.parser import parse


def schema(text: str) -> m.Schema:
    return build([parse(SourceFile("a.atl", text))])


def told(declared: Declared) -> dict[str, str]:
    return {fact.name: fact.value for fact in facts(declared)}


@pytest.mark.parametrize(
    ("ms", "text"),
    [(None, "none"), (1, "1ms"), (1500, "1500ms"), (90_000, "90s"), (5_400_000, "90m"), (86_400_000, "1d"), (0, "0ms")],
)
def test_durations(ms: int | None, text: str) -> None:
    assert duration_text(ms) == text


def test_a_job_with_its_defaults() -> None:
    job = schema("job Ping in web { timeout 90s }").jobs["web.Ping"]
    assert facts(job) == (
        Fact("retries", "0", True),
        Fact("timeout", "90s", False),
        Fact("heartbeat", "5m, a sign of life every 100s", True),
        Fact("queue", '"default"', True),
        Fact("schedule", "never", True),
        Fact("visible_to", '"*"', True),
    )


def test_the_others() -> None:
    built = schema(
        "entity E in s { id bigint primary  gone timestamptz  soft_delete by gone  query_timeout = 2s\n"
        '  cache { read_through ttl = 5m tag = "e:{id}" } }\n'
        "hypertable H in s on at { keyless  at timestamptz not null  chunk_time_interval 7d }\n"
        "enum T in s { a, b }\nephemeral P in s { k text primary }\n"
        "query Q for E { output as E  sql touches(E) { SELECT 1 } }\n"
        "procedure R for E { steps { enqueue J()  enqueue J() } }\njob J in s { }\n"
        "workflow W in s { step a { job J } step b { job J } step c { job J } "
        "compensate a { job J } compensate b { job J } }\n"
    )
    assert told(built.entities["s.E"]) == {
        "table": "atlantis.s_e",
        "key": "id",
        "soft_delete": "gone",
        "query_timeout": "2s",
        "cache": "5m, tag e:{id}",
    }
    assert told(built.entities["s.H"])["key"] == "none: keyless"
    assert told(built.entities["s.H"])["chunk_time_interval"] == "7d"
    assert told(built.enums["s.T"]) == {"type": "atlantis.s_t", "labels": "2"}
    assert facts(built.ephemerals["s.P"])[1] == Fact("ttl", "1d", True)
    assert told(built.queries["s.Q"]) == {"for": "s.E", "output": "s.E", "touches": "s.E"}
    assert told(built.procedures["s.R"]) == {"for": "s.E", "steps": "2", "enqueues": "s.J"}
    assert told(built.workflows["s.W"]) == {"steps": "a → b → c", "compensate": "b → a"}


@pytest.mark.parametrize(
    ("field", "sql"),
    [
        ("f bigint identity", "BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY"),
        ("f int serial unique", "INTEGER NOT NULL DEFAULT nextval(...) UNIQUE"),
        ('f varchar(5) not null default "it\'s"', "VARCHAR(5) NOT NULL DEFAULT 'it''s'"),
        ("f timestamptz default now()", "TIMESTAMPTZ DEFAULT now()"),
        ('f uuid default raw "gen_random_uuid()"', "UUID DEFAULT gen_random_uuid()"),
        ("f numeric(8, 2) default 5", "NUMERIC(8,2) DEFAULT 5"),
        ("f T", "atlantis.s_t"),
        ("f t.Other", "t.Other"),
        ("f []text", "TEXT[]"),
    ],
)
def test_columns(field: str, sql: str) -> None:
    built = schema(f"entity E in s {{ id int primary\n  {field}\n}}\nenum T in s {{ a }}\n")
    entity = built.entities["s.E"]
    assert column(entity.fields["f"], dict(built.enums)) == sql
    assert column(entity.fields["id"]) == "INTEGER NOT NULL PRIMARY KEY"


def test_values_are_shown_as_written() -> None:
    field = schema('entity E in s { id text default "a\\"\\n\\\\" primary }').entities["s.E"].fields["id"]
    assert field.default is not None
    assert value_text(field.default) == '"a\\"\\n\\\\"'
    assert value_text(m.Value("raw", "x")) == 'raw "x"'
    assert value_text(m.Value("now", "")) == "now()"
