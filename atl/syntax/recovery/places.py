"""Moving on in the text and on the stacks to where reading can go on."""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import is_word
from atl.syntax.recovery.clauses import member_kind
from atl.syntax.tree import RawFinding
from atl.syntax.words import begins_declaration

__all__ = [
    "CLOSING",
    "NAMES",
    "OPENING",
    "close",
    "close_unclosed",
    "feed_missing",
    "finish",
    "fits",
    "goes_on",
    "pop_at_brace",
    "pop_for",
    "pop_for_brace",
    "pop_to_member",
    "readings",
    "skip_member",
    "token_at",
]

NAMES = (k.NAME, k.NAME_BOL)
OPENING = (k.LBRACE, k.LPAR, k.LSQB)
CLOSING = (k.RBRACE, k.RPAR, k.RSQB)
_LEVELS = 8
"""How far down the stack a token's place is looked for: deeper nesting than that within one member is junk."""


def readings(parse: Run, index: int) -> tuple[int, ...]:
    """As what the token may be read: a keyword, a name."""
    kind, _, _, text = parse.tokens[min(index, len(parse.tokens) - 1)]
    if kind == k.END:
        return (k.RBRACE,)
    settled = k.NAME if kind in NAMES else k.SETTLED.get(kind, kind)
    if is_word(text) and text not in k.RESERVED_WORDS:
        return (settled, k.NAME)
    return (settled, member_kind(parse, index)) if index + 1 < len(parse.tokens) else (settled,)


def fits(parse: Run, index: int) -> bool:
    """Whether the token can be read here, as a keyword or as a name."""
    kind, _, _, text = parse.tokens[index]
    if kind == k.END:
        return False
    settled = k.SETTLED.get(kind, kind)
    return parse.viable(settled) or (is_word(text) and text not in k.RESERVED_WORDS and parse.viable(k.NAME))


def goes_on(parse: Run, index: int) -> bool:
    """Whether the token fits here as it is."""
    kind = parse.tokens[index][0]
    return kind != k.END and parse.viable(k.SETTLED.get(kind, kind))


def token_at(parse: Run, index: int, start: int) -> int:
    while index > 0 and parse.tokens[index][1] > start:
        index -= 1
    return index


def finish(parse: Run, level: int) -> None:
    """End the member that is read, so that the body is on top."""
    if level < len(parse.states) - 1:
        if parse.viable(k.RBRACE):
            parse.reduce_for(k.RBRACE)
        else:
            parse.cut(level)


def pop_for(parse: Run, index: int, *kinds: int) -> bool:
    """Pop to the uppermost level, within the innermost braces, at which a token fits; a name together with the next."""
    behind = readings(parse, index + 1) if k.NAME in kinds else ()
    lowest = max(parse.brace(), parse.body())
    top = len(parse.states) - 1
    levels = [*range(top, max(lowest, top - _LEVELS) - 1, -1), lowest]
    for level in levels:
        if level < 0:
            continue
        for kind in kinds:
            pairs = [(kind, each) for each in behind] if kind == k.NAME else [(kind,)]
            if any(parse.viable_sequence(pair, level) for pair in pairs):
                parse.cut(level)
                return True
    return False


def pop_to_member(parse: Run) -> None:
    level = max(parse.brace(), parse.body())
    parse.cut(level)


def pop_for_brace(parse: Run) -> None:
    """Make a `}` fit: end the member, or drop it, or drop the whole construct whose brace it would close."""
    while not parse.viable(k.RBRACE):
        if not pop_for(parse, len(parse.tokens) - 1, k.RBRACE):
            brace = parse.brace()
            outer = next((i for i in range(brace - 1, -1, -1) if parse.states[i] in k.BODIES), -1)
            if outer < 0:
                return
            parse.cut(outer)


def pop_at_brace(parse: Run, index: int) -> int:
    """A `}` ends the skipping: it closes the innermost braces, or what they belong to is dropped with it."""
    if pop_for(parse, index, k.RBRACE):
        return index
    brace = parse.brace()
    outer = next((i for i in range(brace - 1, -1, -1) if parse.states[i] in k.BODIES), -1)
    if outer >= 0:
        parse.cut(outer)
        return index + 1
    parse.values.lost = True
    return index + 1


def skip_member(parse: Run, index: int) -> int:
    """The token at which the next member of the innermost body can begin."""
    tokens = parse.tokens
    level = parse.body()
    state = parse.states[level] if level >= 0 else 0
    depth = 0
    begin = index
    while True:
        kind = tokens[index][0]
        if kind == k.END:
            return index
        if kind in OPENING:
            depth += 1
        elif kind in CLOSING:
            if depth == 0 and kind == k.RBRACE:
                return index
            depth = max(depth - 1, 0)
        elif depth == 0 and is_word(tokens[index][3]) and index >= begin:
            if parse.first_on_line(index) and tokens[index - 1][0] != k.COMMA:
                return index
            if kind not in NAMES and TABLE[state + member_kind(parse, index)]:
                return index
            if begins_declaration(parse, index):
                return index
        index += 1


def close_unclosed(parse: Run, index: int) -> bool:
    """Where a body further out takes the word and a brace is missing anyway, it is missing before the word."""
    if parse.unclosed <= 0 or not is_word(parse.tokens[index][3]):
        return False
    states = parse.states
    kind = member_kind(parse, index)
    brace = parse.brace()
    outer = next((i for i in range(brace - 1, -1, -1) if states[i] in k.BODIES and TABLE[states[i] + kind]), -1)
    if outer < 0 or kind in NAMES:
        return False
    between = sum(states[i] in k.BRACES for i in range(outer + 1, brace + 1))
    if between > parse.unclosed:
        return False
    for _ in range(between):
        close(parse, index, "the next clause begins here")
    return True


def close(parse: Run, index: int, label: str) -> None:
    """Report the innermost open brace, and close it before a token."""
    parse.unclosed -= 1
    level = parse.brace()
    opening = parse.values[level - 1]
    _, start, end, _ = parse.tokens[index]
    if opening < 0:
        parse.silent -= 1
    elif not parse.lexed.swallowed:
        parse.values.raw.append(
            RawFinding(
                "ATL002",
                opening,
                opening + 1,
                "this `{` is never closed",
                labels=((start, end, label),),
                help="add the missing `}`",
            )
        )
    pop_for_brace(parse)
    parse.feed(k.RBRACE, -1)


def feed_missing(parse: Run, kind: int, at: int) -> None:
    """Read a sign that is not there. A brace then has no partner, unless there was one too many."""
    if kind == k.LBRACE:
        at = -1
        if parse.surplus > 0:
            parse.surplus -= 1
        else:
            parse.unclosed += 1
            parse.silent += 1
    parse.feed(kind, at)
