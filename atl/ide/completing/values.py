"""Values at the cursor: parameters that fit first, labels, literals, columns."""

from __future__ import annotations

from collections.abc import Iterator

from atl.ide.completing.item import Completion, Kind
from atl.ide.completing.lists import called_job, set_entity, shown
from atl.ide.completing.request import Request, quoted
from atl.ide.snippets import Stop
from atl.schema.conversions import assignable, comparable, may_not_fit
from atl.schema.symbols import FieldSymbol
from atl.schema.types import Family, Type, family, type_of
from atl.syntax import _table as k
from atl.syntax import nodes as n

__all__ = ["clause_strings", "expected_type", "values"]


def values(request: Request) -> list[Completion]:
    position = request.position
    found: list[Completion] = []
    takes_string = position.viable(k.STRING)
    if position.symbols()[-1:] in (("TIMEOUT",), ("HEARTBEAT",)) or position.goes_to("duration"):
        short = position.symbols()[-2:-1] == ("QUERY_TIMEOUT",)
        return [Completion(text, "value", text) for text in (_QUERY_TIMEOUTS if short else _DURATIONS)]
    if not takes_string and not position.viable(k.PARAM):
        return found
    typed_as = expected_type(request)
    if position.viable(k.PARAM):
        found += parameters(request, typed_as)
        if position.symbols()[-1:] in (("WHERE",), ("AND",)):
            # What is compared stands on the left.
            found = [*columns(request, None), *found]
    if takes_string and typed_as is not None:
        enum = request.enum(typed_as)
        found += [
            Completion(quoted(label), "label", quoted(label), (), typed_as.enum, ("enum", typed_as.enum))
            for label in (enum.labels if enum is not None else ())
        ]
    if takes_string and typed_as is not None and request.bare_end:
        found += _written(typed_as)
    if position.takes_name() and position.viable(k.PARAM) and not _inserts(position.before(k.NAME)):
        found += columns(request, typed_as)
    if takes_string and not found and not position.goes_to("label"):
        found += _strings(request)
    return found


def _inserts(symbols: tuple[str, ...]) -> bool:
    """Whether the step at the cursor is an `insert`, which has no row to read a column from."""
    step = next((s for s in reversed(symbols) if s in ("INSERT", "UPDATE", "DELETE", "ENQUEUE", "steps_body")), "")
    return step == "INSERT"


def parameters(request: Request, typed_as: Type | None, dollar: bool = True) -> Iterator[Completion]:
    """`$name` of each input or state field, in the order in which they fit."""
    kind: Kind = "state" if isinstance(request.decl, n.WorkflowDecl) else "input"
    for field in sorted(request.inputs, key=lambda field: _distance(field, typed_as)):
        text = f"${field.name}" if dollar else field.name
        yield Completion(text, kind, text, (), shown(field))


_SAMPLES = {"interval": "1 day", "date": "2000-01-31", "time": "09:00", "json": "{}", "jsonb": "{}"}


def _written(type_: Type) -> Iterator[Completion]:
    """A string of a type that is written as one."""
    if type_.dims == 0 and (type_.base in _SAMPLES or family(type_) is Family.TEXT):
        sample = _SAMPLES.get(type_.base, "")
        yield Completion(quoted(sample), "value", quoted(sample), ('"', Stop(1, sample), '"'))


def _distance(field: FieldSymbol, typed_as: Type | None) -> int:
    if typed_as is None:
        return 0
    if field.type == typed_as:
        return 0
    if not assignable(field.type, typed_as):
        return 3
    return 2 if may_not_fit(field.type, typed_as) else 1


def columns(request: Request, typed_as: Type | None) -> Iterator[Completion]:
    entity = set_entity(request, request.position.before(k.NAME))
    fields = entity.fields if entity is not None else ()
    id = f"{entity.namespace}.{entity.name}" if entity is not None else ""
    for field in sorted(fields, key=lambda f: typed_as is not None and not comparable(f.type, typed_as)):
        yield Completion(field.name, "field", field.name, (), shown(field), ("field", id, field.name))


def expected_type(request: Request) -> Type | None:
    """The type of what the value at the cursor goes into or is compared with."""
    position = request.position
    kind = k.STRING if position.viable(k.STRING) else k.PARAM if position.viable(k.PARAM) else k.NAME
    symbols = position.before(kind)
    stack = position.values
    if len(stack) < len(symbols):
        return None
    if symbols[-1] == "DEFAULT":
        ref = next((value for value in reversed(stack) if isinstance(value, n.TypeRef)), None)
        return type_of(ref, request.scope.namespace) if ref is not None else None
    if symbols[-2:] == ("NAME", "COLON"):
        job = called_job(request, symbols)
        name = stack[len(symbols) - 2]
        arg = job.arg(name.text) if job is not None and isinstance(name, n.Name) else None
        return arg.type if arg is not None else None
    if symbols[-2:] == ("NAME", "EQUAL") or symbols[-1] in ("operator", "EQUAL", "NE", "LT", "LE", "GT", "GE"):
        entity = set_entity(request, symbols)
        left = stack[len(symbols) - 2]
        name = left if isinstance(left, n.Name) else left.name if isinstance(left, n.Column) else None
        field = entity.field(name.text) if entity is not None and isinstance(name, n.Name) else None
        return field.type if field is not None else None
    return None


_QUERY_TIMEOUTS = ("100ms", "500ms", "1s", "5s", "10s", "30s")
_CRON = (
    ("* * * * *", "every minute"),
    ("*/5 * * * *", "every five minutes"),
    ("*/15 * * * *", "every quarter of an hour"),
    ("0 * * * *", "every hour"),
    ("0 */6 * * *", "every six hours"),
    ("0 0 * * *", "every day at midnight"),
    ("0 3 * * *", "every day at 03:00"),
    ("0 9 * * 1-5", "every working day at 09:00"),
    ("0 0 * * 0", "every Sunday at midnight"),
    ("0 0 1 * *", "on the first of every month"),
    ("0 0 1 1 *", "on the first of January"),
)
_DURATIONS = ("30s", "1m", "5m", "15m", "30m", "1h", "6h", "24h", "7d")


def clause_strings(request: Request, symbol: str) -> Iterator[tuple[str, str]]:
    """What a clause's string is elsewhere in the workspace, by the symbol before it."""
    if symbol == "SCHEDULE":
        yield from _CRON
    elif symbol == "QUEUE":
        for value in dict.fromkeys([*request.strings_of(n.Queue), "default"]):
            yield value, ""
    elif symbol == "VISIBLE_TO":
        caller = request.workspace.config.caller
        for value in dict.fromkeys([*([caller] if caller else []), *request.strings_of(n.VisibleTo), "*"]):
            yield value, "this workspace" if value == caller else ""


def _strings(request: Request) -> Iterator[Completion]:
    """Whole strings where the clause before the cursor takes one, and nothing is there yet."""
    symbols = request.position.before(k.STRING)
    found = False
    for text, detail in clause_strings(request, symbols[-1]):
        found = True
        yield Completion(quoted(text), "value", quoted(text), (), detail)
    if not found and not request.position.viable(k.INT) and request.bare_end:
        yield Completion('""', "value", '""', ('"', Stop(1), '"'), "", (), True)
