"""Entities and enums in the schema's JSON: the keys of each, and what they mean."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from atl.schema import model as m
from atl.schema.canonical.codec import (
    ANY_TEXT,
    FLAG,
    NAME,
    REFERENCE,
    Choice,
    ListOf,
    MapOf,
    Object,
    Row,
    SchemaError,
    Text,
)
from atl.schema.canonical.fields import FIELD, RENAMED
from atl.schema.canonical.values import MILLISECONDS, PHYSICAL
from atl.schema.naming import default_physical

__all__ = ["CACHE", "ENTITY", "ENUM"]


def _settle_index_column(attributes: dict[str, Any], path: str) -> None:
    if attributes["field"] and attributes["expression"]:
        raise SchemaError(path, "both `field` and `expr` are given")


_INDEX_COLUMN = Object(
    "index column",
    "A field or an expression.",
    m.IndexColumn,
    (
        Row("field", "field", NAME, "The field.", ""),
        Row("expression", "expr", ANY_TEXT, "SQL, as written.", ""),
        Row("descending", "desc", FLAG, "Greatest first.", False),
    ),
    settle=_settle_index_column,
)
_INDEX = Object(
    "index",
    "An index.",
    m.Index,
    (
        Row("kind", "kind", Choice(("btree", "hnsw", "gin")), "The access method."),
        Row("columns", "by", ListOf(_INDEX_COLUMN, least=1), "What is indexed, in order."),
        Row("unique", "unique", FLAG, "Rows that the predicate holds for are unique.", False),
        Row("predicate", "where", ANY_TEXT, "SQL: which rows are indexed.", ""),
        Row("ops", "ops", Choice(("", "cosine", "l2", "ip")), "The distance of a vector index.", ""),
    ),
)
_ENTITY_CHECK = Object(
    "check",
    "A check of an entity.",
    m.Check,
    (
        Row("name", "as", Text(), "Its name.", ""),
        Row("expression", "check", ANY_TEXT, "SQL that holds for every row, as written."),
    ),
)
_RELATION = Object(
    "relation",
    "A relation, which has no effect.",
    m.Relation,
    (
        Row("kind", "kind", Choice(("has_many", "has_one")), "How many."),
        Row("name", "name", NAME, "Its name."),
        Row("target", "entity", REFERENCE, "Id of the entity."),
        Row("via", "via", NAME, "The field there that points here."),
    ),
)
_CACHE_WRITE = Object(
    "cache write",
    "A write that makes cached values invalid.",
    m.CacheWrite,
    (
        Row("entity", "entity", REFERENCE, "Id of the entity, or `self`."),
        Row("field", "field", NAME, "Its field that is compared.", ""),
        Row("own", "own", NAME, "The own field that it is compared with.", ""),
    ),
)
CACHE = Object(
    "cache",
    "What is cached.",
    m.Cache,
    (
        Row("ttl_ms", "ttl_ms", MILLISECONDS, "How long.", None),
        Row("tag", "tag", ANY_TEXT, "The tag, with `{field}` in it.", None),
        Row(
            "invalidate_on",
            "invalidate_on",
            ListOf(_CACHE_WRITE, order=lambda write: (write.entity, write.field, write.own), unique=True),
            "What makes it invalid.",
            (),
        ),
        Row("consistency", "consistency", Choice(("", "strict", "eventual")), "Has no effect.", ""),
    ),
)


def _settle_entity(attributes: dict[str, Any], path: str) -> None:
    fields: dict[str, m.Field] = attributes["fields"]
    alone = tuple(name for name, field in fields.items() if field.primary)
    key: tuple[str, ...] = attributes["key"] or alone
    if len(alone) > 1 or (alone and key != alone):
        raise SchemaError(path, "a `primary` field is the whole key")
    if attributes["keyless"] and key:
        raise SchemaError(path, "it is `keyless` and has a key")
    attributes["key"] = key
    for name in key:
        if name in fields:
            primary = key == (name,)
            unique = fields[name].unique and not primary
            fields[name] = replace(fields[name], not_null=True, primary=primary, unique=unique)
    attributes["table"] = attributes["table"] or default_physical(*attributes["id"].split("."))
    if not attributes["hyper"] and (attributes["time_field"] or attributes["chunk_interval_ms"] is not None):
        raise SchemaError(path, "only a hypertable has `on` and `chunk_time_interval_ms`")


def _implied_of_entity(entity: m.Entity) -> frozenset[str]:
    single = len(entity.key) == 1 and entity.key[0] in entity.fields
    return frozenset({"key"}) if single else frozenset()


_NAMES = ListOf(NAME, unique=True)
_POINTER = NAME
ENTITY = Object(
    "entity",
    "An entity or hypertable.",
    m.Entity,
    (
        Row("table", "table", PHYSICAL, "The table, with its PostgreSQL schema.", None, True),
        Row("fields", "fields", MapOf(FIELD), "Its fields by name."),
        Row("key", "key", _NAMES, "The fields of a key of several, in order.", ()),
        Row("keyless", "keyless", FLAG, "It has no key.", False),
        Row("hyper", "hypertable", FLAG, "It is a hypertable.", False),
        Row("time_field", "on", _POINTER, "The time field of a hypertable.", ""),
        Row("chunk_interval_ms", "chunk_time_interval_ms", MILLISECONDS, "The interval of its chunks.", None),
        Row(
            "unique_by",
            "unique by",
            ListOf(ListOf(NAME, order=lambda name: name, unique=True, least=2), order=lambda names: names, unique=True),
            "Sets of several fields that are unique.",
            (),
        ),
        Row("indexes", "indexes", ListOf(_INDEX, order=m.index_order), "Its indexes.", ()),
        Row(
            "checks",
            "checks",
            ListOf(_ENTITY_CHECK, order=lambda check: (check.name, check.expression)),
            "Its checks; those of single fields are at the field.",
            (),
        ),
        Row(
            "relations",
            "relations",
            ListOf(_RELATION, order=lambda each: (each.name, each.kind, each.target, each.via)),
            "Its relations.",
            (),
        ),
        Row("soft_delete", "soft_delete", _POINTER, "The field that marks a deleted row.", ""),
        Row("touch_on_update", "touch_on_update", _POINTER, "The field set at each update.", ""),
        Row("ttl_field", "ttl_field", _POINTER, "The field after which a row expires.", ""),
        Row("partition", "partition", _POINTER, "The field that separates tenants.", ""),
        Row("query_timeout_ms", "query_timeout_ms", MILLISECONDS, "The longest that a query may take.", None),
        Row("cache", "cache", CACHE, "What of it is cached.", None),
        RENAMED,
    ),
    named="id",
    settle=_settle_entity,
    implied=_implied_of_entity,
)


def _settle_enum(attributes: dict[str, Any], path: str) -> None:
    attributes["type_name"] = attributes["type_name"] or default_physical(*attributes["id"].split("."))


ENUM = Object(
    "enum",
    "An enum.",
    m.Enum,
    (
        Row("labels", "labels", ListOf(ANY_TEXT, unique=True), "Its labels, in order."),
        Row("type_name", "type", PHYSICAL, "The type, with its PostgreSQL schema.", None, True),
        Row("label_renames", "renamed labels", MapOf(ANY_TEXT, ANY_TEXT), "Old names of labels by their new ones.", {}),
        RENAMED,
    ),
    named="id",
    settle=_settle_enum,
)
