"""Names at the cursor, by what the symbols before it make of a name there."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Iterator

from atl.ide.completing.filled import entity_label, job_label
from atl.ide.completing.item import Completion
from atl.ide.completing.lists import flat, has_arguments, listed, member_item, required_arguments
from atl.ide.completing.request import Request
from atl.ide.snippets import Pieces, Stop, plain
from atl.schema.conversions import can_reference
from atl.schema.symbols import EntitySymbol, FieldSymbol, JobSymbol
from atl.schema.types import BUILTINS, Type, has_equality
from atl.syntax import _table as k
from atl.syntax import nodes as n

__all__ = ["names"]

_SAMPLES = {"varchar": (255,), "char": (2,), "numeric": (10, 2), "vector": (1536,), "bit": (8,), "varbit": (64,)}
_USUAL = ("text", "bigint", "int", "boolean", "timestamptz", "uuid", "numeric", "varchar", "jsonb", "date")
_DECLARES = frozenset(("ENTITY", "HYPERTABLE", "ENUM", "QUERY", "PROCEDURE", "JOB", "WORKFLOW", "EPHEMERAL"))


def names(request: Request) -> list[Completion]:
    position = request.position
    if not position.takes_name():
        # A comma that may be left out at a line's end.
        if position.bol and position.run.viable_sequence((k.COMMA, k.NAME, k.COLON)):
            return list(listed(request, position.before(k.COMMA)))
        return []
    symbols = position.before(k.NAME)
    return list(_names(request, symbols))


def _names(request: Request, symbols: tuple[str, ...]) -> Iterator[Completion]:
    position = request.position
    values = position.values
    tail = symbols[-1]
    if position.goes_to("type"):
        yield from types(request, symbols[-1] != "RSQB")
        return
    namespace = None
    if tail == "DOT":
        if "REFERENCES" in symbols[-5:]:
            yield from _path(request, symbols)
            return
        if symbols[-2] == "SELF":
            yield from _fields(request.own)
            return
        before = values[len(symbols) - 2] if len(values) >= len(symbols) - 1 else None
        namespace = before.text if isinstance(before, n.Name) else ""
        symbols = symbols[:-2]
        tail = symbols[-1]
        if tail in ("RSQB", "COLON") or tail == "NAME":
            yield from _enums(request, namespace)
            return
    match (symbols[-2] if len(symbols) > 1 else "", tail):
        case (_, "REFERENCES"):
            yield from _path(request, symbols)
        case ("NAME", "IN"):
            yield from _namespaces(request)
        case ("NAME", "ON"):
            yield from _fields(request.own, lambda f: f.type.base == "timestamptz")
        case ("NAME", "FOR") | ("OUTPUT", "AS") | ("TOUCHES", "LPAR") | ("refs", "COMMA"):
            yield from _entities(request, namespace, _taken(request, symbols) if tail == "COMMA" else ())
        case (_, "UPDATE" | "DELETE" | "INSERT"):
            yield from _entities(request, namespace)
        case ("ROW_CHECK" | "STRING", "AS"):
            return
        case (_, "ENQUEUE"):
            yield from _jobs(request, namespace, True)
        case ("step_body", "JOB"):
            yield from _jobs(request, namespace, False)
        case ("KEY_PRIMARY" | "KEY_UNIQUE" | "INDEX" | "PARTIAL", "BY") | ("names" | "columns", "COMMA"):
            before = flat(values[-2]) if tail == "COMMA" else ()
            named = (each.field if isinstance(each, n.IndexColumn) else each for each in before)
            given = {name.text for name in named if isinstance(name, n.Name)}
            yield from _fields(request.own, lambda f: has_equality(f.type), given)
        case ("HNSW", "ON"):
            yield from _fields(request.own, lambda f: f.type.base == "vector")
        case ("GIN", "ON"):
            yield from _fields(request.own, lambda f: f.type.base in ("jsonb", "tsvector") or f.type.dims > 0)
        case ("SOFT_DELETE" | "TOUCH_ON_UPDATE", "BY") | (_, "TTL_FIELD"):
            yield from _fields(request.own, lambda f: f.type.base == "timestamptz")
        case ("PARTITION", "BY"):
            yield from _fields(request.own)
        case ("NAME", "COLON") if symbols[-3] in ("HAS_MANY", "HAS_ONE"):
            yield from _bare_entities(request)
        case ("NAME", "VIA"):
            yield from _fields(request.entity(values[-2]))
        case ("WRITE", "LPAR"):
            yield from _bare_entities(request)
        case ("NAME", "WHERE"):
            yield from _fields(request.entity(values[-2]))
        case (_, "entity_body" | "hyper_body"):
            yield from _undeclared(request)
        case (_, "COMPENSATE"):
            yield from _steps(request)
        case _:
            yield from listed(request, symbols)


def _entities(request: Request, namespace: str | None, skip: Iterable[tuple[str, str]] = ()) -> Iterator[Completion]:
    left_out = set(skip)
    preferred = _sql_entities(request)
    found = [name for name in request.names("entity") if name not in left_out]
    if not preferred and request.owner is not None and request.owner is not request.own:
        preferred = {(request.owner.namespace, request.owner.name)}
    if preferred:
        found.sort(key=lambda name: name not in preferred)
    for space, name in found:
        if namespace is not None:
            if space == namespace:
                yield Completion(name, "entity", name, (), space, ("entity", f"{space}.{name}"))
            continue
        label = entity_label(request, space, name)
        yield Completion(label, "entity", label, (), space, ("entity", f"{space}.{name}"))
    if namespace is None:
        yield from _namespaces(request)


def _sql_entities(request: Request) -> set[tuple[str, str]]:
    """The entities whose tables the SQL of the block at the cursor names."""
    from atl.ide.completing.scopes import tables_in
    from atl.schema.sql_uses import entity_of_table

    decl = request.decl
    blocks: list[n.Node] = []
    if isinstance(decl, n.QueryDecl | n.ProcedureDecl):
        for part in decl.parts:
            blocks += part.steps if type(part) is n.Steps else [part]
    for block in blocks:
        if type(block) is n.Sql and request.around(block):
            found = (entity_of_table(request.scope, *table) for table in tables_in(block.sql.text))
            return {(entity.namespace, entity.name) for entity in found if entity is not None}
    return set()


def _taken(request: Request, symbols: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The entities before the comma at the cursor."""
    values = request.position.values
    for ref in flat(values[len(symbols) - 2]) if len(values) >= len(symbols) else ():
        entity = request.entity(ref)
        if entity is not None:
            yield entity.namespace, entity.name


def _bare_entities(request: Request) -> Iterator[Completion]:
    for space, name in request.names("entity"):
        yield Completion(name, "entity", name, (), space, ("entity", f"{space}.{name}"))


def _jobs(request: Request, namespace: str | None, call: bool) -> Iterator[Completion]:
    for space, name in request.names("job"):
        if namespace is not None and space != namespace:
            continue
        label = name if namespace is not None else job_label(request, space, name)
        job = request.scope.job(space, name)
        pieces: Pieces = ()
        if job is not None and request.bare_end:
            pieces = _call(label, job) if call else _use(request, label, job)
        stops = any(isinstance(piece, Stop) for piece in pieces)
        about = ("job", f"{space}.{name}")
        yield Completion(label, "job", plain(pieces) or label, pieces if stops else (), space, about, stops and call)
    if namespace is None:
        yield from _namespaces(request)


def _call(label: str, job: JobSymbol) -> Pieces:
    return (f"{label}(", Stop(0), ")") if job.args else (f"{label}()",)


def _use(request: Request, label: str, job: JobSymbol) -> Pieces:
    """A step's job, with what it has to be given."""
    required = required_arguments(request, job)
    if not required or has_arguments(request):
        return (label,)
    line = request.text[request.text.rfind("\n", 0, request.position.word_start) + 1 : request.position.word_start]
    return (label, "\n" if line.split()[:1] == ["job"] else " ", "args { ", *required, " }")


def _enums(request: Request, namespace: str | None) -> Iterator[Completion]:
    own = request.scope.namespace
    for space, name in request.names("enum"):
        if namespace is None or space == namespace:
            label = name if namespace is not None or space == own else f"{space}.{name}"
            yield Completion(label, "enum", label, (), space, ("enum", f"{space}.{name}"))


def _namespaces(request: Request) -> Iterator[Completion]:
    for name in request.namespaces:
        yield Completion(name, "namespace", name)


def types(request: Request, arrays: bool) -> Iterator[Completion]:
    usual = [BUILTINS[name] for name in _USUAL]
    for row in dict.fromkeys((*usual, *BUILTINS.values())):
        if not arrays and not row.element:
            continue
        about = ("type", row.name)
        if row.implied is not None or request.next == "(":
            yield Completion(row.name, "type", row.name, (), row.documentation, about)
        sample = _SAMPLES.get(row.name)
        if sample is not None and request.next != "(":
            pieces: list[str | Stop] = [f"{row.name}("]
            for at, number in enumerate(sample, 1):
                pieces += [", "] if at > 1 else []
                pieces.append(Stop(at, str(number)))
            label = f"{row.name}({'n' if len(sample) == 1 else 'p, s'})"
            made = (*pieces, ")")
            yield Completion(label, "type", plain(made), made, row.documentation, about)
    if arrays:
        yield from _enums(request, None)
        yield Completion("[]", "type", "[]", (), "a one-dimensional array", ("type", "[]"), True)


def _fields(
    owner: EntitySymbol | None, fits: Callable[[FieldSymbol], bool] | None = None, given: Container[str] = ()
) -> Iterator[Completion]:
    """All fields that are not given yet; those first that fit."""
    left = [field for field in owner.fields if field.name not in given] if owner is not None else []
    if fits is not None:
        left.sort(key=lambda field: not fits(field))
    for field in left:
        yield member_item(owner, field)


def _undeclared(request: Request) -> Iterator[Completion]:
    """Names that the entity's clauses use and that are no field yet."""
    own, decl = request.own, request.decl
    if own is None or not isinstance(decl, n.EntityDecl):
        return
    used: list[n.Name | None] = [decl.on]
    for member in decl.members:
        match member:
            case n.PrimaryBy() | n.UniqueBy():
                used += member.fields
            case n.Index():
                used += [column.field for column in member.columns]
            case n.HnswIndex() | n.GinIndex() | n.FieldClause():
                used.append(member.field)
            case _:
                pass
    for name in dict.fromkeys(each.text for each in used if each is not None):
        if own.field(name) is None:
            yield Completion(name, "field", f"{name} ", (), "used and not declared", (), True)


def _path(request: Request, symbols: tuple[str, ...]) -> Iterator[Completion]:
    """`references ns.Entity.field`: the whole path at once, or the part at the cursor."""
    values = request.position.values
    dots = len(symbols) - 1 - (len(symbols) - 1 - symbols[::-1].index("REFERENCES"))
    path = [value.text for value in values[len(values) - dots :: 2] if isinstance(value, n.Name)] if dots else []
    column = _field_before(request)
    if not path:
        if request.next != ".":
            for space, name in request.names("entity"):
                entity = request.scope.entity(space, name)
                key = entity.key if entity is not None else ()
                if entity is not None and len(key) == 1:
                    target = entity.field(key[0])
                    if column is None or target is None or can_reference(column, target.type):
                        text = f"{space}.{name}.{key[0]}"
                        yield Completion(text, "entity", text, (), "", ("entity", f"{space}.{name}"))
        yield from _namespaces(request)
    elif len(path) == 1:
        yield from _entities(request, path[0])
    else:
        entity = request.scope.entity(path[0], path[1])
        unique = {names[0] for names in entity.uniques if len(names) == 1} if entity is not None else set()
        yield from _fields(entity, lambda f: f.name in unique and (column is None or can_reference(column, f.type)))


def _field_before(request: Request) -> Type | None:
    """The type of the field whose modifiers are being written."""
    from atl.schema.types import type_of

    for value in reversed(request.position.values):
        if isinstance(value, n.TypeRef):
            return type_of(value, request.scope.namespace)
    return None


def _steps(request: Request) -> Iterator[Completion]:
    if not isinstance(request.decl, n.WorkflowDecl):
        return
    undone = {p.step.text for p in request.decl.parts if type(p) is n.Compensate and not request.around(p.step)}
    for part in request.decl.parts:
        if type(part) is n.Step and part.name.text not in undone:
            name = part.name.text
            template: Pieces = (f"{name} {{\n  job ", Stop(0), "\n}") if request.bare_end else ()
            yield Completion(name, "step", plain(template) or name, template, "", (), bool(template))
