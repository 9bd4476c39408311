"""Reads one chunk's tokens: the driver's loop, and what becomes of a token for which the table has no entry: `settle`
says what it is, and `recover` goes on when it fits in no way.
"""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax.actions import ACTIONS, MAKERS
from atl.syntax.driver import TABLE, Run, run
from atl.syntax.lexer import Lexed
from atl.syntax.tree import Chunk
from atl.syntax.words import settle

__all__ = ["parse_chunk", "run_to_end"]


def run_to_end(parse: Run) -> None:
    """Read the tokens before END and leave the stacks as they are there: what can follow is asked of them."""
    index = 0
    while (kind := parse.tokens[index][0]) != k.END:
        entry = TABLE[parse.states[-1] + kind]
        if entry > 0:
            _, start, end, text = parse.tokens[index]
            make = MAKERS[kind]
            parse.values.append(start if make is None else make(start, end, text))
            parse.last = end
            parse.enter(entry)
            index += 1
        elif entry < 0:
            parse.reduce(ACTIONS[-1 - entry])
        else:
            index = _miss(parse, index)


_OPENING_BODIES = frozenset(
    state for state in k.BRACES for body in k.BODIES.values() if TABLE[state + k.NONTERMINALS[f"{body}_body"]]
)


def _miss(parse: Run, index: int) -> int:
    if parse.states[-1] in _OPENING_BODIES:
        parse.reduce_for(k.RBRACE)
        if TABLE[parse.states[-1] + parse.tokens[index][0]]:
            return index
    if settle(parse, index):
        return index
    from atl.syntax.recovery import recover

    at, times = parse.idle
    times = times + 1 if at == index else 0
    parse.idle = (index, times)
    return recover(parse, index if times < _PATIENCE or index + 1 == len(parse.tokens) else index + 1)


_PATIENCE = 100
"""How often recovery may change its mind about one token; no text is known that needs more than a few."""


def parse_chunk(text: str, lexed: Lexed) -> Chunk:
    """The tree of one chunk; `text` is the chunk's alone."""
    if len(lexed.tokens) == 1:
        return Chunk(text, (), tuple(lexed.comments), tuple(lexed.raw))
    parse = Run(text, lexed)
    parse.push("decls", [])
    run(parse, _miss)
    raw = [*lexed.raw, *parse.values.raw]
    if len(raw) > 1:
        raw.sort(key=lambda finding: (finding.start, finding.code))
        quoted = {(f.start, f.end) for f in raw if f.code == "ATL001"}
        raw = [f for f in raw if f.code != "ATL007" or (f.start, f.end) not in quoted]
    return Chunk(text, tuple(parse.values[0]), tuple(lexed.comments), tuple(raw))
