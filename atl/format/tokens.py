"""The tokens and comments of one declaration without syntax errors, as the layout needs them."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Sequence
from enum import IntEnum

__all__ = ["TokenKind", "Tokens"]


class TokenKind(IntEnum):
    TOKEN = 0
    LINE_COMMENT = 1
    BLOCK_COMMENT = 2
    SQL = 3
    PREDICATE = 4


# The text is known to be well formed, so whatever is no comment, string or word is punctuation.
_TOKEN = re.compile(r'\s*(?:(//[^\n]*)|(/\*.*?\*/)|("(?:[^"\\\n]|\\.)*"|\$?\w+|[!<>]=|\S))', re.DOTALL)
_KINDS = (TokenKind.TOKEN, TokenKind.LINE_COMMENT, TokenKind.BLOCK_COMMENT, TokenKind.TOKEN)

_NOTHING_BEFORE = frozenset("(),:.")
_NOTHING_AFTER = frozenset("(.-")


class Tokens:
    """Parallel lists, one entry a token or comment.

    lines: how many line ends stand in the white space before it.
    tight: indices of those that have no space before them whatever the signs are.
    """

    __slots__ = ("kinds", "lines", "starts", "texts", "tight")

    def __init__(self, text: str, start: int, end: int, raws: Sequence[tuple[int, int, TokenKind]]) -> None:
        """Read `text[start:end]`. raws: the spans of raw SQL in it, in order."""
        self.kinds: list[TokenKind] = []
        self.lines: list[int] = []
        self.starts: list[int] = []
        self.texts: list[str] = []
        self.tight: set[int] = set()
        at = start
        for raw_start, raw_end, kind in raws:
            self._read(text, at, raw_start)
            self._add(raw_start, text[raw_start:raw_end], kind, 0)
            at = raw_end
        self._read(text, at, end)

    def _read(self, text: str, start: int, end: int) -> None:
        at = start
        for match in _TOKEN.finditer(text, start, end):
            group = match.lastindex or 0
            begin = match.start(group)
            kind = _KINDS[group]
            value = match[group].rstrip("\r") if kind is TokenKind.LINE_COMMENT else match[group]
            self._add(begin, value, kind, text.count("\n", at, begin) if begin > at else 0)
            at = match.end()

    def _add(self, start: int, value: str, kind: TokenKind, lines: int) -> None:
        self.starts.append(start)
        self.texts.append(value)
        self.kinds.append(kind)
        self.lines.append(lines)

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """The index of the first token that starts at the offset or behind it."""
        return bisect_left(self.starts, offset)

    def is_comment(self, k: int) -> bool:
        return self.kinds[k] is TokenKind.LINE_COMMENT or self.kinds[k] is TokenKind.BLOCK_COMMENT

    def ends_line(self, k: int) -> bool:
        """Whether nothing can follow the comment `k` on its line, or, being of several lines, nothing should."""
        return self.kinds[k] is TokenKind.LINE_COMMENT or "\n" in self.texts[k]

    def is_comma(self, k: int) -> bool:
        return self.texts[k] == "," and self.kinds[k] is TokenKind.TOKEN

    def gap(self, k: int) -> str:
        """What stands between token `k` and the one before it when they share a line."""
        kind, before = self.kinds[k], self.kinds[k - 1]
        if k in self.tight or kind is TokenKind.SQL or before is TokenKind.SQL:
            return ""
        if kind is TokenKind.TOKEN and self.texts[k] in _NOTHING_BEFORE:
            return ""
        if before is TokenKind.TOKEN and self.texts[k - 1] in _NOTHING_AFTER:
            return ""
        return " "

    def join(self, start: int, end: int, wide: Collection[int] = ()) -> str:
        """Tokens `start` to `end` (exclusive) on one line, without commas before a closing bracket, with two spaces
        before those in `wide`."""
        out: list[str] = []
        for k in range(start, end):
            if self.is_comma(k) and self._closes(k + 1, end):
                continue
            if out:
                out.append("  " if k in wide else self.gap(k))
            out.append(self.texts[k])
        return "".join(out)

    def _closes(self, k: int, end: int) -> bool:
        while k < end and self.is_comment(k):
            k += 1
        return k < end and self.kinds[k] is TokenKind.TOKEN and self.texts[k] in (")", "}")
