"""Semantic tokens."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, NamedTuple

from atl.ide.names import KIND_OF_TARGET, named
from atl.ide.places import included
from atl.ide.use_index import use_index
from atl.schema.targets import Use
from atl.source import Span
from atl.syntax.lexer import tokens
from atl.syntax.tree import Token, Unit

if TYPE_CHECKING:
    from atl.schema.index import Key
    from atl.syntax.tree import FileTree
    from atl.workspace.live import Workspace

__all__ = ["KINDS", "MODIFIERS", "SemanticToken", "semantic_tokens"]

KINDS = (
    "namespace",
    "class",
    "enum",
    "enumMember",
    "function",
    "type",
    "property",
    "parameter",
    "variable",
    "keyword",
    "decorator",
    "string",
    "number",
    "operator",
    "comment",
)
"""The protocol's standard names, in the order of the legend."""

MODIFIERS = ("declaration", "defaultLibrary", "readonly")


class SemanticToken(NamedTuple):
    """On one line. modifiers: names of MODIFIERS."""

    start: int
    end: int
    kind: str
    modifiers: tuple[str, ...] = ()


_Found = tuple[int, int, str, tuple[str, ...]]
"""start, end, kind, modifiers; relative to a unit."""


@included
def semantic_tokens(workspace: Workspace, path: str, within: Span | None = None) -> list[SemanticToken]:
    """The tokens of a file, or those that touch a span, in the order of the text, none overlapping."""
    tree = workspace.tree(path)
    found: list[SemanticToken] = []
    index, kept = use_index(workspace), _kept(workspace)
    if tree is not None:
        kept.forget(path, tree)
    for unit in tree.units if tree is not None else ():
        base = unit.anchor.start
        if within is not None and (base > within.end or base + len(unit.chunk.text) < within.start):
            continue
        for start, end, kind, modifiers in kept.tokens(unit, index.of_unit(unit)):
            if within is None or (base + start <= within.end and base + end >= within.start):
                found.append(SemanticToken(base + start, base + end, kind, modifiers))
    return found


class _Kept:
    """The tokens of the units of files that were asked for: an edit costs its declarations."""

    def __init__(self) -> None:
        self._files: dict[str, FileTree] = {}
        self._units: dict[Unit, tuple[Sequence[Use], list[_Found]]] = {}

    def outdate(self, keys: set[Key]) -> None:
        """Nothing: other answers give other uses."""

    def forget(self, path: str, tree: FileTree) -> None:
        """Let go of what has gone from a file."""
        old = self._files.get(path)
        if old is not None and old is not tree:
            there = set(tree.units)
            for unit in old.units:
                if unit not in there:
                    self._units.pop(unit, None)
        self._files[path] = tree

    def tokens(self, unit: Unit, uses: Sequence[Use]) -> list[_Found]:
        found = self._units.get(unit)
        if found is None or found[0] is not uses:
            found = self._units[unit] = uses, list(_of_unit(unit, uses))
        return found[1]


def _kept(workspace: Workspace) -> _Kept:
    for companion in workspace.core.companions:
        if type(companion) is _Kept:
            return companion
    made = _Kept()
    workspace.core.companions.append(made)
    return made


def _of_unit(unit: Unit, uses: Sequence[Use]) -> Iterator[_Found]:
    text = unit.chunk.text
    names: dict[int, _Found] = {}
    for decl in unit.chunk.declarations:
        for name, kind, modifiers in named(decl):
            names[name.start] = (name.start, name.end, kind, modifiers)
    for use in uses:
        kind = KIND_OF_TARGET[use.target.kind]
        names[_begin(use)] = (_begin(use), use.end, kind, ("declaration",) if use.declares else ())
    starts = sorted(names)
    bodies = [(decl.open, decl.close) for decl in unit.chunk.declarations]
    end = 0
    for token in tokens(text):
        inside = [names[start] for start in starts[bisect_left(starts, token.start) : bisect_left(starts, token.end)]]
        for found in _pieces(token, inside, bodies):
            for line in _lines(text, found):
                # A name may be wider than its token (`shop.item` in SQL), and stands for what it covers then.
                if line[0] >= end:
                    yield line
                    end = line[1]


def _begin(use: Use) -> int:
    return use.start - 1 if use.form == "parameter" else use.start


def _lines(text: str, found: _Found) -> Iterator[_Found]:
    """A token that goes over several lines, line by line."""
    start, end, kind, modifiers = found
    if "\n" not in text[start:end]:
        yield found
        return
    while start < end:
        line = text.find("\n", start, end)
        stop = end if line < 0 else line
        if text[start:stop].strip():
            yield start, stop - (text[stop - 1] == "\r"), kind, modifiers
        start = stop + 1


def _pieces(token: Token, inside: list[_Found], bodies: list[tuple[int, int]]) -> Iterator[_Found]:
    start, end = token.start, token.end
    match token.kind:
        case "word":
            if inside:
                yield inside[0]
            else:
                yield start, end, _word(token, bodies), ()
        case "string":
            yield from _between(start, end, inside, "string")
        case "sql" | "predicate":
            yield from _sql(token, inside)
        case "parameter":
            yield inside[0] if inside else (start, end, "parameter", ())
        case "number":
            yield start, end, "number", ()
        case "comment":
            yield start, end, "comment", ()
        case "sign" if token.text in ("=", "!=", "<", "<=", ">", ">="):
            yield start, end, "operator", ()
        case _:
            pass


_PLAIN_WORDS = frozenset(
    ("and", "as", "asc", "by", "desc", "for", "in", "now", "on", "self", "set", "true", "false", "none", "via")
) | frozenset(("where", "write", "cascade", "restrict", "strict", "eventual", "cosine", "l2", "ip", "ops", "expr"))


def _word(token: Token, bodies: list[tuple[int, int]]) -> str:
    """A word of the language: a clause's is a decorator, any other a keyword."""
    in_body = any(opening >= 0 and token.start > opening for opening, _ in bodies)
    return "decorator" if in_body and token.text not in _PLAIN_WORDS else "keyword"


def _between(start: int, end: int, inside: list[_Found], kind: str) -> Iterator[_Found]:
    """What is named in a string, and the string between."""
    at = start
    for found in inside:
        if found[0] > at:
            yield at, found[0], kind, ()
        yield found
        at = found[1]
    if at < end:
        yield at, end, kind, ()


_SQL_KINDS = {"string": "string", "number": "number", "comment": "comment", "line comment": "comment"}


def _sql(token: Token, inside: list[_Found]) -> Iterator[_Found]:
    from atl.ide.sql_words import SQL_WORDS
    from atl.postgres import scan

    named_at = {found[0]: found for found in inside}
    at = token.start
    predicate = token.kind == "predicate"
    for word in scan.tokens(token.text):
        start, end = token.start + word.start, token.start + word.end
        if start < at:
            continue
        text = token.text[word.start : word.end]
        if start in named_at:
            yield named_at[start]
            at = named_at[start][1]
        elif word.kind in _SQL_KINDS:
            yield start, end, _SQL_KINDS[word.kind], ()
        elif word.kind in ("parameter", "positional"):
            yield start, end, "parameter", ()
        elif word.kind == "word" and text.lower() in SQL_WORDS:
            yield start, end, "keyword", ()
        elif word.kind == "word" and token.text[word.end :].lstrip()[:1] == "(":
            yield start, end, "function", ("defaultLibrary",)
        elif word.kind == "quoted":
            yield start, end, "string" if predicate else "variable", ()
        elif word.kind == "word":
            yield start, end, "variable", ()
