"""Every place in a declaration that names something, and what it names.

One mechanism for all who ask "where is this used": definition, references, highlight, rename, call hierarchy and lens
in the editor, and the plan's question whether another caller relies on what changes. A name that resolves to nothing
yields no use.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence

from atl.schema.index import Scope
from atl.schema.label_uses import label_uses
from atl.schema.sql_uses import sql_uses, type_uses
from atl.schema.symbols import EntitySymbol, JobSymbol, Type, fields_of, params_of, symbol_of
from atl.schema.targets import Target, Use
from atl.schema.types import type_of
from atl.syntax import nodes as n

__all__ = ["Target", "Use", "uses"]

_NONE: Mapping[str, Type] = {}


def uses(decl: n.Declaration, text: str, scope: Scope) -> Iterator[Use]:
    """All uses in a declaration, in no particular order. text: its chunk's."""
    reader = _Reader(decl, text, scope)
    match decl:
        case n.EntityDecl():
            yield from reader.entity(decl)
        case n.EnumDecl():
            yield from reader.enum(decl)
        case n.JobDecl():
            yield from reader.job(decl)
        case n.WorkflowDecl():
            yield from reader.workflow(decl)
        case n.EphemeralDecl():
            yield from reader.ephemeral(decl)
        case n.QueryDecl():
            yield from reader.method(decl, "query")
        case n.ProcedureDecl():
            yield from reader.method(decl, "procedure")
        case n.BrokenDecl():
            pass


class _Reader:
    """Reads one declaration. `id` is its own; `values` are what `$name` may mean in it, with their types."""

    def __init__(self, decl: n.Declaration, text: str, scope: Scope) -> None:
        self.text = text
        self.scope = scope
        self.symbol = symbol_of(decl)
        name = decl.name.text if decl.name is not None else ""
        self.id = f"{scope.namespace}.{name}"
        self.values: Mapping[str, Type] = {}
        self.value_kind = "input"

    def own(self, kind: str, decl: n.Decl) -> Iterator[Use]:
        if decl.name is not None:
            yield Use(Target(kind, self.id), decl.name.start, decl.name.end, declares=True)

    # ------------------------------------------------------------ declarations

    def entity(self, decl: n.EntityDecl) -> Iterator[Use]:
        yield from self.own("entity", decl)
        assert isinstance(self.symbol, EntitySymbol)
        own = self.symbol
        if decl.on is not None:
            yield from self.field(own, decl.on)
        for member in decl.members:
            match member:
                case n.Field():
                    yield Use(
                        Target("field", self.id, member.name.text), member.name.start, member.name.end, declares=True
                    )
                    yield from self.field_parts(member, own)
                case n.PrimaryBy() | n.UniqueBy():
                    for name in member.fields:
                        yield from self.field(own, name)
                case n.Index():
                    for column in member.columns:
                        if column.field is not None:
                            yield from self.field(own, column.field)
                        elif column.expr is not None:
                            yield from self.fragment(column.expr, own, "field")
                    if member.predicate is not None:
                        yield from self.predicate(member.predicate, own)
                case n.HnswIndex() | n.GinIndex() | n.FieldClause():
                    yield from self.field(own, member.field)
                case n.Relation():
                    yield Use(
                        Target("relation", self.id, member.name.text), member.name.start, member.name.end, declares=True
                    )
                    target = yield from self.entity_name(None, member.target)
                    if target is not None:
                        yield from self.field(target, member.via)
                case n.EntityCheck():
                    if member.name is not None:
                        yield Use(
                            Target("check", self.id, member.name.text),
                            member.name.start,
                            member.name.end,
                            declares=True,
                        )
                    yield from self.fragment(member.sql, own, "field")
                case n.Cache():
                    yield from self.cache(member, own)
                case n.TableClause() | n.QueryTimeout() | n.Keyless() | n.ChunkInterval():
                    pass

    def enum(self, decl: n.EnumDecl) -> Iterator[Use]:
        yield from self.own("enum", decl)
        for label in decl.labels:
            form = "quoted" if label.quoted else "name"
            yield Use(Target("label", self.id, label.text), label.start, label.end, form, declares=True)

    def job(self, decl: n.JobDecl) -> Iterator[Use]:
        yield from self.own("job", decl)
        for clause in decl.clauses:
            if type(clause) is n.Args:
                yield from self.fields(clause.fields, "argument")

    def ephemeral(self, decl: n.EphemeralDecl) -> Iterator[Use]:
        yield from self.own("ephemeral", decl)
        yield from self.fields([m for m in decl.members if type(m) is n.Field], "field")

    def workflow(self, decl: n.WorkflowDecl) -> Iterator[Use]:
        yield from self.own("workflow", decl)
        self.value_kind = "state"
        steps = {part.name.text for part in decl.parts if type(part) is n.Step}
        for part in decl.parts:
            if type(part) is n.State:
                self.values = {f.name: f.type for f in fields_of(part.fields, self.scope.namespace)}
                yield from self.fields(part.fields, "state")
        for part in decl.parts:
            match part:
                case n.Step():
                    yield Use(Target("step", self.id, part.name.text), part.name.start, part.name.end, declares=True)
                    yield from self.step(part)
                case n.Compensate():
                    if part.step.text in steps:
                        yield Use(Target("step", self.id, part.step.text), part.step.start, part.step.end)
                    yield from self.step(part)
                case n.State():
                    pass

    def method(self, decl: n.QueryDecl | n.ProcedureDecl, kind: str) -> Iterator[Use]:
        yield from self.own(kind, decl)
        if decl.owner is not None:
            yield from self.entity_name(decl.owner.namespace, decl.owner.name)
        params = [p for part in decl.parts if type(part) is n.Input for p in part.params]
        self.values = {p.name: p.type for p in params_of(params, self.scope.namespace)}
        for part in decl.parts:
            match part:
                case n.Input():
                    yield from self.params(part.params, "input")
                case n.Output():
                    if part.entity is not None:
                        yield from self.entity_name(part.entity.namespace, part.entity.name)
                    yield from self.params(part.params or (), "output")
                case n.Sql():
                    yield from self.sql(part)
                case n.Cache():
                    yield from self.cache(part, None)
                case n.Steps():
                    for step in part.steps:
                        yield from self.procedure_step(step)
                case n.Invalidate():
                    yield from self.tag(part.tag, "input", self.values)

    # ------------------------------------------------------------ members

    def fields(self, fields: Sequence[n.Field], kind: str) -> Iterator[Use]:
        known = {f.name: f.type for f in fields_of(fields, self.scope.namespace)}
        for field in fields:
            yield Use(Target(kind, self.id, field.name.text), field.name.start, field.name.end, declares=True)
            yield from self.field_parts(field, None, kind, known)

    def field_parts(
        self, field: n.Field, owner: EntitySymbol | None, kind: str = "field", names: Mapping[str, Type] = _NONE
    ) -> Iterator[Use]:
        if field.type is not None:
            yield from self.type(field.type)
        kind_of = type_of(field.type, self.scope.namespace) if field.type is not None else None
        for modifier in field.modifiers:
            match modifier:
                case n.References():
                    if len(modifier.path) == 3 and owner is not None:
                        target = yield from self.entity_name(modifier.path[0], modifier.path[1])
                        if target is not None:
                            yield from self.field(target, modifier.path[2])
                case n.FieldCheck() | n.Backfill():
                    yield from self.fragment(modifier.sql, owner, kind, names)
                case n.Default():
                    if type(modifier.value) is n.Raw:
                        yield from self.fragment(modifier.value.sql, None, kind)
                    elif kind_of is not None:
                        yield from self.label(modifier.value, kind_of)
                case n.Flag():
                    pass

    def params(self, params: Iterable[n.Param], kind: str) -> Iterator[Use]:
        for param in params:
            yield Use(Target(kind, self.id, param.name.text), param.name.start, param.name.end, declares=True)
            if param.type is not None:
                yield from self.type(param.type)
                if param.default is not None:
                    yield from self.label(param.default.value, type_of(param.type, self.scope.namespace))

    def type(self, ref: n.TypeRef) -> Iterator[Use]:
        kind = type_of(ref, self.scope.namespace)
        if kind.enum and self.scope.enum(kind.enum) is not None:
            yield Use(Target("enum", kind.enum), ref.name.start, ref.name.end)

    def label(self, value: object, kind: Type) -> Iterator[Use]:
        """A string where an enum's label is expected."""
        if type(value) is n.Str and kind.enum:
            enum = self.scope.enum(kind.enum)
            if enum is not None and value.value in enum.labels:
                yield Use(Target("label", kind.enum, value.value), value.start, value.end, "quoted")

    def entity_name(self, namespace: n.Name | None, name: n.Name) -> Generator[Use, None, EntitySymbol | None]:
        found = self.scope.entity(namespace.text if namespace is not None else None, name.text)
        if found is not None:
            yield Use(Target("entity", f"{found.namespace}.{found.name}"), name.start, name.end)
        return found

    def field(self, entity: EntitySymbol, name: n.Name, form: str = "name") -> Iterator[Use]:
        if entity.field(name.text) is not None:
            yield Use(Target("field", f"{entity.namespace}.{entity.name}", name.text), name.start, name.end, form)

    # ------------------------------------------------------------ calls and steps

    def step(self, step: n.Step | n.Compensate) -> Iterator[Use]:
        job: JobSymbol | None = None
        for part in step.parts:
            if type(part) is n.JobUse:
                job = yield from self.job_name(part.job)
        for part in step.parts:
            if type(part) is n.StepArgs:
                yield from self.arguments(job, part.args)

    def job_name(self, ref: n.Ref) -> Generator[Use, None, JobSymbol | None]:
        job = self.scope.job(ref.namespace.text if ref.namespace is not None else None, ref.name.text)
        if job is not None:
            yield Use(Target("job", f"{job.namespace}.{job.name}"), ref.name.start, ref.name.end)
        return job

    def arguments(self, job: JobSymbol | None, args: Iterable[n.Arg]) -> Iterator[Use]:
        for arg in args:
            declared = job.arg(arg.name.text) if job is not None else None
            if job is not None and declared is not None:
                target = Target("argument", f"{job.namespace}.{job.name}", arg.name.text)
                yield Use(target, arg.name.start, arg.name.end)
                yield from self.label(arg.value, declared.type)
            if isinstance(arg.value, n.Expr):
                for term in arg.value.terms:
                    yield from self.comparison(term, None)
            else:
                yield from self.value(arg.value, None)

    def procedure_step(self, step: n.StepNode) -> Iterator[Use]:
        match step:
            case n.Sql():
                yield from self.sql(step)
            case n.Enqueue():
                job = yield from self.job_name(step.job)
                yield from self.arguments(job, step.args)
            case n.Update() | n.Insert() | n.Delete():
                entity = yield from self.entity_name(step.entity.namespace, step.entity.name)
                if not isinstance(step, n.Delete):
                    for set_ in step.sets:
                        if entity is not None:
                            yield from self.field(entity, set_.field)
                            field = entity.field(set_.field.text)
                            if field is not None:
                                yield from self.label(set_.value, field.type)
                        yield from self.value(set_.value, entity)
                if not isinstance(step, n.Insert):
                    for term in step.where.terms:
                        yield from self.comparison(term, entity)

    def comparison(self, term: n.Comparison, entity: EntitySymbol | None) -> Iterator[Use]:
        for value, other in ((term.left, term.right), (term.right, term.left)):
            if value is None:
                continue
            yield from self.value(value, entity)
            if type(other) is n.Column and entity is not None:
                field = entity.field(other.name.text)
                if field is not None:
                    yield from self.label(value, field.type)

    def value(self, value: n.Value, entity: EntitySymbol | None) -> Iterator[Use]:
        if type(value) is n.Parameter:
            if value.name in self.values:
                yield Use(Target(self.value_kind, self.id, value.name), value.start + 1, value.end, "parameter")
        elif type(value) is n.Column and entity is not None:
            yield from self.field(entity, value.name)

    # ------------------------------------------------------------ caches, tags, SQL

    def cache(self, cache: n.Cache, owner: EntitySymbol | None) -> Iterator[Use]:
        for part in cache.parts:
            if type(part) is n.ReadThrough and part.tag is not None:
                if owner is not None:
                    yield from self.tag(part.tag, "field", {f.name: f.type for f in owner.fields})
                else:
                    yield from self.tag(part.tag, "input", self.values)
            elif type(part) is n.InvalidateOn:
                for write in part.writes:
                    if write.entity is None:
                        continue
                    entity = yield from self.entity_name(None, write.entity)
                    if entity is not None and write.field is not None:
                        yield from self.field(entity, write.field)
                    if owner is not None and write.own is not None:
                        yield from self.field(owner, write.own)

    def tag(self, tag: n.Str, kind: str, names: Mapping[str, Type]) -> Iterator[Use]:
        """`{name}` placeholders in a cache tag."""
        import re

        from atl.syntax.strings import offset_in

        for found in re.finditer(r"\{(\w+)\}", tag.value):
            if found[1] in names:
                start = offset_in(self.text, tag.start, found.start(1))
                end = offset_in(self.text, tag.start, found.end(1))
                yield Use(Target(kind, self.id, found[1]), start, end, "string")

    def fragment(
        self, sql: n.Str, owner: EntitySymbol | None, kind: str, names: Mapping[str, Type] = _NONE
    ) -> Iterator[Use]:
        """Columns, labels and types in a check, a backfill, an index expression or a raw default."""
        from atl.syntax.strings import offset_in

        known = {f.name: f.type for f in owner.fields} if owner is not None else names
        for use in self.expression(sql.value, known, kind):
            start, end = offset_in(self.text, sql.start, use.start), offset_in(self.text, sql.start, use.end)
            yield use._replace(start=start, end=end)

    def predicate(self, predicate: n.RawSql, owner: EntitySymbol) -> Iterator[Use]:
        from atl.syntax.strings import predicate_sql

        sql, offset = predicate_sql(predicate.text)
        for use in self.expression(sql, {f.name: f.type for f in owner.fields}, "field"):
            start, end = offset(use.start), offset(use.end)
            form = "quoted" if use.form == "literal" and predicate.text[start : start + 1] == '"' else use.form
            yield use._replace(start=predicate.start + start, end=predicate.start + end, form=form)

    def expression(self, sql: str, known: Mapping[str, Type], kind: str) -> Iterator[Use]:
        """Spans are relative to `sql`."""
        from atl.postgres.expression import expression

        enums: dict[int, str] = {}
        for column in expression(sql).columns:
            if column.name in known:
                yield Use(Target(kind, self.id, column.name), column.start, column.end, "column")
                enums[column.start] = known[column.name].enum
        yield from label_uses(sql, {at: enum for at, enum in enums.items() if enum}, self.scope)
        yield from type_uses(sql, self.scope)

    def sql(self, block: n.Sql) -> Iterator[Use]:
        for ref in block.touches:
            yield from self.entity_name(ref.namespace, ref.name)
        yield from sql_uses(self.id, block.sql, self.values, self.scope)
