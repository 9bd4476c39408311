"""Fields, arguments, inputs and outputs in the schema's JSON: the keys of each, and what they mean."""

from __future__ import annotations

from typing import Any

from atl.schema import model as m
from atl.schema.canonical.codec import (
    ANY_TEXT,
    FLAG,
    NAME,
    REFERENCE,
    Choice,
    Object,
    Row,
)
from atl.schema.canonical.values import TYPE, VALUE

__all__ = ["ARGUMENT", "ENTRY", "FIELD", "INPUT", "OUTPUT", "RENAMED"]


def _settle_field(attributes: dict[str, Any], path: str) -> None:
    if attributes.get("primary"):
        attributes["unique"] = False
    if attributes.get("primary") or attributes.get("generated"):
        attributes["not_null"] = True


def _implied(field: m.Field) -> frozenset[str]:
    return frozenset({"not_null"}) if field.primary or field.generated else frozenset()


TYPE_ROW = Row("type", "type", TYPE, "The type, an enum's by its id.")
NOT_NULL = Row("not_null", "not null", FLAG, "It cannot be null; implied by `primary` and `generated`.", False)
PRIMARY = Row("primary", "primary", FLAG, "It alone is the key.", False)
DEFAULT = Row("default", "default", VALUE, "What it is when nothing is given.", None)
CHECK = Row("check", "check", ANY_TEXT, "SQL that holds for every value, as written.", "")
RENAMED = Row("renamed_from", "renamed from", ANY_TEXT, "The old name in its hint.", "")

_ACTION = Choice(("", "cascade", "restrict", "set null"))
_REFERENCE = Object(
    "reference",
    "A foreign key.",
    m.Reference,
    (
        Row("entity", "entity", REFERENCE, "Id of the entity."),
        Row("field", "field", ANY_TEXT, "The field, which is unique."),
        Row("on_delete", "on delete", _ACTION, "What happens when the target is deleted.", ""),
        Row("on_update", "on update", _ACTION, "What happens when the target's value changes.", ""),
    ),
)
FIELD = Object(
    "field",
    "A column.",
    m.Field,
    (
        TYPE_ROW,
        NOT_NULL,
        PRIMARY,
        Row("unique", "unique", FLAG, "It is unique by itself.", False),
        Row("generated", "generated", Choice(("identity", "serial")), "What fills it.", ""),
        DEFAULT,
        Row("reference", "references", _REFERENCE, "What it points at.", None),
        CHECK,
        Row("backfill", "backfill", ANY_TEXT, "SQL that fills existing rows, as written.", ""),
        RENAMED,
    ),
    named="name",
    settle=_settle_field,
    implied=_implied,
)
ARGUMENT = Object(
    "argument", "An argument or state field.", m.Field, (TYPE_ROW, NOT_NULL, DEFAULT, CHECK), named="name"
)
ENTRY = Object(
    "entry",
    "A field of an ephemeral.",
    m.Field,
    (TYPE_ROW, NOT_NULL, PRIMARY, DEFAULT, CHECK),
    named="name",
    settle=_settle_field,
    implied=_implied,
)
INPUT = Object("input", "An input.", m.Field, (TYPE_ROW, DEFAULT), named="name", fixed={"not_null": True})
OUTPUT = Object("output", "An output.", m.Field, (Row("name", "name", NAME, "Its name."), TYPE_ROW))
