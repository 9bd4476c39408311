"""Completion inside of comments, strings, predicates and SQL."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from atl.findings import CODES, Severity
from atl.ide.completing.item import Completion, Kind
from atl.ide.completing.lists import shown
from atl.ide.completing.request import Request
from atl.ide.completing.scopes import words_in
from atl.ide.completing.values import clause_strings, expected_type
from atl.ide.snippets import Stop
from atl.schema.symbols import FieldSymbol
from atl.source import Span
from atl.syntax import _table as k
from atl.syntax import nodes as n

__all__ = ["inside"]

_CODES_OPEN = re.compile(r"//[ \t]*atl:[ \t]*ignore(?:-file)?[ \t]*\[([^\]\n]*)\Z")
_HINT_OPEN = re.compile(r"//[ \t]*atl:[ \t]*([\w-]*)\Z")
_FRAGMENT_WORDS = words_in("and or not in is null between like ilike true false case when then else end")
_FUNCTIONS = words_in("length lower upper coalesce abs trim position")
_FRAGMENTS = frozenset(("CHECK", "ROW_CHECK", "EXPR", "BACKFILL", "RAW"))
_AT_ANY_TIME = frozenset(("CHECK", "ROW_CHECK", "RAW"))
"""Where what an expression gives may follow from the time."""


def inside(request: Request, offset: int) -> tuple[Span, list[Completion]]:
    """What to offer, and what it replaces."""
    position = request.position
    around = position.inside
    assert around is not None
    word = Span(position.word_start, position.word_end)
    match around.kind:
        case "comment":
            return _comment(request, around.start, offset)
        case "sql":
            from atl.ide.completing.sql import sql

            return word, list(sql(request, around.start, offset))
        case "predicate":
            return word, list(_fragment(request, around.start, offset, '"', "PREDICATE"))
        case _:
            return _string(request, around.start, offset)


# ---------------------------------------------------------------- comments


def _comment(request: Request, start: int, offset: int) -> tuple[Span, list[Completion]]:
    text = request.text
    before = text[start:offset]
    word = Span(request.position.word_start, request.position.word_end)
    found = _CODES_OPEN.match(before)
    if found is not None:
        given = {code.strip() for code in found[1].split(",")[:-1]}
        path = request.tree.file.path
        seen = dict.fromkeys(
            finding.code
            for finding in request.workspace.findings(path)
            if finding.severity is not Severity.ERROR and finding.code not in ("ATL014", "ATL015")
        )
        codes = [*(CODES[code] for code in seen), *(row for row in CODES.values() if row.code not in seen)]
        return word, [
            Completion(row.code, "code", row.code, (), row.name, ("code", row.code))
            for row in codes
            if row.severity is not Severity.ERROR and row.code not in given
        ]
    hint = _HINT_OPEN.match(before)
    if hint is not None:
        end = _extent(text, offset, "\n\r ")
        items = [
            Completion("ignore", "keyword", "ignore[]", ("ignore[", Stop(1), "]"), "silence a code here", (), True),
            Completion(
                "ignore-file", "keyword", "ignore-file[]", ("ignore-file[", Stop(1), "]"), "in this file", (), True
            ),
            Completion("renamed-from", "keyword", "renamed-from ", (), "the name that it had before"),
        ]
        return Span(start + hint.start(1), end), items
    return word, []


def _extent(text: str, at: int, stops: str) -> int:
    while at < len(text) and text[at] not in stops:
        at += 1
    return at


# ---------------------------------------------------------------- strings


def _string(request: Request, start: int, offset: int) -> tuple[Span, list[Completion]]:
    position = request.position
    text = request.text
    end = offset
    while end < len(text) and text[end] not in '"\n':
        end += 2 if text[end] == "\\" else 1
    whole = Span(start, min(end, len(text)))
    word = Span(position.word_start, position.word_end)
    if not position.viable(k.STRING):
        return word, []
    symbols = position.before(k.STRING)
    tail = symbols[-1]
    if tail in _FRAGMENTS:
        return word, list(_fragment(request, start, offset, "'", tail))
    if symbols[-2:] in (("TAG", "EQUAL"), ("TAG", "LPAR")):
        return _tag(request, offset)
    found = [Completion(text, "value", text, (), detail) for text, detail in clause_strings(request, tail)]
    enum = request.enum(expected_type(request)) if not found else None
    if enum is not None:
        id = f"{enum.namespace}.{enum.name}"
        found = [Completion(label, "label", label, (), id, ("enum", id)) for label in enum.labels]
    return whole, found


def _tag(request: Request, offset: int) -> tuple[Span, list[Completion]]:
    """`{field}` placeholders."""
    position = request.position
    text = request.text
    names: Iterable[FieldSymbol] = request.own.fields if request.own is not None else request.inputs
    kind: Kind = "field" if request.own is not None else "input"
    braced = text[position.word_start - 1] == "{"
    closed = text[position.word_end : position.word_end + 1] == "}"
    found = []
    for field in names:
        new = field.name + ("" if closed else "}") if braced else "{" + field.name + "}"
        found.append(Completion(field.name if braced else new, kind, new, (), shown(field)))
    # Outside of braces the letters typed so far are the tag's own.
    span = Span(position.word_start, position.word_end) if braced else Span(offset, offset)
    return span, found


def _fragment(request: Request, start: int, offset: int, quote: str, symbol: str) -> Iterator[Completion]:
    """Columns of the declaration as far as the clause of that symbol can name them, and the words of expressions."""
    before = request.text[start : request.position.word_start]
    if before.count(quote) % 2:
        return
    id = f"{request.own.namespace}.{request.own.name}" if request.own is not None else ""
    # A backfill, which stands behind name, type and modifiers, cannot read the column that it fills.
    filled = request.position.values[-4] if symbol == "BACKFILL" else None
    for field in request.members if symbol != "RAW" else ():
        if isinstance(filled, n.Name) and field.name == filled.text:
            continue
        about = ("field", id, field.name) if id else ()
        yield Completion(field.name, "column", field.name, (), shown(field), about)
    for word in _FRAGMENT_WORDS:
        yield Completion(word, "keyword", word)
    if symbol in _AT_ANY_TIME:
        yield Completion("now()", "function", "now()")
    for name in _FUNCTIONS:
        yield Completion(name, "function", f"{name}()", (f"{name}(", Stop(1), ")"))
