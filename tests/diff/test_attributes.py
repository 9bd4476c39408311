"""Every attribute of the model makes a change of its kind, and nothing else does."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from atl.diff import diff
from atl.diff.kinds import KINDS
from atl.schema import model as m
from tests.diff.attributes import ATTRIBUTES, BASE, Row
from tests.diff.reading import schema

CLASSES = {cls.__name__: cls for cls in vars(m).values() if isinstance(cls, type) and dataclasses.is_dataclass(cls)}
ROWS = [(name, row) for name, rows in ATTRIBUTES.items() if not isinstance(rows, str) for row in rows]


def differing(old: Any, new: Any) -> Iterator[str]:
    """`Class.attribute` of everything that differs between two values of the model, at every depth."""
    if isinstance(old, Mapping) and isinstance(new, Mapping):
        for key in old.keys() & new.keys():
            yield from differing(old[key], new[key])
    elif isinstance(old, tuple) and isinstance(new, tuple):
        for a, b in zip(old, new, strict=False):
            yield from differing(a, b)
    elif dataclasses.is_dataclass(old) and type(old) is type(new):
        for each in dataclasses.fields(old):
            a, b = getattr(old, each.name), getattr(new, each.name)
            if a != b:
                yield f"{type(old).__name__}.{each.name}"
                yield from differing(a, b)


def test_every_attribute_has_its_rows() -> None:
    attributes = {f"{name}.{field.name}" for name, cls in CLASSES.items() for field in dataclasses.fields(cls)}
    assert attributes == set(ATTRIBUTES)


@pytest.mark.parametrize(("attribute", "row"), ROWS, ids=[f"{name}-{at}" for at, (name, _) in enumerate(ROWS)])
def test_attribute(attribute: str, row: Row) -> None:
    before, after, expected = row
    assert BASE.count(before) == 1, "the row edits more or less than one place"
    old, new = schema(BASE), schema(BASE.replace(before, after))
    assert attribute in set(differing(old, new))
    wanted = sorted(expected.split("; "))
    assert sorted(f"{c.kind} {c.id}.{c.member}".rstrip(".") for c in diff(old, new).changes) == wanted
    # The way back has its changes too, and a schema has none from itself.
    assert diff(new, old).changes != ()
    assert diff(new, new).changes == ()


def test_every_kind_occurs() -> None:
    """Of those kinds that a row cannot make alone, the other tests of this folder speak."""
    made = {part.split(" ")[0] for _, row in ROWS for part in row[2].split("; ")}
    renames = {kind for kind in KINDS if kind.endswith("_renamed")}
    elsewhere = {
        "field_type_narrowed",
        "field_scale_reduced",
        "field_type_changed",
        "reference_action_weakened",
        "field_unique_unset",
        "field_serial_unset",
        "field_identity_set",
        "job_arg_type_widened",
        "workflow_state_type_widened",
        "workflow_state_not_null_set",
    }
    assert set(KINDS) - made == renames | elsewhere
