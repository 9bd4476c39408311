"""The schema's JSON: what is written is read back, the JSON Schema agrees, and nothing else gets in."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass, replace
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atl.schema import model as m
from atl.schema.canonical import SchemaError, digest, digests, dump, json_schema, load
from tests.schema.models import schemas

VALIDATOR = jsonschema.Draft202012Validator(json_schema())


@settings(max_examples=150, deadline=None)
@given(schemas())
def test_what_is_written_is_read_back(schema: m.Schema) -> None:
    text = dump(schema)
    again = load(text)
    assert again == schema
    assert dump(again) == text
    assert digest(again) == digest(schema)
    VALIDATOR.validate(json.loads(text))


def test_the_json_schema_is_one() -> None:
    jsonschema.Draft202012Validator.check_schema(json_schema())


def _keys(described: Any) -> list[str]:
    if isinstance(described, dict):
        undocumented = [key for key, each in described.get("properties", {}).items() if "description" not in each]
        return undocumented + [key for each in described.values() for key in _keys(each)]
    return [key for each in described for key in _keys(each)] if isinstance(described, list) else []


def test_every_key_is_documented() -> None:
    assert set(_keys(json_schema())) <= {"step", "raw", "now", "parameter"}


def test_every_attribute_of_the_model_is_written() -> None:
    """Two schemas that differ in one attribute have different texts."""
    field = m.Field("id", m_type("bigint"), True, True)
    other = m.Field("other", m_type("text"))
    entity = m.Entity("s.E", {"id": field, "other": other}, ("id",), ("a", "e"))
    job = m.Job("s.J", {"a": other})
    ephemeral = m.Ephemeral("s.P", {"other": other}, "")
    changed = {
        "entity": [
            (entity, replace(entity, **{name: value}))
            for name, value in {
                "table": ("a", "f"),
                "hyper": True,
                "soft_delete": "other",
                "touch_on_update": "other",
                "ttl_field": "other",
                "partition": "other",
                "query_timeout_ms": 5,
                "cache": m.Cache(None, None, (), ""),
                "renamed_from": "D",
                "unique_by": (("id", "other"),),
                "indexes": (m.Index("btree", (m.IndexColumn("id", ""),)),),
                "checks": (m.Check("", "true"),),
                "relations": (m.Relation("has_one", "r", "s.E", "id"),),
                "key": ("id", "other"),
            }.items()
        ]
        + [
            (entity, replace(entity, fields={"id": field, "other": replace(other, **{name: value})}))
            for name, value in {
                "type": m_type("int"),
                "not_null": True,
                "unique": True,
                "generated": "serial",
                "default": m.Value("now", ""),
                "reference": m.Reference("s.E", "id"),
                "check": "true",
                "backfill": "1",
                "renamed_from": "old",
            }.items()
        ],
        "job": [
            (job, replace(job, **{name: value}))
            for name, value in {
                "args": {},
                "retries": 1,
                "timeout_ms": None,
                "heartbeat_ms": 1,
                "queue": "q",
                "schedule": "* * * * *",
                "visible_to": "me",
                "renamed_from": "I",
            }.items()
        ],
        "ephemeral": [(ephemeral, replace(ephemeral, ttl_ms=1))],
    }
    plural = {"entity": "entities", "job": "jobs", "ephemeral": "ephemerals"}
    for kind, pairs in changed.items():
        for before, after in pairs:
            a, b = (m.Schema(**{plural[kind]: {each.id: each}}) for each in (before, after))
            assert dump(a) != dump(b)
            assert digest(a) != digest(b)
    covered = {name for before, after in changed["entity"] for name in _changed(before, after)}
    assert covered >= {f.name for f in fields(m.Entity) if f.compare} - {
        "id",
        "keyless",
        "time_field",
        "chunk_interval_ms",
    }
    assert {name for before, after in changed["job"] for name in _changed(before, after)} == {
        f.name for f in fields(m.Job) if f.compare
    } - {"id"}


def _changed(before: Any, after: Any) -> list[str]:
    assert is_dataclass(before)
    return [f.name for f in fields(before) if f.compare and getattr(before, f.name) != getattr(after, f.name)]


def m_type(text: str) -> Any:
    from atl.schema.types import parse_type

    return parse_type(text)


def test_the_order_of_labels_does_not_count() -> None:
    a, b = (m.Schema(enums={"s.E": m.Enum("s.E", labels, ("a", "e"))}) for labels in (("x", "y"), ("y", "x")))
    assert a == b
    assert digest(a) == digest(b)
    assert load(dump(b)).enums["s.E"].labels == ("y", "x")


def document(**parts: Any) -> dict[str, Any]:
    return {"version": 1, **parts}


GOOD_ENTITY = {"fields": {"id": {"type": "bigint", "primary": True}}}


def test_a_short_document_is_filled_in() -> None:
    schema = load(json.dumps(document(entities={"shop.OrderLine": GOOD_ENTITY}, jobs={"shop.J": {}})))
    assert schema.entities["shop.OrderLine"].table == ("atlantis", "shop_order_line")
    assert schema.entities["shop.OrderLine"].key == ("id",)
    assert schema.entities["shop.OrderLine"].fields["id"].not_null
    assert schema.jobs["shop.J"] == m.Job("shop.J", {})


WRONG = {
    "no version": {},
    "another version": {"version": 2},
    "a version that is a flag": {"version": True},
    "an unknown key": document(tables={}),
    "a list": document(entities=[]),
    "an id without namespace": document(entities={"Order": GOOD_ENTITY}),
    "an id of three parts": document(jobs={"a.b.c": {}}),
    "a missing key": document(entities={"a.B": {}}),
    "an unknown type": document(entities={"a.B": {"fields": {"id": {"type": "strin g"}}}}),
    "a type that is no text": document(entities={"a.B": {"fields": {"id": {"type": 5}}}}),
    "a flag that is a number": document(entities={"a.B": {"fields": {"id": {"type": "int", "unique": 1}}}}),
    "a NUL": document(jobs={"a.B": {"queue": "a\0"}}),
    "a name with a quote": document(jobs={"a.B": {"args": {'x"': {"type": "int"}}}}),
    "a negative duration": document(jobs={"a.B": {"heartbeat_ms": -1}}),
    "a fraction": document(jobs={"a.B": {"retries": 1.5}}),
    "a default of no kind": document(jobs={"a.B": {"args": {"x": {"type": "int", "default": {"raw": 1}}}}}),
    "a default of two kinds": document(
        jobs={"a.B": {"args": {"x": {"type": "int", "default": {"raw": "1", "now": True}}}}}
    ),
    "an unknown step": document(procedures={"a.B": {"for": "a.C", "steps": [{"step": "drop"}]}}),
    "a pair of three": document(
        procedures={"a.B": {"for": "", "steps": [{"step": "update", "entity": "a.C", "set": [["a", "b", "c"]]}]}}
    ),
    "an unknown action": document(
        entities={
            "a.B": {
                "fields": {"x": {"type": "int", "references": {"entity": "a.C", "field": "x", "on delete": "drop"}}}
            }
        }
    ),
    "labels twice": document(enums={"a.B": {"labels": ["x", "x"]}}),
}
# What the JSON Schema cannot say.
WRONG_TOGETHER = {
    "two primary fields": document(
        entities={"a.B": {"fields": {"x": {"type": "int", "primary": True}, "y": {"type": "int", "primary": True}}}}
    ),
    "a key beside a primary field": document(entities={"a.B": {**GOOD_ENTITY, "key": ["id", "x"]}}),
    "keyless with a key": document(entities={"a.B": {**GOOD_ENTITY, "keyless": True}}),
    "an index column of two kinds": document(
        entities={"a.B": {**GOOD_ENTITY, "indexes": [{"kind": "btree", "by": [{"field": "id", "expr": "1"}]}]}}
    ),
    "a time field of no hypertable": document(entities={"a.B": {**GOOD_ENTITY, "on": "id"}}),
    "several keys of an ephemeral": document(
        ephemerals={"a.B": {"fields": {"x": {"type": "int", "primary": True}, "y": {"type": "int", "primary": True}}}}
    ),
}


@pytest.mark.parametrize("what", WRONG)
def test_wrong_documents_are_refused(what: str) -> None:
    with pytest.raises(SchemaError):
        load(json.dumps(WRONG[what]))
    # NUL is a character like any other to JSON Schema.
    assert what == "a NUL" or not VALIDATOR.is_valid(WRONG[what])


@pytest.mark.parametrize("what", WRONG_TOGETHER)
def test_documents_that_contradict_themselves_are_refused(what: str) -> None:
    with pytest.raises(SchemaError):
        load(json.dumps(WRONG_TOGETHER[what]))


@pytest.mark.parametrize(
    "text",
    [
        "",
        "null",
        "[]",
        "{",
        '{"version": 1, "version": 1}',
        '{"version": NaN}',
        '{"version": 1e0}',
        '{"version": ' + "9" * 5000 + "}",
        "[" * 100_000,
        '{"a":' * 50_000,
        '{"version": 1, "jobs": ' + "[" * 40 + "]" * 40 + "}",
        '"' + "\\" * 99_999,
        '{"version": 1, "jobs": {"a.b": {"queue": "\ud800"}}} x',
    ],
)
def test_hostile_texts_give_one_kind_of_error(text: str) -> None:
    with pytest.raises(SchemaError):
        load(text)


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["fields", "id", "type", "version", "entities", "a.B", "raw", "steps"]), inner
        )
    ),
    max_leaves=20,
)


@settings(max_examples=200, deadline=None)
@given(_json, st.sampled_from(["entities", "enums", "queries", "procedures", "jobs", "workflows", "ephemerals"]))
def test_whatever_is_loaded_is_a_schema_or_an_error(data: Any, kind: str) -> None:
    text = json.dumps({"version": 1, kind: {"a.B": data}})
    try:
        schema = load(text)
    except SchemaError:
        return
    assert load(dump(schema)) == schema


@settings(max_examples=50, deadline=None)
@given(schemas(), st.data())
def test_a_damaged_document_is_a_schema_or_an_error(schema: m.Schema, data: st.DataObject) -> None:
    text = dump(schema)
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.sampled_from(["", "}", "0", '"', "[", "null", "\0"])) + text[at + 1 :]
    try:
        again = load(damaged)
    except SchemaError:
        return
    assert load(dump(again)) == again


@settings(max_examples=60, deadline=None)
@given(schemas(), schemas())
def test_digests_of_several_schemas_are_those_of_each(a: m.Schema, b: m.Schema) -> None:
    mixed = replace(a, entities={**b.entities, **a.entities}, enums={**a.enums, **b.enums})
    assert digests(a, b, mixed, a) == [digest(each) for each in (a, b, mixed, a)]
