"""Words at the cursor: clauses not yet used, modifiers that fit, declarations, the small words of values."""

from __future__ import annotations

from collections.abc import Iterator

from atl.ide.completing.filled import begun, filled, opened
from atl.ide.completing.item import Completion, Kind
from atl.ide.completing.request import Request, quoted
from atl.ide.completing.values import expected_type
from atl.ide.snippets import Pieces, Stop, plain, template
from atl.schema.literals import takes_now
from atl.schema.types import Family, Type, family, has_equality, integer_range, type_of
from atl.schema.words import WORDS, Word, words_of
from atl.syntax import _table as k
from atl.syntax import nodes as n

__all__ = ["words"]

_MODIFIERS_OF = {
    "entity": None,
    "hyper": None,
    "fields": ("not null", "default", "check"),
    "ephemeral": ("primary", "not null", "default", "check"),
}
_KINDS = {
    k.KEY_PRIMARY: "primary by",
    k.KEY_UNIQUE: "unique by",
    k.UNIQUE_INDEX: "unique index partial",
    k.NOT: "not null",
}
_FOLLOWS = {k.SET: "set null"}
_ONCE: dict[type[n.Node], str] = {
    n.PrimaryBy: "primary by",
    n.Keyless: "keyless",
    n.TableClause: "table",
    n.QueryTimeout: "query_timeout",
    n.Cache: "cache",
    n.ChunkInterval: "chunk_time_interval",
    n.ReadThrough: "read_through",
    n.InvalidateOn: "invalidate_on",
    n.Consistency: "consistency",
    n.Args: "args",
    n.Retries: "retries",
    n.Timeout: "timeout",
    n.Heartbeat: "heartbeat",
    n.Queue: "queue",
    n.Schedule: "schedule",
    n.VisibleTo: "visible_to",
    n.State: "state",
    n.JobUse: "job",
    n.StepArgs: "args",
    n.Ttl: "ttl",
    n.Input: "input",
    n.Output: "output",
    n.Sql: "sql",
    n.Steps: "steps",
    n.Invalidate: "invalidate",
}


def words(request: Request) -> list[Completion]:
    """Modifiers before members on a field's own line, members first at the start of a line."""
    position = request.position
    members: list[Completion] = []
    modifiers: list[Completion] = []
    others: list[Completion] = []
    used: set[str] | None = None
    seen: set[str] = set()
    for kind, text in position.words():
        symbols = position.before(kind)
        body = k.BODIES.get(position.top(kind), "")
        last = symbols[-1] if symbols else ""
        if last == "decls":
            members += _declaration(request, text)
        elif last == "mods":
            modifiers += _modifier(request, _KINDS.get(kind, text), symbols)
        elif body and body != "fields":
            if used is None:
                used = _used(request)
            first = _KINDS.get(kind, text)
            for row in words_of(body):
                if (row.word == first or row.word.split()[0] == first) and row.word not in seen:
                    seen.add(row.word)
                    if not (row.once and row.word in used):
                        members += _clause(request, row)
        else:
            others += _small(request, kind, text)
    members.sort(key=_order)
    modifiers.sort(key=_order)
    others += _split_words(request)
    found = [*members, *modifiers] if position.bol else [*modifiers, *members]
    return [*others, *found]


_RANKS = {key: at for at, key in enumerate(WORDS)}


def _order(item: Completion) -> int:
    return _RANKS.get((item.about[1], item.about[2]), 0) if item.about else 0


def _made(request: Request, label: str, kind: Kind, form: str, about: tuple[str, ...], detail: str = "") -> Completion:
    """A template where nothing stands behind the cursor, else the words before its first place alone."""
    first = label.split()[0] if not request.bare_end else ""
    if first:
        return Completion(first, kind, first, (), detail, about)
    whole = template(form)
    pieces = opened(filled(request, begun(whole)))
    stops = [piece for piece in pieces if isinstance(piece, Stop)]
    again = bool(stops) and not min(stops, key=lambda stop: stop.number or len(stops) + 1).text
    return Completion(label, kind, plain(filled(request, whole)), pieces if stops else (), detail, about, again)


def _declaration(request: Request, text: str) -> Iterator[Completion]:
    row = WORDS.get(("file", text))
    if row is not None:
        yield _made(request, text, "keyword", row.form, ("word", "file", text))


def _clause(request: Request, row: Word) -> Iterator[Completion]:
    detail = f"{row.usual} when left out" if row.usual else ""
    yield _made(request, row.word, "clause", row.form, ("word", row.owner, row.word), detail)


def _used(request: Request) -> set[str]:
    """The clauses of the innermost body that are there, but for one at the cursor."""
    decl = request.decl
    nodes: list[n.Node] = []
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            nodes = list(decl.members)
        case n.JobDecl():
            nodes = list(decl.clauses)
        case n.WorkflowDecl() | n.QueryDecl() | n.ProcedureDecl():
            nodes = list(decl.parts)
    at = request.relative(request.position.word_start)
    for node in nodes:
        if isinstance(node, n.Step | n.Compensate | n.Cache) and node.start < at < node.end:
            nodes = list(node.parts)
            break
    found = {_ONCE[type(node)] for node in nodes if type(node) in _ONCE and not (node.start <= at <= node.end)}
    return found | {node.word for node in nodes if type(node) is n.FieldClause and not node.start <= at <= node.end}


# ---------------------------------------------------------------- modifiers


def _modifier(request: Request, word: str, symbols: tuple[str, ...]) -> Iterator[Completion]:
    position = request.position
    at = len(symbols)
    values = position.values
    body = next((k.BODIES[s] for s in reversed(position.run.states[: at - 1]) if s in k.BODIES), "entity")
    allowed = _MODIFIERS_OF.get(body)
    row = WORDS.get(("modifier", word))
    if row is None or (allowed is not None and word not in allowed):
        return
    given: list[object] = list(values[at - 1]) if at <= len(values) and isinstance(values[at - 1], list) else []
    ref = values[at - 2] if at - 1 <= len(values) else None
    type_ = type_of(ref, request.scope.namespace) if isinstance(ref, n.TypeRef) else None
    flags = {m.word for m in given if type(m) is n.Flag}
    types = {type(m) for m in given}
    if word in flags or (word == "default" and n.Default in types) or (word == "references" and n.References in types):
        return
    if word == "references" and "REFERENCES" in position.symbols():
        return
    if word == "backfill" and n.Backfill in types:
        return
    generated = flags & {"identity", "serial"}
    if word in ("identity", "serial", "default") and (generated or (word != "default" and n.Default in types)):
        return
    if type_ is not None and not _fits(word, type_):
        return
    about = ("word", "modifier", word)
    if word == "default" and type_ is not None and request.bare_end:
        for text, pieces in _defaults(request, type_):
            yield Completion(text, "modifier", plain(pieces), pieces if len(pieces) > 1 else (), "", about, True)
    yield _made(request, word, "modifier", row.form, about)


def _fits(word: str, type_: Type) -> bool:
    if not type_.known or type_.enum:
        return word not in ("identity", "serial")
    if word == "identity":
        return integer_range(type_) is not None
    if word == "serial":
        return type_.base in ("int", "bigint") and not type_.dims
    return word not in ("primary", "unique", "references") or has_equality(type_)


def _defaults(request: Request, type_: Type) -> Iterator[tuple[str, Pieces]]:
    if type_.dims or not type_.known:
        return
    enum = request.enum(type_)
    if enum is not None and enum.labels:
        for label in enum.labels[:20]:
            yield f"default {quoted(label)}", (f"default {quoted(label)}",)
    elif type_.enum:
        return
    elif type_.base == "boolean":
        yield "default false", ("default false",)
        yield "default true", ("default true",)
    elif takes_now(type_):
        yield "default now()", ("default now()",)
    elif integer_range(type_) is not None or type_.base in ("numeric", "real", "double"):
        yield "default 0", ("default ", Stop(1, "0"))
    elif family(type_) is Family.TEXT:
        yield 'default ""', ('default "', Stop(1), '"')
    elif type_.base == "uuid":
        yield 'default raw "gen_random_uuid()"', ('default raw "gen_random_uuid()"',)
    elif type_.base in ("json", "jsonb"):
        yield 'default "{}"', ('default "', Stop(1, "{}"), '"')


# ---------------------------------------------------------------- other words

_TEMPLATES = {
    "where": "where <condition>",
    "touches": "touches(<Entity>) {\n  <>\n}",
    "now": "now()",
    "raw": 'raw "<expression>"',
    "expr": 'expr "<expression>"',
}


def _small(request: Request, kind: int, text: str) -> Iterator[Completion]:
    position = request.position
    if position.goes_to("label"):
        return
    about = ("word", "value", _FOLLOWS.get(kind, text))
    if kind in (k.TRUE, k.FALSE, k.NOW) and not _value_fits(request, kind):
        return
    if kind == k.AND and position.before(kind)[-3:-1] == ("NAME", "COLON"):
        # The grammar reads a comparison as an argument, to say that it is none.
        return
    if kind == k.NOW:
        yield from _now(request, about)
        return
    shown = _FOLLOWS.get(kind, text) if request.bare_end else text
    if kind == k.SET and not position.viable(k.CASCADE):
        shown = text
    form = _TEMPLATES.get(shown)
    if form is not None and request.bare_end and request.next != "(":
        yield _made(request, shown, "keyword", form, about)._replace(again=True)
    else:
        yield Completion(shown, "keyword", shown, (), "", about, True)


def _value_fits(request: Request, kind: int) -> bool:
    """Whether `true`, `false` or `now()` can be a value of the type that is expected."""
    type_ = expected_type(request)
    if type_ is None or not type_.known:
        return request.position.symbols()[-1:] not in (("TIMEOUT",), ("RETRIES",), ("HEARTBEAT",))
    if kind == k.NOW:
        return takes_now(type_)
    return type_.base == "boolean" and not type_.dims


def _now(request: Request, about: tuple[str, ...]) -> Iterator[Completion]:
    text = "now" if request.next == "(" else "now()"
    yield Completion(text, "value", text, (), "", about)


def _split_words(request: Request) -> Iterator[Completion]:
    """What may follow a word that the text so far reads as a modifier: `primary` and `unique` can begin a member."""
    tokens = request.position.run.tokens
    last = tokens[-2][3] if len(tokens) > 1 else ""
    body = any(state in k.BODIES for state in request.position.run.states)
    if body and last in ("primary", "unique") and not request.position.viable(k.BY):
        for word in ("by", "index") if last == "unique" else ("by",):
            yield Completion(word, "keyword", word, (), "", ("word", "entity", f"{last} by"), True)
