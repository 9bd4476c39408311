"""`$name`: where a query, procedure or workflow declares its parameters, and where it uses them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from atl.check.context import Context
from atl.records import NamedTuple
from atl.schema.symbols import Type
from atl.syntax import nodes as n

__all__ = ["ParameterUse", "parameter_uses", "placeholders", "stray_mark"]

_PLACEHOLDER = re.compile(r"\{([^{}]*)\}")


class ParameterUse(NamedTuple):
    """`$name`, with offsets of the whole.

    receiver: the table or job, and the column or argument, that the value is given to or compared with; None in SQL
    and where there is none.
    """

    name: str
    start: int
    end: int
    receiver: tuple[n.Ref, n.Name] | None = None

    def type(self, ctx: Context) -> Type | None:
        """The type of what receives it, where that is known."""
        if self.receiver is None:
            return None
        ref, name = self.receiver
        namespace = None if ref.namespace is None else ref.namespace.text
        entity = ctx.scope.entity(namespace, ref.name.text)
        job = None if entity is not None else ctx.scope.job(namespace, ref.name.text)
        found = entity.field(name.text) if entity is not None else job.arg(name.text) if job is not None else None
        return found.type if found is not None and found.type.known else None


def parameter_uses(ctx: Context) -> list[ParameterUse]:
    """Every use in the declaration under check, in the order of the text.

    An argument that is a comparison is none: it is ATL454's.
    """
    found: list[ParameterUse] | None = ctx.memo.get(parameter_uses)
    if found is None:
        found = ctx.memo[parameter_uses] = sorted(_uses(ctx.decl), key=lambda use: use.start)
    return found


def stray_mark(ctx: Context) -> bool:
    """Whether something in the declaration under check may have been meant for a `$name`: a character that begins
    nothing, or a `$` in SQL behind a name or by itself."""
    if any(raw.code == "ATL006" and ctx.source(raw.start, raw.end) != ";" for raw in ctx.unit.chunk.raw):
        return True
    parts = ctx.decl.parts if isinstance(ctx.decl, n.QueryDecl | n.ProcedureDecl) else []
    steps = [step for part in parts if type(part) is n.Steps for step in part.steps]
    blocks = [each.sql.text for each in (*parts, *steps) if type(each) is n.Sql and "$" in each.sql.text]
    if not blocks:
        return False
    from atl.postgres.scan import tokens

    return any("$" in sql[t.start : t.end] for sql in blocks for t in tokens(sql) if t.kind in ("word", "symbol"))


def placeholders(tag: n.Str) -> list[tuple[str, int, int]]:
    """The `{name}` placeholders of a cache tag: name, and start and end of the whole in the tag's value."""
    return [(found[1], found.start(), found.end()) for found in _PLACEHOLDER.finditer(tag.value)]


def _uses(decl: n.Declaration) -> Iterator[ParameterUse]:
    match decl:
        case n.QueryDecl():
            for part in decl.parts:
                if type(part) is n.Sql:
                    yield from _in_sql(part.sql)
        case n.ProcedureDecl():
            for piece in decl.parts:
                if type(piece) is n.Steps:
                    for step in piece.steps:
                        yield from _in_step(step)
        case n.WorkflowDecl():
            for unit in decl.parts:
                if type(unit) is n.Step or type(unit) is n.Compensate:
                    job = next((p.job for p in unit.parts if type(p) is n.JobUse), None)
                    for given in unit.parts:
                        if type(given) is n.StepArgs:
                            yield from _in_args(given.args, job)
        case _:
            pass


def _in_step(step: n.StepNode) -> Iterator[ParameterUse]:
    match step:
        case n.Sql():
            yield from _in_sql(step.sql)
        case n.Enqueue():
            yield from _in_args(step.args, step.job)
        case n.Update():
            yield from _in_sets(step.sets, step.entity)
            yield from _in_expr(step.where, step.entity)
        case n.Delete():
            yield from _in_expr(step.where, step.entity)
        case n.Insert():
            yield from _in_sets(step.sets, step.entity)


def _in_sql(sql: n.RawSql) -> Iterator[ParameterUse]:
    if "$" in sql.text:
        from atl.postgres.scan import parameters

        for found in parameters(sql.text):
            yield ParameterUse(found.name, sql.start + found.start, sql.start + found.end)


def _in_args(args: list[n.Arg], job: n.Ref | None) -> Iterator[ParameterUse]:
    for arg in args:
        if type(arg.value) is n.Parameter:
            value = arg.value
            yield ParameterUse(value.name, value.start, value.end, None if job is None else (job, arg.name))


def _in_sets(sets: list[n.Set], entity: n.Ref) -> Iterator[ParameterUse]:
    for item in sets:
        if type(item.value) is n.Parameter:
            yield ParameterUse(item.value.name, item.value.start, item.value.end, (entity, item.field))


def _in_expr(expr: n.Expr, entity: n.Ref) -> Iterator[ParameterUse]:
    for term in expr.terms:
        for side, other in ((term.left, term.right), (term.right, term.left)):
            if type(side) is n.Parameter:
                receiver = (entity, other.name) if type(other) is n.Column else None
                yield ParameterUse(side.name, side.start, side.end, receiver)
