"""Semantic tokens: whole, by their changes, and of a range."""

from __future__ import annotations

from lsprotocol import types as t

from atl.ide import tokens as ide
from atl.source import Span
from atl_lsp.session import Here, Session

__all__ = ["LEGEND", "Tokens"]

LEGEND = t.SemanticTokensLegend(list(ide.KINDS), list(ide.MODIFIERS))

_KIND = {name: number for number, name in enumerate(ide.KINDS)}
_MODIFIER = {name: 1 << number for number, name in enumerate(ide.MODIFIERS)}
_KEPT = 50  # documents


class Tokens:
    """Remembers what each document's last answer was, for the changes against it."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._last: dict[str, tuple[str, list[int]]] = {}
        self._count = 0

    def full(self, params: t.SemanticTokensParams) -> t.SemanticTokens | None:
        here = self._session.here(params.text_document.uri)
        if here is None:
            return None
        data = _encoded(here)
        return t.SemanticTokens(data, self._remember(params.text_document.uri, data))

    def delta(self, params: t.SemanticTokensDeltaParams) -> t.SemanticTokens | t.SemanticTokensDelta | None:
        here = self._session.here(params.text_document.uri)
        if here is None:
            return None
        data = _encoded(here)
        before = self._last.get(params.text_document.uri)
        id = self._remember(params.text_document.uri, data)
        if before is None or before[0] != params.previous_result_id:
            return t.SemanticTokens(data, id)
        return t.SemanticTokensDelta(_edits(before[1], data), id)

    def range(self, params: t.SemanticTokensRangeParams) -> t.SemanticTokens | None:
        here = self._session.here(params.text_document.uri)
        if here is None:
            return None
        return t.SemanticTokens(_encoded(here, here.span(params.range)))

    def _remember(self, uri: str, data: list[int]) -> str:
        self._count += 1
        self._last.pop(uri, None)
        self._last[uri] = (str(self._count), data)
        if len(self._last) > _KEPT:
            del self._last[next(iter(self._last))]
        return str(self._count)


def _encoded(here: Here, within: Span | None = None) -> list[int]:
    """Five numbers a token: lines and columns since the one before, length, kind, modifiers."""
    data: list[int] = []
    line = column = 0
    for token in ide.semantic_tokens(here.workspace, here.path, within):
        start = here.positions.position(token.start + here.skip)
        end = here.positions.position(token.end + here.skip)
        if end.line != start.line or end.character <= start.character:
            continue
        if start.line != line:
            column = 0
        modifiers = sum(_MODIFIER[name] for name in token.modifiers)
        data += (
            start.line - line,
            start.character - column,
            end.character - start.character,
            _KIND[token.kind],
            modifiers,
        )
        line, column = start.line, start.character
    return data


def _edits(old: list[int], new: list[int]) -> list[t.SemanticTokensEdit]:
    """One edit between what is the same at both ends; none when all is."""
    limit = min(len(old), len(new))
    start = 0
    while start < limit and old[start] == new[start]:
        start += 1
    end = 0
    while end < limit - start and old[-1 - end] == new[-1 - end]:
        end += 1
    if start == len(old) == len(new):
        return []
    return [t.SemanticTokensEdit(start, len(old) - end - start, new[start : len(new) - end])]
