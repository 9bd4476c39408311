"""Completion in SQL: tables, columns of the tables in scope, inputs, keywords. Works token by token, so that it needs
no statement that can be parsed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TypeAlias

from atl.ide.completing.blocks import Block, Source
from atl.ide.completing.item import Completion
from atl.ide.completing.lists import shown
from atl.ide.completing.request import Request
from atl.ide.completing.scopes import CURSOR, block_at, folded, words_in
from atl.ide.completing.values import parameters
from atl.ide.snippets import Stop, plain
from atl.postgres.scan import tokens
from atl.schema.naming import SCHEMA, default_physical, snake_case
from atl.schema.sql_uses import entity_of_table
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n
from atl.syntax.raw import sql_end

__all__ = ["sql"]

_KEYWORDS = words_in(
    "select from where join left join on and or not in is null group by having order by asc desc limit offset distinct "
    "as with union all exists between like ilike case when then else end true false using returning insert into values "
    "update set delete for over partition by filter any array interval lateral conflict do nothing nulls first last "
    "skip locked excluded"
)
_STARTS = ("select", "with")
_WRITES = ("insert", "update", "delete")
_FUNCTIONS = words_in(
    "count sum min max avg coalesce now lower upper length greatest least array_agg string_agg jsonb_build_object "
    "jsonb_agg array_length date_trunc extract row_number gen_random_uuid pg_notify unnest"
)
_UPPER = re.compile(r"\b(?:SELECT|INSERT|UPDATE|DELETE|FROM|WITH)\b")
_TABLE_FOLLOWS = frozenset(("from", "join", "into", "update", "using", "only"))


def sql(request: Request, start: int, offset: int) -> Iterator[Completion]:
    position = request.position
    text = request.text
    before = text[start : position.word_start]
    read = list(tokens(text[start:offset]))
    last = read[-1] if read else None
    open_ended = last is not None and (last.open or last.kind == "line comment") and last.kind != "quoted"
    if open_ended and last is not None and last.end == offset - start:
        return
    end = sql_end(text, start, len(text))
    whole = text[start:end] if end >= 0 else text[start:offset]
    ahead = [token for token in tokens(before) if token.kind not in ("comment", "line comment")]
    words = [folded(before, token) for token in ahead]
    if position.typed.startswith("$"):
        yield from parameters(request, None)
        return
    around = block_at(whole, position.word_start - start, min(position.word_end - start, len(whole)))
    upper = position.typed.isupper() or (_UPPER.search(whole) is not None and not position.typed.islower())
    if not words:
        first = _STARTS if isinstance(request.decl, n.QueryDecl) else _STARTS + _WRITES
        for word in first:
            yield Completion(word.upper(), "keyword", word.upper()) if upper else Completion(word, "keyword", word)
    if words[-1:] == ["."]:
        yield from _qualified(request, words[-2] if len(words) > 1 else "", around)
        return
    wants_table = bool(words) and (words[-1] in _TABLE_FOLLOWS or (words[-1] == "," and _in_from(words)))
    tables = list(_tables(request))
    if wants_table:
        yield from _with_names(around)
        yield from tables
    yield from _columns(request, around)
    for item in around.items:
        if item.name:
            yield Completion(item.name, "column", item.name)
    yield from parameters(request, None)
    for block in around.seen():
        for source in block.sources:
            if source.alias not in ("", CURSOR, source.name):
                yield Completion(source.alias, "table", source.alias, (), source.name)
    if not wants_table:
        yield from tables
    for word in _KEYWORDS:
        shown_as = word.upper() if upper else word
        yield Completion(shown_as, "keyword", shown_as)
    for name in _FUNCTIONS:
        pieces = (f"{name}(", Stop(1), ")") if request.next != "(" else (name,)
        yield Completion(name, "function", plain(pieces), pieces if len(pieces) > 1 else ())


def _in_from(words: list[str]) -> bool:
    """Whether a comma stands in a FROM list, not in a list of columns."""
    depth = 0
    for word in reversed(words):
        depth += (word == ")") - (word == "(")
        if depth < 0:
            return False
        if depth == 0 and word in ("from", "using"):
            return True
        if depth == 0 and word in ("select", "where", "on", "by", "set", "values", "returning", "having"):
            return False
    return False


def _with_names(around: Block) -> Iterator[Completion]:
    for block in around.around():
        for name in block.named:
            yield Completion(name, "table", name, (), "with")


def _tables(request: Request) -> Iterator[Completion]:
    touched = {(e.namespace, e.name) for e in _touched(request)}
    for space, name in sorted(request.names("entity"), key=lambda each: each not in touched):
        text = f"{space}.{snake_case(name)}"
        yield Completion(text, "table", text, (), name, ("entity", f"{space}.{name}"))
        entity = request.scope.entity(space, name)
        if entity is not None and entity.table[1] and entity.table != default_physical(space, name):
            chosen = ".".join(entity.table)
            yield Completion(chosen, "table", chosen, (), name, ("entity", f"{space}.{name}"))


def _touched(request: Request) -> list[EntitySymbol]:
    """The entities that the block's `touches` lists."""
    refs = next((value for value in reversed(request.position.values) if isinstance(value, list)), [])
    found = [request.entity(ref) for ref in refs if isinstance(ref, n.Ref)]
    return [entity for entity in found if entity is not None]


def _qualified(request: Request, qualifier: str, around: Block) -> Iterator[Completion]:
    for block in around.seen():
        for source in block.sources:
            if source.alias == qualifier or qualifier == "excluded":
                yield from _given_by(request, block, source, {})
                return
    for space, name in request.names("entity"):
        entity = request.scope.entity(space, name)
        if space.lower() == qualifier:
            text = snake_case(name)
        elif entity is not None and entity.table[0].lower() == qualifier:
            text = entity.table[1]
        elif qualifier == SCHEMA:
            text = f"{space}_{snake_case(name)}".lower()
        else:
            continue
        yield Completion(text, "table", text, (), f"{space}.{name}", ("entity", f"{space}.{name}"))


def _columns(request: Request, around: Block) -> Iterator[Completion]:
    """Of what the innermost query reads first, then of what those around it read."""
    known: _Known = {}
    found = False
    for block in around.seen():
        for source in block.sources:
            for column in _given_by(request, block, source, known):
                found = True
                yield column
    if not found:
        for entity in _touched(request):
            yield from _of(entity)


_MOST = 2000
"""Columns of one query; more are not looked through, and queries that read each other double them."""

_Known: TypeAlias = "dict[Block, list[Completion]]"


def _given_by(request: Request, block: Block, source: Source, known: _Known) -> list[Completion]:
    """The columns of what a query reads. known: what was found out about others, once each."""
    found: list[Completion] = []
    named = block.with_name(source.name) if source.schema is None and source.block is None else None
    if source.block is not None:
        found = _outputs(request, source.block, known)
    elif named is not None:
        found = _given_by(request, block, named, known) if named.block is not None else []
    else:
        entity = entity_of_table(request.scope, source.schema, source.name)
        found = list(_of(entity)) if entity is not None else []
    found = found[:_MOST]
    for at, name in enumerate(source.columns):
        detail = found[at].detail if at < len(found) else ""
        found[at : at + 1] = [Completion(name, "column", name, (), detail)]
    return found


def _outputs(request: Request, block: Block, known: _Known) -> list[Completion]:
    """The columns that a query gives; while they are looked for, as a recursive one does of itself, none."""
    if block in known:
        return known[block]
    known[block] = []
    reads = [(source.alias, _given_by(request, block, source, known)) for source in block.sources]
    by_name = {column.label: column for _, columns in reversed(reads) for column in columns}
    found: list[Completion] = []
    for item in block.items[:_MOST]:
        if item.star is not None:
            found += [column for alias, columns in reads if item.star in ("", alias) for column in columns]
            del found[_MOST:]
        elif item.name:
            found.append(by_name.get(item.name) or Completion(item.name, "column", item.name))
    known[block] = found
    return found


def _of(entity: EntitySymbol) -> Iterator[Completion]:
    id = f"{entity.namespace}.{entity.name}"
    for field in entity.fields:
        yield Completion(
            field.name, "column", field.name, (), f"{shown(field)}, {entity.name}", ("field", id, field.name)
        )
