"""Changes of enums, queries and procedures."""

from __future__ import annotations

from collections.abc import Callable

from atl.diff.context import Collector
from atl.diff.model import Class, Hazard
from atl.diff.renames import GONE
from atl.diff.text import argument_text, default_meaning
from atl.postgres.expression import canonical_statement
from atl.schema import model as m

__all__ = ["compare_enums", "compare_methods"]


def compare_enums(out: Collector, old: m.Schema, new: m.Schema) -> None:
    out.each(old.enums, new.enums, _enum_added, _enum, _enum_removed)


def _enum_added(out: Collector, id: str, enum: m.Enum) -> None:
    out.add("enum_added", Class.ADDITIVE, id, message="the type is created", where=enum.where, new=enum)


def _enum_removed(out: Collector, id: str, enum: m.Enum) -> None:
    out.add(
        "enum_removed",
        Class.DESTRUCTIVE,
        id.removesuffix(GONE),
        message="the type is parked",
        reason="what has its labels is no longer served",
        hazards=(Hazard.CLIENTS_CHANGE,),
        old=enum,
    )


def _enum(out: Collector, id: str, old: m.Enum, new: m.Enum) -> None:
    out.renamed("enum", out.renames.enums, old, new, Hazard.CLIENTS_CHANGE)
    _labels(out, old, new)


def _labels(out: Collector, old: m.Enum, new: m.Enum) -> None:
    back = {b: a for a, b in out.renames.labels.get(new.id, {}).items()}
    for label in new.labels:
        if label in back:
            out.add(
                "enum_label_renamed",
                Class.CROSS_CALLER_BREAKING,
                new.id,
                label,
                f"`{back[label]}` is called `{label}` from now on",
                reason="callers know it by the old name",
                before=back[label],
                after=label,
                hazards=(Hazard.CLIENTS_CHANGE,),
                where=new.where,
                old=old,
                new=new,
            )
        elif label not in old.labels:
            out.add(
                "enum_label_added",
                Class.ADDITIVE,
                new.id,
                label,
                "a label is added",
                hazards=(Hazard.CLIENTS_CHANGE,),
                where=new.where,
                old=old,
                new=new,
            )
    for label in old.labels:
        if label not in new.labels:
            out.add(
                "enum_label_removed",
                Class.DESTRUCTIVE,
                new.id,
                label.removesuffix(GONE),
                "a label goes away",
                reason="PostgreSQL cannot drop a label, and rows may carry it",
                manual=True,
                where=new.where,
                hazards=(Hazard.CLIENTS_CHANGE,),
                old=old,
                new=new,
            )


def compare_methods(out: Collector, old: m.Schema, new: m.Schema) -> None:
    out.each(old.queries, new.queries, _method_added, _method, _method_removed)
    out.each(old.procedures, new.procedures, _method_added, _method, _method_removed)


def _area(method: m.Query | m.Procedure) -> str:
    return "query" if isinstance(method, m.Query) else "procedure"


def _method_added(out: Collector, id: str, method: m.Query | m.Procedure) -> None:
    message = "the method can be called"
    out.add(f"{_area(method)}_added", Class.ADDITIVE, id, message=message, where=method.where, new=method)


def _method(out: Collector, id: str, old: m.Query | m.Procedure, new: m.Query | m.Procedure) -> None:
    a, b = _parts(old, out.following.statement), _parts(new, _statement)
    if a != b:
        parts = [name for name in b if a[name] != b[name]]
        signature = {"inputs", "output", "owner"} & set(parts)
        out.add(
            f"{_area(new)}_changed",
            Class.ADDITIVE,
            id,
            message=f"its {', '.join(parts)} changes",
            before=", ".join(parts),
            hazards=(Hazard.CLIENTS_CHANGE,) if signature else (),
            where=new.where,
            old=old,
            new=new,
        )


def _method_removed(out: Collector, id: str, method: m.Query | m.Procedure) -> None:
    out.add(
        f"{_area(method)}_removed",
        Class.ADDITIVE,
        id,
        message="the method can no longer be called",
        reason="calls of it fail",
        hazards=(Hazard.REMOVES_RPC,),
        old=method,
    )


def _parts(method: m.Query | m.Procedure, compared: Callable[[m.SqlStep], str]) -> dict[str, object]:
    """What counts of a method, part by part, in comparable form. Inputs are named, outputs come in order."""
    inputs = {name: _field(f) for name, f in method.inputs.items()}
    if isinstance(method, m.Query):
        outputs = tuple((f.name, *_field(f)) for f in method.outputs)
        return {
            "owner": method.owner,
            "inputs": inputs,
            "output": (method.output_entity, outputs),
            "SQL": _sql(method.block, compared),
            "cache": method.cache,
        }
    return {
        "owner": method.owner,
        "inputs": inputs,
        "steps": tuple(_step(s, compared) for s in method.steps),
        "invalidated tag": method.invalidate_tag,
    }


def _field(f: m.Field) -> tuple[object, ...]:
    return f.type, f.not_null, default_meaning(f.default)


def _statement(step: m.SqlStep) -> str:
    return canonical_statement(step.sql)


def _sql(step: m.SqlStep, compared: Callable[[m.SqlStep], str]) -> tuple[object, ...]:
    return tuple(sorted(step.touches)), compared(step)


def _step(step: m.SqlStep | m.WriteStep | m.EnqueueStep, compared: Callable[[m.SqlStep], str]) -> tuple[object, ...]:
    if isinstance(step, m.SqlStep):
        return ("sql", *_sql(step, compared))
    if isinstance(step, m.EnqueueStep):
        return "enqueue", step.job, argument_text(step.args)
    return step.kind, step.entity, tuple(sorted(step.sets)), step.conditions
