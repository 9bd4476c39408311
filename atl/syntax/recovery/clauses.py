"""Which body a clause belongs to, and how far it goes."""

from __future__ import annotations

from functools import cache

from atl.syntax import _table as k
from atl.syntax.actions import ACTIONS
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import is_word

__all__ = ["homes_of", "member_kind", "read", "swallow", "words_of"]

_HOMES: dict[int, list[int]] = {}


def homes_of(kind: int) -> list[int]:
    """The body states in which a clause may begin with a token of this kind."""
    if not _HOMES:
        for state in k.BODIES:
            for each in range(k.NONTERMINALS["action"]):
                if each not in (k.NAME, k.NAME_BOL, k.NAME_RESERVED, k.RBRACE) and TABLE[state + each]:
                    _HOMES.setdefault(each, []).append(state)
    return _HOMES.get(kind, [])


def member_kind(parse: Run, index: int) -> int:
    """The kind that the token has where it begins a member."""
    kind = parse.tokens[index][0]
    following = parse.tokens[index + 1][0] if kind != k.END else k.END
    if kind in (k.UNSETTLED_CHECK, k.CHECK):
        return k.ROW_CHECK
    if kind in (k.UNSETTLED_PRIMARY, k.PRIMARY) and following == k.BY:
        return k.KEY_PRIMARY
    if kind in (k.UNSETTLED_UNIQUE, k.UNIQUE):
        return k.KEY_UNIQUE if following == k.BY else k.UNIQUE_INDEX if following == k.INDEX else k.UNIQUE
    return k.SETTLED.get(kind, kind)


@cache
def words_of(state: int) -> tuple[str, ...]:
    """The words with which a member of a body may begin."""
    words = [s for s, kind in k.SPELLINGS.items() if is_word(s) and TABLE[state + k.SETTLED.get(kind, kind)]]
    if TABLE[state + k.ROW_CHECK]:
        words += ("check", "primary", "unique")
    return tuple(words)


def swallow(parse: Run, index: int) -> int:
    """Where the clause that begins at a token ends, when it is a whole one of another body; else -1."""
    kind = member_kind(parse, index)
    for state in homes_of(kind):
        end = _read_clause(parse, index, state, kind)
        if end >= 0:
            return end
    return -1


def _read_clause(parse: Run, index: int, state: int, kind: int) -> int:
    """Run the table, without building anything, over one member of a body."""
    return read(parse, index, [state], kind, 1)


def read(parse: Run, index: int, stack: list[int], kind: int, first: int = 0) -> int:
    """Run the table from a stack that begins with a body's state until that member ends.

    kind: of the token read first, and `first` how far that takes us in the text (0: it is not there).
    """
    tokens = parse.tokens
    closing = False
    step = first
    while True:
        entry = TABLE[stack[-1] + kind]
        if entry == 0 and kind != k.RBRACE and not closing:
            own, _, _, text = tokens[index]
            settled = k.SETTLED.get(own, own)
            if settled != kind and TABLE[stack[-1] + settled]:
                kind = settled
            elif is_word(text) and TABLE[stack[-1] + k.NAME]:
                kind = k.NAME
            elif TABLE[stack[-1] + k.RBRACE] < 0 and len(stack) > 1:
                kind, closing = k.RBRACE, True
            else:
                return -1
            continue
        if entry == 0 or (closing and entry > 0):
            return index if closing and len(stack) == 1 else -1
        if entry > 0:
            index, step = index + step, 1
            kind = member_kind(parse, index) if index < len(tokens) else k.END
            if entry < k.FUSED:
                stack.append(entry)
                continue
            length, left, _ = ACTIONS[entry - k.FUSED]
            length -= 1
        else:
            length, left, _ = ACTIONS[-1 - entry]
        while True:
            if length >= len(stack):
                return index
            if length:
                del stack[-length:]
            entry = TABLE[stack[-1] + left]
            if entry < k.FUSED:
                stack.append(entry)
                break
            length, left, _ = ACTIONS[entry - k.FUSED]
            length -= 1
