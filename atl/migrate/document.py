"""A plan as JSON, for programs."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from atl.diff import Change, Class, Diff, Hazard
from atl.diff.kinds import KINDS
from atl.migrate.model import Lock, Plan

__all__ = ["VERSION", "as_json", "json_schema", "render", "summary"]

VERSION = 1


def summary(found: Diff) -> dict[str, int]:
    """How many changes are of each class that there is one of, weakest first."""
    counts = Counter(change.cls for change in found.changes)
    return {cls.value: counts[cls] for cls in Class if counts[cls]}


def as_json(plan: Plan) -> dict[str, Any]:
    """The plan as plain JSON values."""
    return {
        "version": VERSION,
        "class": plan.cls.value,
        "manual": plan.diff.manual,
        "summary": summary(plan.diff),
        "changes": [_change(change) for change in plan.diff.changes],
        "stages": [
            {
                "transactional": stage.transactional,
                "statements": [
                    {"sql": s.sql, "reverse": s.reverse, "lock": s.lock.value or None, "comment": s.comment}
                    for s in stage.statements
                ],
            }
            for stage in plan.stages
        ],
    }


def _change(change: Change) -> dict[str, Any]:
    file, line = change.where
    return {
        "kind": change.kind,
        "id": change.id,
        "member": change.member or None,
        "class": change.cls.value,
        "manual": change.manual,
        "hazards": [hazard.value for hazard in change.hazards],
        "message": change.message,
        "before": change.before or None,
        "after": change.after or None,
        "file": file or None,
        "line": line or None,
        "callers": [{"file": place, "line": at} for place, at in change.callers],
    }


def render(plan: Plan) -> str:
    return json.dumps(as_json(plan), indent=2, ensure_ascii=True) + "\n"


def json_schema() -> dict[str, Any]:
    """The format as JSON Schema, draft 2020-12."""
    classes = {"enum": [cls.value for cls in Class]}
    text, flag, count = {"type": "string"}, {"type": "boolean"}, {"type": "integer", "minimum": 1}
    caller = _object({"file": (text, "Relative to the workspace."), "line": (count, "From 1.")})
    change = _object(
        {
            "kind": ({"enum": list(KINDS)}, "What happens."),
            "id": (text, "The declaration, `namespace.Name`."),
            "member": (_or_null(text), "The field, argument, step, label, or columns; null for the whole declaration."),
            "class": (classes, "What the change asks of others."),
            "manual": (flag, "No SQL does it safely; it is done by hand."),
            "hazards": ({"type": "array", "items": {"enum": [h.value for h in Hazard]}}, "Facts beside the class."),
            "message": (text, "A sentence that says what happens."),
            "before": (_or_null(text), "The value on the old side, as it is written."),
            "after": (_or_null(text), "The value on the new side, as it is written."),
            "file": (_or_null(text), "Where it is declared, relative to the workspace; null where it no longer is."),
            "line": (_or_null(count), "From 1."),
            "callers": ({"type": "array", "items": caller}, "Where other callers' declarations use it."),
        }
    )
    statement = _object(
        {
            "sql": (text, "One statement, without a semicolon."),
            "reverse": (_or_null(text), "The statement that undoes it; null where there is none."),
            "lock": (_or_null({"enum": [lock.value for lock in Lock if lock.value]}), "Its lock on a table in use."),
            "comment": (text, "What it does."),
        }
    )
    stage = _object(
        {
            "transactional": (flag, "One transaction; else one statement outside of any."),
            "statements": ({"type": "array", "items": statement}, "In order."),
        }
    )
    counts = {
        "type": "object",
        "properties": {cls.value: count for cls in Class},
        "additionalProperties": False,
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A plan between two .atl schemas",
        **_object(
            {
                "version": ({"const": VERSION}, "The version of this format."),
                "class": (classes, "The strongest of the changes; additive when there are none."),
                "manual": (flag, "At least one change is manual."),
                "summary": (counts, "How many changes are of each class."),
                "changes": ({"type": "array", "items": change}, "By id, then as the table of kinds is ordered."),
                "stages": ({"type": "array", "items": stage}, "What carries the plan out, in order."),
            }
        ),
    }


def _object(properties: dict[str, tuple[dict[str, Any], str]]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {name: {"description": says, **kind} for name, (kind, says) in properties.items()},
        "required": list(properties),
        "additionalProperties": False,
    }


def _or_null(kind: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [kind, {"type": "null"}]}
