"""Where the cursor stands: what the grammar takes there, read off the parser's own table.

The text before the cursor's word, from its declaration's start on, is parsed. The stack of states that is left says
which tokens can follow, and the symbols that led to it what a name would mean: `... index by columns ,` wants a field.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Any, NamedTuple

from atl.ide.places import unit_at
from atl.syntax import _table as k
from atl.syntax.actions import ACTIONS
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import Lexed, Lexer
from atl.syntax.reading import run_to_end
from atl.syntax.tree import FileTree

__all__ = ["Inside", "Position", "position"]

_WORD_BEFORE = re.compile(r"\$?[^\W\d]\w*\Z|\$\Z")
_WORD_AFTER = re.compile(r"\w*")
_NO_KINDS = frozenset(("WIDTH", "FUSED", "ACCEPT", "FIRST_CUTTING", "ROWS"))
_KINDS = {
    value: name
    for name, value in vars(k).items()
    if isinstance(value, int) and name[0] != "_" and name not in _NO_KINDS
}
_SYMBOLS = {**_KINDS, **{number: name for name, number in k.NONTERMINALS.items()}}
_WORDS = {k.SETTLED.get(kind, kind): text for text, kind in k.SPELLINGS.items() if text[0].isalpha()}
_WORDS |= {k.ROW_CHECK: "check", k.KEY_PRIMARY: "primary", k.KEY_UNIQUE: "unique", k.UNIQUE_INDEX: "unique"}


class Inside(NamedTuple):
    """Text that is no token of the grammar around the cursor. kind: `comment`, `string`, `sql`, `predicate`. start:
    where it begins in the file, behind an opening quote or brace."""

    kind: str
    start: int


class Position(NamedTuple):
    """start: where the parsed text begins in the file. word_start, word_end: the whole word at the cursor. typed: the
    part of it before the cursor. inside: for strings and predicates the grammar's position is the one before them.
    states, values: as `syntax.driver.Run` has them. bol: the word is the first on its line. column: of the word, in
    bytes."""

    start: int
    word_start: int
    word_end: int
    typed: str
    inside: Inside | None
    run: Run
    bol: bool

    @property
    def values(self) -> list[Any]:
        return self.run.values

    def viable(self, kind: int) -> bool:
        return self.run.viable(kind)

    def words(self) -> list[tuple[int, str]]:
        """The kinds of words that can stand here, with their spelling, in the order of the spelling."""
        return [(kind, text) for kind, text in _WORDS.items() if self.run.viable(kind)]

    def takes_name(self) -> bool:
        return self.run.viable(k.NAME)

    def symbols(self) -> tuple[str, ...]:
        """The symbols on the stack, outermost first; `values` has the value of each."""
        return tuple(_came_by()[state] for state in self.run.states[1:])

    def before(self, kind: int) -> tuple[str, ...]:
        """The symbols on the stack when a token of this kind, which is viable, is read: outermost first."""
        return tuple(_came_by()[state] for state in after(self.run.states, kind)[1:])

    def top(self, kind: int) -> int:
        """The state in which it is read."""
        return after(self.run.states, kind)[-1]

    def goes_to(self, nonterminal: str) -> bool:
        """Whether this nonterminal can begin here without a reduction."""
        return TABLE[self.run.states[-1] + k.NONTERMINALS[nonterminal]] != 0


@lru_cache(maxsize=1)
def _came_by() -> dict[int, str]:
    """The symbol that leads to each state: an LALR state has one."""
    found = {}
    for row in range(k.ROWS):
        base = row * k.WIDTH
        for column in range(k.WIDTH):
            entry = TABLE[base + column]
            if 0 < entry < k.FUSED and entry not in found:
                found[entry] = _SYMBOLS[column].replace("NAME_BOL", "NAME").replace("NAME_RESERVED", "NAME")
    return found


def after(states: list[int], kind: int) -> list[int]:
    """The states with the reductions done that come before a token of this kind."""
    states = list(states)
    while (entry := TABLE[states[-1] + kind]) < 0:
        length, left, _ = ACTIONS[-1 - entry]
        if length:
            del states[-length:]
        target = TABLE[states[-1] + left]
        while target >= k.FUSED:
            if target == k.ACCEPT:
                return states
            length, left, _ = ACTIONS[target - k.FUSED]
            if length > 1:
                del states[1 - length :]
            target = TABLE[states[-1] + left]
        states.append(target)
    return states


def position(tree: FileTree, offset: int) -> Position:
    text = tree.file.text
    offset = max(0, min(offset, len(text)))
    start = _start(tree, offset)
    lexed, base = _last_chunk(text[start:offset], start)
    inside = _inside(text, lexed, base, offset)
    found = _WORD_BEFORE.search(text, max(base, text.rfind("\n", 0, offset) + 1), offset)
    word_start = found.start() if found else offset
    after_word = _WORD_AFTER.match(text, offset)
    word_end = after_word.end() if after_word else offset
    if inside is None:
        lexed, base = _last_chunk(text[start:word_start], start)
        tokens = lexed.tokens
    else:
        tokens = _until(lexed, inside.start - base)
    run = Run(text[base:word_start], lexed._replace(tokens=list(tokens)))
    run.push("decls", [])
    run_to_end(run)
    if run.viable(k.NOT) and not run.viable(k.ON):
        # A field's type is whole: what fits it is asked of its node.
        run.reduce_for(k.NOT)
    bol = not text[text.rfind("\n", 0, word_start) + 1 : word_start].strip()
    return Position(base, word_start, word_end, text[word_start:offset], inside, run, bol)


def _start(tree: FileTree, offset: int) -> int:
    """Where the cursor's declaration begins. Blank lines behind one that is still open belong to it."""
    unit = unit_at(tree, offset)
    if unit is None:
        return 0
    at = tree.units.index(unit)
    while at > 0:
        before = unit.chunk.text[: offset - unit.anchor.start]
        last = tree.units[at - 1].chunk.declarations
        if before.strip() or not last or last[-1].close >= 0:
            break
        at -= 1
        unit = tree.units[at]
    return unit.anchor.start


def _last_chunk(prefix: str, start: int) -> tuple[Lexed, int]:
    """The last chunk of a text and where it begins; one that ends with its declaration's line is followed by an empty
    one."""
    lexer = Lexer(prefix)
    at = 0
    while True:
        lexed = lexer.chunk(at)
        if at + lexed.end >= len(prefix):
            return lexed, start + at
        at += lexed.end


def _until(lexed: Lexed, start: int) -> list[tuple[int, int, int, str]]:
    """The tokens before the text that the cursor is inside of."""
    kept = [token for token in lexed.tokens[:-1] if token[2] <= start and token[1] < start - (token[0] == k.STRING)]
    while kept and kept[-1][0] in (k.PREDICATE, k.RAW_SQL):
        kept.pop()
    end = kept[-1][2] if kept else 0
    return [*kept, (k.END, end, end, "")]


def _inside(text: str, lexed: Lexed, base: int, offset: int) -> Inside | None:
    at = offset - base
    for comment in lexed.comments[-1:]:
        open_ended = not comment.block or not comment.text.endswith("*/") or len(comment.text) < 4
        if comment.start < at <= comment.end and open_ended and "\n" not in text[base + comment.end : offset]:
            return Inside("comment", base + comment.start)
        if comment.block and open_ended and comment.end <= at:
            return Inside("comment", base + comment.start)
    for start, end, sql in lexed.bad[-1:]:
        if sql and start <= at <= end:
            return Inside("sql", base + start)
    if len(lexed.tokens) < 2:
        return None
    kind, start, end, _ = lexed.tokens[-2]
    if kind == k.STRING and end <= at and any(f.code == "ATL003" and f.start == start for f in lexed.raw):
        if "\n" not in text[base + end : offset]:
            return Inside("string", base + start + 1)
    elif kind == k.PREDICATE and "\n" not in text[base + end : offset]:
        return Inside("predicate", base + start)
    return None
