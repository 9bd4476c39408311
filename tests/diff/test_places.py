"""Each value of a schema, wherever it stands, altered alone: a change comes of it, or it stands in a table why not.

Where a row of `attributes` shows one place of an attribute, this finds the places that a comparison has forgotten: a
new attribute of a field has to count in entities, arguments, inputs, outputs, states and ephemerals alike.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from atl.diff import diff
from atl.schema import model as m
from atl.schema.types import Type
from tests.diff.attributes import ATTRIBUTES, BASE
from tests.diff.reading import schema

# Attributes that say nothing of their own; those of `attributes` that have a sentence in place of rows are among them.
SILENT = {name for name, rows in ATTRIBUTES.items() if isinstance(rows, str)} - {"Enum.labels"} | {
    "Enum.label_set",  # follows from the labels
    "Type.known",  # of a type in error
}

STORED = {"unique", "generated", "reference", "backfill"}
"""Modifiers of rows that are stored: no other field can have them."""

ONLY_IN = {
    **{f"Field.{name}": ("entities",) for name in STORED},
    "Field.primary": (),  # follows from the key
    "Field.check": ("entities", "jobs", "workflows", "ephemerals"),
}
"""Where the language has an attribute, when it is not everywhere."""

IMPOSSIBLE: dict[str, Callable[[Any], bool]] = {
    "Field.unique": lambda field: field.primary,
    "IndexColumn.field": lambda column: column.expression != "",
    "IndexColumn.expression": lambda column: column.field != "",
    "Argument.parameter": lambda argument: argument.value is not None,
    "Argument.value": lambda argument: argument.parameter != "",
}
"""Of what an attribute cannot be altered alone."""

SAMPLES: dict[str, Any] = {
    "default": m.Value("integer", "7"),
    "reference": m.Reference("shop.Person", "id"),
    "cache": m.Cache(1000, "t", (), ""),
    "value": m.Value("integer", "7"),
    "tag": "t",
}


WORDS = {"on_delete": "set null", "on_update": "set null", "generated": "serial"}
"""Of attributes that have only certain words."""


def altered(name: str, value: Any) -> Iterator[Any]:
    """Other values in the place of one."""
    match value:
        case None:
            yield SAMPLES.get(name, 1000)
        case bool():
            yield not value
        case int():
            yield value + 1
        case str():
            yield WORDS.get(name, f"{value}x" if value else "x")
        case frozenset() | m.Value() | m.Reference() | m.Cache():
            pass
        case Mapping() if value:
            yield dict(list(value.items())[:-1])
        case tuple() if value and not isinstance(value, Type):
            # Names are altered, since a table has two of them.
            yield (*value[:-1], f"{value[-1]}x") if isinstance(value[-1], str) else value[:-1]
        case _:
            pass
    if name in ("default", "reference", "cache", "value") and value is not None:
        yield None


def variants(value: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """(`Class.attribute`, the whole with that one place altered)."""
    if isinstance(value, Type):
        for field in Type._fields:
            for other in altered(field, getattr(value, field)):
                yield f"Type.{field}", value._replace(**{field: other})
    elif isinstance(value, Mapping):
        for key, each in value.items():
            # What stands in a map is called as its key says.
            yield from (
                (what, {**value, key: other}) for what, other in variants(each) if not what.endswith("Step.name")
            )
    elif isinstance(value, tuple):
        for at, each in enumerate(value):
            yield from ((what, (*value[:at], other, *value[at + 1 :])) for what, other in variants(each))
    elif dataclasses.is_dataclass(value) and not isinstance(value, type):
        for each in dataclasses.fields(value):
            held, what = getattr(value, each.name), f"{type(value).__name__}.{each.name}"
            if not each.init:
                continue
            if what not in IMPOSSIBLE or not IMPOSSIBLE[what](value):
                yield from ((what, dataclasses.replace(value, **{each.name: o})) for o in altered(each.name, held))
            yield from ((w, dataclasses.replace(value, **{each.name: o})) for w, o in variants(held, each.name))


def test_every_place() -> None:
    base = schema(BASE)
    forgotten: list[str] = []
    seen: set[str] = set()
    for kind in (field.name for field in dataclasses.fields(m.Schema)):
        for id, declared in getattr(base, kind).items():
            for what, other in variants(declared):
                seen.add(what)
                if what in SILENT or kind not in ONLY_IN.get(what, (kind,)):
                    continue
                new = dataclasses.replace(base, **{kind: {**getattr(base, kind), id: other}})
                if not diff(base, new).changes:
                    forgotten.append(f"{what} in {id}")
    assert forgotten == []
    classes = {"Type", *(name.split(".")[0] for name in ATTRIBUTES)} - {"Schema"}
    assert {name.split(".")[0] for name in seen} == classes
