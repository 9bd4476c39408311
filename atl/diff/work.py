"""Changes of jobs, workflows and ephemerals: what is queued or under way meets them."""

from __future__ import annotations

from collections.abc import Mapping

from atl.diff.context import Collector
from atl.diff.model import Class, Hazard
from atl.diff.renames import GONE
from atl.diff.text import argument_text, canonical, default_meaning, default_text
from atl.diff.types import type_change
from atl.schema import model as m
from atl.schema.facts import duration_text as _time
from atl.schema.symbols import Type
from atl.schema.types import spelled

__all__ = ["compare_ephemerals", "compare_jobs", "compare_workflows"]

_ADDITIVE, _BREAKING = Class.ADDITIVE, Class.CROSS_CALLER_BREAKING
_FLIGHT = (Hazard.IN_FLIGHT,)


def compare_jobs(out: Collector, old: m.Schema, new: m.Schema) -> None:
    out.each(old.jobs, new.jobs, _job_added, _job, _job_removed)


def _job_added(out: Collector, id: str, job: m.Job) -> None:
    out.add("job_added", _ADDITIVE, id, message="the job can be submitted", where=job.where, new=job)


def _job_removed(out: Collector, id: str, job: m.Job) -> None:
    own = out.caller is not None and job.visible_to == out.caller
    out.add(
        "job_removed",
        _ADDITIVE if own else _BREAKING,
        id.removesuffix(GONE),
        message="the job can no longer be submitted, and queued runs find no handler",
        reason="" if own else "other callers may submit it",
        hazards=_FLIGHT,
        old=job,
    )


def _job(out: Collector, id: str, old: m.Job, new: m.Job) -> None:
    out.renamed("job", out.renames.jobs, old, new, *_FLIGHT, reason="runs are submitted and claimed by name")
    _arguments(out, "job_arg", new.id, old.args, new.args, "queued runs were submitted without it")
    where = new.where
    settings: tuple[tuple[str, str, str, str, tuple[Hazard, ...]], ...] = (
        ("retries", str(old.retries), str(new.retries), "how often a failed run is tried again changes", ()),
        ("timeout", _time(old.timeout_ms), _time(new.timeout_ms), "the deadline of an attempt changes", ()),
        ("heartbeat", _time(old.heartbeat_ms), _time(new.heartbeat_ms), "how long a silent claim lives changes", ()),
        ("schedule", old.schedule, new.schedule, "when it is fired changes", ()),
        ("queue", old.queue, new.queue, "workers of the old queue get no more of it", _FLIGHT),
    )
    for word, before, after, message, hazards in settings:
        if before != after:
            out.add(
                f"job_{word}_changed",
                _ADDITIVE,
                id,
                message=message,
                before=before,
                after=after,
                hazards=hazards,
                where=where,
                old=old,
                new=new,
            )
    if old.visible_to != new.visible_to:
        wider = new.visible_to == "*"
        out.add(
            f"job_visible_to_{'widened' if wider else 'narrowed'}",
            _ADDITIVE if wider else _BREAKING,
            id,
            message="any caller may submit and claim it"
            if wider
            else f"only `{new.visible_to}` may submit and claim it",
            reason="" if wider else "other callers may submit or claim it today",
            before=old.visible_to,
            after=new.visible_to,
            where=where,
            old=old,
            new=new,
        )


def _arguments(
    out: Collector, area: str, id: str, old: Mapping[str, m.Field], new: Mapping[str, m.Field], missing: str
) -> None:
    """Arguments of a job (`job_arg`) or state fields of a workflow (`workflow_state`)."""
    what = "argument" if area == "job_arg" else "state field"
    for name, f in new.items():
        before = old.get(name)
        if before is None:
            required = f.not_null and f.default is None
            out.add(
                f"{area}_added",
                _BREAKING if required else _ADDITIVE,
                id,
                name,
                f"a{'n' if what[0] == 'a' else ''} {what} of type {spelled(f.type)} is added",
                reason=missing if required else "",
                after=spelled(f.type),
                hazards=_FLIGHT if required else (),
                where=f.where,
                new=f,
            )
        else:
            _argument(out, area, id, what, before, f)
    for name, f in old.items():
        if name not in new:
            out.add(
                f"{area}_removed",
                _BREAKING,
                id,
                name,
                f"the {what} is no longer taken",
                reason="who gives it is refused",
                before=spelled(f.type),
                hazards=_FLIGHT,
                old=f,
            )


def _widens(old: Type, new: Type) -> bool:
    return type_change(old, new).kind == "widened"


def _argument(out: Collector, area: str, id: str, what: str, old: m.Field, new: m.Field) -> None:
    name, where = new.name, new.where
    if old.type != new.type:
        wider = _widens(old.type, new.type)
        out.add(
            f"{area}_type_{'widened' if wider else 'changed'}",
            _ADDITIVE if wider else _BREAKING,
            id,
            name,
            f"the type goes from {spelled(old.type)} to {spelled(new.type)}",
            reason="" if wider else "values given so far may not fit",
            before=spelled(old.type),
            after=spelled(new.type),
            hazards=(Hazard.CLIENTS_CHANGE,) if wider else (*_FLIGHT, Hazard.CLIENTS_CHANGE),
            where=where,
            old=old,
            new=new,
        )
    if new.not_null and not old.not_null:
        out.add(
            f"{area}_not_null_set",
            _BREAKING,
            id,
            name,
            f"the {what} must not be null",
            reason="who leaves it out or gives null is refused",
            hazards=_FLIGHT,
            where=where,
            old=old,
            new=new,
        )
    elif old.not_null and not new.not_null:
        out.add(
            f"{area}_not_null_unset",
            _ADDITIVE,
            id,
            name,
            f"the {what} may be null",
            hazards=(Hazard.CLIENTS_CHANGE,),
            where=where,
            old=old,
            new=new,
        )
    before, after = default_text(old.default), default_text(new.default)
    if default_meaning(old.default) != default_meaning(new.default):
        lost = area == "job_arg" and new.not_null and not after
        out.add(
            f"{area}_default_changed",
            _BREAKING if lost else _ADDITIVE,
            id,
            name,
            "what stands for a value that is left out changes",
            reason="who leaves it out is refused" if lost else "",
            before=before,
            after=after,
            hazards=_FLIGHT if lost else (),
            where=where,
            old=old,
            new=new,
        )
    if out.following.value(old, old.check) != canonical(new.check):
        out.add(
            f"{area}_check_changed",
            _ADDITIVE,
            id,
            name,
            "what values are taken changes",
            before=old.check,
            after=new.check,
            where=where,
            old=old,
            new=new,
        )


def compare_workflows(out: Collector, old: m.Schema, new: m.Schema) -> None:
    out.each(old.workflows, new.workflows, _workflow_added, _workflow, _workflow_removed)


def _workflow_added(out: Collector, id: str, workflow: m.Workflow) -> None:
    message = "the workflow can be started"
    out.add("workflow_added", _ADDITIVE, id, message=message, where=workflow.where, new=workflow)


def _workflow_removed(out: Collector, id: str, workflow: m.Workflow) -> None:
    out.add(
        "workflow_removed",
        _BREAKING,
        id,
        message="the workflow can no longer be started",
        reason="others may start it",
        hazards=_FLIGHT,
        old=workflow,
    )


def _workflow(out: Collector, id: str, old: m.Workflow, new: m.Workflow) -> None:
    _arguments(out, "workflow_state", id, old.state, new.state, "instances under way were started without it")
    before = {s.name: s for s in old.steps}
    after = {s.name: s for s in new.steps}
    stay_old = [name for name in before if name in after]
    stay_new = [name for name in after if name in before]
    if stay_old != stay_new:
        out.add(
            "workflow_steps_reordered",
            _BREAKING,
            id,
            message="steps run in another order",
            reason="instances under way are past some of them",
            before=", ".join(stay_old),
            after=", ".join(stay_new),
            hazards=_FLIGHT,
            where=new.where,
            old=old,
            new=new,
        )
    order = list(after)
    last = max((order.index(name) for name in stay_new), default=-1)
    for at, (name, step) in enumerate(after.items()):
        if name in before:
            _step(out, "workflow_step", id, before[name], step)
        elif at > last:
            out.add(
                "workflow_step_appended",
                _ADDITIVE,
                id,
                name,
                f"a last step runs `{step.job}`",
                after=step.job,
                hazards=_FLIGHT,
                where=step.where,
                new=step,
            )
        else:
            out.add(
                "workflow_step_inserted",
                _BREAKING,
                id,
                name,
                f"a step between others runs `{step.job}`",
                reason="instances under way are past its place",
                after=step.job,
                hazards=_FLIGHT,
                where=step.where,
                new=step,
            )
    for name, step in before.items():
        if name not in after:
            out.add(
                "workflow_step_removed",
                _BREAKING,
                id,
                name,
                f"`{step.job}` is no longer run",
                reason="instances under way may stand at it",
                before=step.job,
                hazards=_FLIGHT,
                where=new.where,
                old=step,
            )
    for name, step in new.compensations.items():
        was = old.compensations.get(name)
        if was is not None:
            _step(out, "workflow_compensation", id, was, step)
        else:
            out.add(
                "workflow_compensation_added",
                _ADDITIVE,
                id,
                name,
                f"`{step.job}` undoes the step",
                after=step.job,
                hazards=_FLIGHT,
                where=step.where,
                new=step,
            )
    for name, step in old.compensations.items():
        if name not in new.compensations and name in after:
            out.add(
                "workflow_compensation_removed",
                _BREAKING,
                id,
                name,
                "nothing undoes the step any more",
                reason="instances under way count on it",
                before=step.job,
                hazards=_FLIGHT,
                where=new.where,
                old=step,
            )


def _step(out: Collector, area: str, id: str, old: m.WorkflowStep, new: m.WorkflowStep) -> None:
    if old.job != new.job:
        out.add(
            f"{area}_job_changed",
            _BREAKING,
            id,
            new.name,
            f"`{new.job}` runs in place of `{old.job}`",
            reason="instances under way may have queued the old one",
            before=old.job,
            after=new.job,
            hazards=_FLIGHT,
            where=new.where,
            old=old,
            new=new,
        )
    before, after = argument_text(old.args), argument_text(new.args)
    if before != after:
        out.add(
            f"{area}_args_changed",
            _ADDITIVE,
            id,
            new.name,
            "the job is given other arguments",
            before=before,
            after=after,
            hazards=_FLIGHT,
            where=new.where,
            old=old,
            new=new,
        )


def compare_ephemerals(out: Collector, old: m.Schema, new: m.Schema) -> None:
    out.each(old.ephemerals, new.ephemerals, _ephemeral_added, _ephemeral, _ephemeral_removed)


def _ephemeral_added(out: Collector, id: str, ephemeral: m.Ephemeral) -> None:
    out.add("ephemeral_added", _ADDITIVE, id, message="the store is opened", where=ephemeral.where, new=ephemeral)


def _ephemeral_removed(out: Collector, id: str, ephemeral: m.Ephemeral) -> None:
    out.add(
        "ephemeral_removed",
        _BREAKING,
        id,
        message="the store is closed, its entries are lost",
        reason="others may use it",
        hazards=(Hazard.REMOVES_RPC,),
        old=ephemeral,
    )


def _ephemeral(out: Collector, id: str, old: m.Ephemeral, new: m.Ephemeral) -> None:
    where = new.where
    if old.ttl_ms != new.ttl_ms:
        out.add(
            "ephemeral_ttl_changed",
            _ADDITIVE,
            id,
            message="entries live for another time",
            before=_time(old.ttl_ms),
            after=_time(new.ttl_ms),
            where=where,
            old=old,
            new=new,
        )

    def breaking(
        kind: str,
        message: str,
        before: str,
        after: str,
        old: m.Field | m.Ephemeral | None,
        new: m.Field | m.Ephemeral | None,
        member: str = "",
    ) -> None:
        out.add(
            kind,
            _BREAKING,
            id,
            member,
            message,
            reason="entries that are there are thrown away",
            before=before,
            after=after,
            hazards=(Hazard.CLIENTS_CHANGE,),
            where=where if new is None else new.where,
            old=old,
            new=new,
        )

    moved = old.key != new.key
    if moved:
        breaking("ephemeral_key_changed", "entries are found by another key", old.key, new.key, old, new)
    for name, f in new.fields.items():
        was = old.fields.get(name)
        kind = spelled(f.type)
        if was is None:
            breaking("ephemeral_field_added", "a field is added", "", kind, None, f, name)
        elif _value(was, out.following.value(was, was.check), moved) != _value(f, canonical(f.check), moved):
            breaking("ephemeral_field_changed", "a field changes", spelled(was.type), kind, was, f, name)
    for name, f in old.fields.items():
        if name not in new.fields:
            breaking("ephemeral_field_removed", "a field is removed", spelled(f.type), "", f, None, name)


def _value(f: m.Field, check: str, key_changed: bool) -> tuple[object, ...]:
    """What counts of an ephemeral's field. That a field becomes or stops being the key, and with that not null, is
    said once, by the key's change."""
    not_null = True if key_changed and f.primary else f.not_null
    return f.type, not_null, default_meaning(f.default), check
