"""Names of lists whose items begin with one: arguments of calls, sets of steps, inputs and outputs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from atl.ide.completing.item import Completion, Kind
from atl.ide.completing.request import Request
from atl.ide.snippets import Pieces, Stop, plain
from atl.schema.conversions import assignable
from atl.schema.symbols import EntitySymbol, FieldSymbol, JobSymbol
from atl.schema.types import spelled
from atl.syntax import nodes as n

__all__ = [
    "called_job",
    "flat",
    "given_arguments",
    "has_arguments",
    "listed",
    "member_item",
    "required_arguments",
    "set_entity",
    "shown",
]


_ARGS_AHEAD = re.compile(r"\s*args\b")


def listed(request: Request, symbols: tuple[str, ...]) -> Iterator[Completion]:
    """Names of a list whose items begin with one: arguments, sets, outputs, inputs."""
    if "params" in symbols or "INPUT" in symbols:
        yield from _missing_inputs(request)
    elif "out_params" in symbols or "OUTPUT" in symbols:
        yield from _outputs(request)
    else:
        job = called_job(request, symbols)
        if job is not None:
            # Behind a colon the grammar takes a name too, to say that a column is no value there.
            if symbols[-1] in ("LPAR", "LBRACE", "COMMA", "args"):
                yield from _arguments(request, job)
            return
        entity = set_entity(request, symbols)
        if entity is not None and symbols[-1] in ("SET", "COMMA", "LBRACE"):
            yield from _sets(request, entity, symbols)


def shown(field: FieldSymbol) -> str:
    """A field's type, with `?` where it can be null."""
    return spelled(field.type) + ("" if field.not_null else "?")


def member_item(owner: EntitySymbol | None, field: FieldSymbol, kind: Kind = "field", suffix: str = "") -> Completion:
    about = ("field", f"{owner.namespace}.{owner.name}", field.name) if owner is not None else ()
    return Completion(field.name, kind, field.name + suffix, (), shown(field), about, suffix != "")


def flat(values: Any) -> Iterable[Any]:
    return values if isinstance(values, list) else (values,)


def set_entity(request: Request, symbols: tuple[str, ...]) -> EntitySymbol | None:
    """The entity of the `update`, `insert` or `delete` that the cursor is in."""
    for at in range(len(symbols) - 1, 0, -1):
        if symbols[at] in ("UPDATE", "INSERT", "DELETE") and at + 1 < len(symbols) and symbols[at + 1] == "ref":
            return request.entity(request.position.values[at + 1])
        if symbols[at] == "steps_body":
            return None
    return None


def _sets(request: Request, entity: EntitySymbol, symbols: tuple[str, ...]) -> Iterator[Completion]:
    given: set[str] = set()
    for value in request.position.values:
        given |= {each.field.text for each in flat(value) if isinstance(each, n.Set)}
    for step in _steps_of(request):
        if isinstance(step, n.Update | n.Insert) and request.around(step):
            given |= {each.field.text for each in step.sets if not request.around(each)}
    fields = [field for field in entity.fields if field.name not in given]
    if "INSERT" in symbols:
        fields.sort(key=lambda field: not field.not_null or field.filled)
    else:
        fields.sort(key=lambda field: field.name in entity.key)
    for field in fields:
        yield member_item(entity, field, "field", " = " if request.next != "=" else "")


def _steps_of(request: Request) -> list[n.StepNode]:
    if not isinstance(request.decl, n.ProcedureDecl):
        return []
    return [step for part in request.decl.parts if type(part) is n.Steps for step in part.steps]


def _missing_inputs(request: Request) -> Iterator[Completion]:
    """Parameters that are used and not declared, then fields of the owner."""
    from atl.postgres.scan import parameters

    if request.unit is None or request.decl is None:
        return
    known = {field.name for field in request.inputs}
    text = request.unit.chunk.text[request.decl.start : request.decl.end]
    owner = request.owner
    seen = {p.name for p in parameters(text.replace('"', " ").replace("'", " "))} - known
    suffix = ": " if request.next != ":" else ""
    for name in sorted(seen):
        field = owner.field(name) if owner is not None else None
        typed = suffix and field is not None and suffix + spelled(field.type)
        yield Completion(name, "input", name + (typed or suffix), (), "used and not declared", (), not typed)
    for field in owner.fields if owner is not None else ():
        if field.name not in known and field.name not in seen:
            text = field.name + (suffix and suffix + spelled(field.type))
            yield Completion(field.name, "input", text, (), shown(field))


def _outputs(request: Request) -> Iterator[Completion]:
    """Columns of the entities that the query touches, of its owner first."""
    decl = request.decl
    if not isinstance(decl, n.QueryDecl):
        return
    refs = [ref for part in decl.parts if type(part) is n.Sql for ref in part.touches]
    entities = [request.owner, *(request.entity(ref) for ref in refs)]
    given = {
        p.name.text for part in decl.parts if type(part) is n.Output for p in part.params or () if not request.around(p)
    }
    for entity in entities:
        for field in entity.fields if entity is not None else ():
            if field.name not in given:
                text = field.name if request.next == ":" else f"{field.name}: {spelled(field.type)}"
                yield Completion(field.name, "output", text, (), shown(field))


def called_job(request: Request, symbols: tuple[str, ...]) -> JobSymbol | None:
    """The job whose arguments are being written."""
    values = request.position.values
    for at in range(len(symbols) - 1, 0, -1):
        symbol = symbols[at]
        if symbol == "ENQUEUE":
            return request.job(values[at + 1]) if symbols[at + 1 : at + 2] == ("ref",) else None
        if symbol == "step_body":
            if "ARGS" not in symbols[at:]:
                return None
            for part in [*values[at], *_step_parts(request)]:
                if isinstance(part, n.JobUse):
                    return request.job(part.job)
            return None
        if symbol == "steps_body":
            return None
    return None


def _step_parts(request: Request) -> list[n.Node]:
    """The parts of the step that the cursor is in, as far as they could be read."""
    if isinstance(request.decl, n.WorkflowDecl):
        for part in request.decl.parts:
            if isinstance(part, n.Step | n.Compensate) and request.around(part):
                return list(part.parts)
    return []


def given_arguments(request: Request) -> set[str]:
    """The names of the arguments that the call at the cursor has, but for one at the cursor."""
    given: set[str] = set()
    if request.position.values:
        for value in request.position.values[-3:]:
            given |= {arg.name.text for arg in flat(value) if isinstance(arg, n.Arg)}
    calls: list[n.Node] = [*_steps_of(request), *_step_parts(request)]
    for call in calls:
        if isinstance(call, n.Enqueue | n.StepArgs) and request.around(call):
            given |= {arg.name.text for arg in call.args if not request.around(arg.name)}
    return given


def _arguments(request: Request, job: JobSymbol) -> Iterator[Completion]:
    """Those that must be given first, and all of these at once before them."""
    given = given_arguments(request)
    left = [arg for arg in job.args if arg.name not in given]
    required = [arg for arg in left if arg.not_null and not arg.filled]
    if len(required) > 1 and request.next != ":":
        pieces = _given(request, required)
        label = ", ".join(arg.name for arg in required)
        yield Completion(label, "snippet", plain(pieces), pieces, "every required argument")
    for arg in sorted(left, key=lambda arg: arg not in required):
        about = ("argument", f"{job.namespace}.{job.name}", arg.name)
        detail = shown(arg) + (", required" if arg in required else "")
        if request.next == ":":
            yield Completion(arg.name, "argument", arg.name, (), detail, about)
            continue
        value = _value_for(request, arg)
        made: Pieces = (f"{arg.name}: ", Stop(1, value))
        yield Completion(arg.name, "argument", plain(made), made, detail, about, not value)


def _given(request: Request, args: Iterable[FieldSymbol]) -> Pieces:
    """`a: $a, b: `, each value a place."""
    pieces: list[str | Stop] = []
    for number, arg in enumerate(args, 1):
        pieces += [", "] if pieces else []
        pieces += [f"{arg.name}: ", Stop(number, _value_for(request, arg))]
    return tuple(pieces)


def required_arguments(request: Request, job: JobSymbol) -> Pieces:
    """What a call of a job cannot do without."""
    return _given(request, [arg for arg in job.args if arg.not_null and not arg.filled])


def has_arguments(request: Request) -> bool:
    """Whether the step at the cursor has an `args` block, also where the rest of it cannot be read."""
    before = (part for value in request.position.values for part in flat(value))
    return (
        any(type(part) is n.StepArgs for part in (*before, *_step_parts(request)))
        or _ARGS_AHEAD.match(request.text, request.position.word_end) is not None
    )


def _value_for(request: Request, arg: FieldSymbol) -> str:
    """The parameter of the argument's name where it fits, else the only one of its type, else nothing."""
    fits = [p.name for p in request.inputs if p.name == arg.name and assignable(p.type, arg.type)]
    fits = fits or [p.name for p in request.inputs if p.type == arg.type]
    return f"${fits[0]}" if len(fits) == 1 else ""
