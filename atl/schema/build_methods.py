"""Queries, procedures and workflows of the model."""

from __future__ import annotations

from collections.abc import Iterable

from atl.closed import assert_never
from atl.schema import model as m
from atl.schema.build_parts import Site, cache, fields, first, params, value, value_text
from atl.syntax import nodes as n

__all__ = ["procedure", "query", "workflow"]


def query(decl: n.QueryDecl, here: Site) -> m.Query:
    inputs, output, block = first(decl.parts, n.Input), first(decl.parts, n.Output), first(decl.parts, n.Sql)
    return m.Query(
        id=here.id,
        owner="" if decl.owner is None else here.entity(decl.owner),
        inputs={} if inputs is None else params(inputs.params, here, inputs=True),
        output_entity="" if output is None or output.entity is None else here.entity(output.entity),
        outputs=() if output is None else tuple(params(output.params or (), here, inputs=False).values()),
        block=m.SqlStep((), "") if block is None else _sql(block, here),
        cache=cache(first(decl.parts, n.Cache), here),
        where=here.where(decl),
    )


def procedure(decl: n.ProcedureDecl, here: Site) -> m.Procedure:
    inputs, steps, invalidate = first(decl.parts, n.Input), first(decl.parts, n.Steps), first(decl.parts, n.Invalidate)
    return m.Procedure(
        id=here.id,
        owner="" if decl.owner is None else here.entity(decl.owner),
        inputs={} if inputs is None else params(inputs.params, here, inputs=True),
        steps=() if steps is None else tuple(_step(step, here) for step in steps.steps),
        invalidate_tag="" if invalidate is None else invalidate.tag.value,
        where=here.where(decl),
    )


def _sql(node: n.Sql, here: Site) -> m.SqlStep:
    return m.SqlStep(tuple(sorted({here.entity(ref) for ref in node.touches})), node.sql.text.strip())


def _step(node: n.StepNode, here: Site) -> m.SqlStep | m.WriteStep | m.EnqueueStep:
    match node:
        case n.Sql():
            return _sql(node, here)
        case n.Update():
            return m.WriteStep("update", here.entity(node.entity), _sets(node.sets), _conditions(node.where))
        case n.Delete():
            return m.WriteStep("delete", here.entity(node.entity), (), _conditions(node.where))
        case n.Insert():
            return m.WriteStep("insert", here.entity(node.entity), _sets(node.sets), ())
        case n.Enqueue():
            return m.EnqueueStep(here.job(node.job), _arguments(node.args))
        case _:
            assert_never(node)


def _sets(nodes: Iterable[n.Set]) -> tuple[tuple[str, str], ...]:
    return tuple(sorted((node.field.text, value_text(node.value)) for node in nodes))


def _conditions(expr: n.Expr) -> tuple[tuple[str, str, str], ...]:
    return tuple(
        (value_text(term.left), term.op or "", "" if term.right is None else value_text(term.right))
        for term in expr.terms
    )


def _arguments(nodes: Iterable[n.Arg]) -> tuple[m.Argument, ...]:
    found: dict[str, m.Argument] = {}
    for node in nodes:
        name, given = node.name.text, node.value
        if name not in found:
            parameter = given.name if type(given) is n.Parameter else ""
            found[name] = m.Argument(name, parameter, value(given))
    return tuple(found[name] for name in sorted(found))


def workflow(decl: n.WorkflowDecl, here: Site) -> m.Workflow:
    steps: dict[str, m.WorkflowStep] = {}
    compensations: dict[str, m.WorkflowStep] = {}
    for part in decl.parts:
        if type(part) is n.Step:
            steps.setdefault(part.name.text, _run(part.name, part.parts, here))
        elif type(part) is n.Compensate:
            compensations.setdefault(part.step.text, _run(part.step, part.parts, here))
    return m.Workflow(
        id=here.id,
        state=fields((field for part in decl.parts if type(part) is n.State for field in part.fields), here),
        steps=tuple(steps.values()),
        compensations=compensations,
        where=here.where(decl),
    )


def _run(name: n.Name, parts: list[n.JobUse | n.StepArgs], here: Site) -> m.WorkflowStep:
    job, args = first(parts, n.JobUse), first(parts, n.StepArgs)
    return m.WorkflowStep(
        name=name.text,
        job="" if job is None else here.job(job.job),
        args=() if args is None else _arguments(args.args),
        where=here.where(name),
    )
