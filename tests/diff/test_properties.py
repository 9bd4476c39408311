"""Of any two schemas: there is a change if, and only if, they differ in more than hints."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings

from atl.diff import diff
from atl.diff.renames import find_renames
from atl.schema import model as m
from tests.schema.models import schemas


def unhinted(schema: m.Schema) -> m.Schema:
    """Without hints, and with the type names that follow from the ids."""

    def fields(held: m.Entity) -> dict[str, m.Field]:
        return {name: replace(f, renamed_from="") for name, f in held.fields.items()}

    return replace(
        schema,
        entities={id: replace(e, renamed_from="", fields=fields(e)) for id, e in schema.entities.items()},
        enums={
            id: replace(e, renamed_from="", label_renames={}, type_name=("atlantis", id))
            for id, e in schema.enums.items()
        },
        jobs={id: replace(j, renamed_from="") for id, j in schema.jobs.items()},
    )


@settings(max_examples=60, deadline=None)
@given(schemas(), schemas())
def test_changes_are_there_when_something_differs(old: m.Schema, new: m.Schema) -> None:
    bare_old, bare_new = unhinted(old), unhinted(new)
    assert bool(diff(bare_old, bare_new).changes) == (bare_old != bare_new)
    assert diff(bare_old, bare_old).changes == ()


@settings(max_examples=60, deadline=None)
@given(schemas(), schemas())
def test_hints_of_any_kind_are_taken(old: m.Schema, new: m.Schema) -> None:
    assert diff(old, old).changes == ()
    found = diff(old, new)
    renames = find_renames(old, new)
    renamed = {c.id for c in found.changes if c.kind == "entity_renamed"}
    assert renamed == set(renames.entities.values())
    assert all(c.cls.exit_code in (0, 1, 2, 4) for c in found.changes)
