"""Runs the LALR table over a chunk's tokens.

The loop in `run` is the hot path of the whole product and does nothing but the table's bidding: shift, reduce, and,
where the table has no entry, ask what to do (`Miss`).
"""

from __future__ import annotations

import sys
import zlib
from array import array
from binascii import a2b_base64
from collections.abc import Callable
from typing import Any, TypeAlias

from atl.syntax import _table as k
from atl.syntax.actions import ACTIONS, MAKERS, Action, Values
from atl.syntax.lexer import Lexed

__all__ = ["TABLE", "Miss", "Run", "run"]


def _unpack() -> list[int]:
    cells = array("i", zlib.decompress(a2b_base64(k.PACKED)))
    if sys.byteorder == "big":
        cells.byteswap()
    return cells.tolist()


TABLE = _unpack()


class Run:
    """One chunk's parse.

    `states` are row offsets, the start state first; `values[i]` is the value of the symbol that led to
    `states[i + 1]`. `last` is the end of the last token read, `reported` the index of the last token that was reported,
    `idle` the token at which recovery was last asked to go on, and how often.
    """

    __slots__ = (
        "columns",
        "idle",
        "last",
        "lexed",
        "reported",
        "silent",
        "states",
        "surplus",
        "text",
        "tokens",
        "unclosed",
        "values",
    )

    def __init__(self, text: str, lexed: Lexed) -> None:
        self.text = text
        self.lexed = lexed
        self.tokens = lexed.tokens
        self.unclosed = lexed.unclosed
        self.surplus = lexed.surplus
        self.silent = 0
        self.states = [0]
        self.values = Values(text)
        self.last = 0
        self.reported = -1
        self.idle = (-1, 0)
        self.columns: dict[int, int] = {}

    def viable(self, kind: int, level: int = -1) -> bool:
        """Whether a token of this kind can be read, reductions first, with the stack cut behind `level`."""
        return self.viable_sequence((kind,), level)

    def viable_sequence(self, kinds: tuple[int, ...], level: int = -1) -> bool:
        """The same for several tokens in a row."""
        base = (len(self.states) if level < 0 else level + 1) - 1
        states = self.states
        over: list[int] = []
        for kind in kinds:
            while True:
                entry = TABLE[(over[-1] if over else states[base]) + kind]
                if entry == 0:
                    return False
                if entry >= k.FUSED:
                    if entry == k.ACCEPT:
                        return True
                    length, left, _ = ACTIONS[entry - k.FUSED]
                    length -= 1
                elif entry > 0:
                    over.append(entry)
                    break
                else:
                    length, left, _ = ACTIONS[-1 - entry]
                shifted = entry > 0
                while True:
                    taken = min(length, len(over))
                    if taken:
                        del over[-taken:]
                    base -= length - taken
                    target = TABLE[(over[-1] if over else states[base]) + left]
                    if target < k.FUSED:
                        over.append(target)
                        break
                    if target == k.ACCEPT:
                        return True
                    length, left, _ = ACTIONS[target - k.FUSED]
                    length -= 1
                if shifted:
                    break
        return True

    def reduce_for(self, kind: int) -> None:
        """Do the reductions that come before a token of this kind, which is viable."""
        while (entry := TABLE[self.states[-1] + kind]) < 0:
            self.reduce(ACTIONS[-1 - entry])

    def reduce(self, rule: tuple[int, int, Action | None]) -> None:
        """Do one reduction."""
        length, left, action = rule
        if action is not None:
            action(self.values, self.last)
        if length:
            del self.states[-length:]
        self._goto(left)

    def feed(self, kind: int, value: Any) -> None:
        """Read a token that is not there; it is viable."""
        self.reduce_for(kind)
        self.values.append(value)
        self.enter(TABLE[self.states[-1] + kind])

    def push(self, nonterminal: str, value: Any) -> None:
        """Put a whole nonterminal on the stack; the state has a way on for it."""
        self.values.append(value)
        self._goto(k.NONTERMINALS[nonterminal])

    def _goto(self, left: int) -> None:
        self.enter(TABLE[self.states[-1] + left])

    def enter(self, entry: int) -> None:
        """Go where an entry says, which is no reduction and no error; its symbol's value is on the stack."""
        while entry >= k.FUSED:
            if entry == k.ACCEPT:
                return
            length, left, action = ACTIONS[entry - k.FUSED]
            if action is not None:
                action(self.values, self.last)
            if length > 1:
                del self.states[1 - length :]
            entry = TABLE[self.states[-1] + left]
        self.states.append(entry)

    def cut(self, level: int) -> None:
        """Drop what is on the stacks behind `states[level]`."""
        if level + 1 < len(self.states):
            self.values.lost = True
            del self.states[level + 1 :]
            del self.values[level:]

    def body(self) -> int:
        """The index in `states` of the innermost body, or -1."""
        states = self.states
        for level in range(len(states) - 1, -1, -1):
            if states[level] in k.BODIES:
                return level
        return -1

    def brace(self) -> int:
        """The index in `states` of the innermost open `{`, or -1."""
        states = self.states
        for level in range(len(states) - 1, -1, -1):
            if states[level] in k.BRACES:
                return level
        return -1

    def first_on_line(self, index: int) -> bool:
        """Whether a token stands on a later line than the one before it."""
        tokens = self.tokens
        return index == 0 or "\n" in self.text[tokens[index - 1][2] : tokens[index][1]]

    def column(self, offset: int) -> int:
        """The number of bytes before an offset on its line."""
        found = self.columns.get(offset)
        if found is None:
            line = self.text[self.text.rfind("\n", 0, offset) + 1 : offset]
            found = len(line) if line.isascii() else len(line.encode("utf-8", "surrogatepass"))
            self.columns[offset] = found
        return found


Miss: TypeAlias = Callable[[Run, int], int]
"""Called for the token at an index for which the table has no entry: changes the stacks and the tokens in place, and
gives the index at which to go on."""


def run(parse: Run, miss: Miss) -> None:
    """Read the chunk. When it returns, `values[0]` is the list of declarations."""
    table, actions, makers = TABLE, ACTIONS, MAKERS
    fused, accept = k.FUSED, k.ACCEPT
    tokens, states, values = parse.tokens, parse.states, parse.values
    push_state, push_value = states.append, values.append
    state = states[-1]
    index = last = 0
    kind, start, end, text = tokens[0]
    while True:
        entry = table[state + kind]
        if entry > 0:
            make = makers[kind]
            push_value(start if make is None else make(start, end, text))
            last = end
            index += 1
            kind, start, end, text = tokens[index]
            if entry < fused:
                push_state(entry)
                state = entry
                continue
            length, left, action = actions[entry - fused]
            if action is not None:
                action(values, last)
            if length > 1:
                del states[1 - length :]
        elif entry < 0:
            length, left, action = actions[-1 - entry]
            if action is not None:
                action(values, last)
            if length:
                del states[-length:]
        else:
            parse.last = last
            index = miss(parse, index)
            last = parse.last
            state = states[-1]
            kind, start, end, text = tokens[index]
            continue
        entry = table[states[-1] + left]
        while entry >= fused:
            if entry == accept:
                return
            length, left, action = actions[entry - fused]
            if action is not None:
                action(values, last)
            if length > 1:
                del states[1 - length :]
            entry = table[states[-1] + left]
        push_state(entry)
        state = entry
