"""The tokens and comments of one declaration without syntax errors, as the layout needs them."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence

from atl.syntax.tree import Token

__all__ = ["Tokens"]

_NOTHING_BEFORE = frozenset("(),:.")
_NOTHING_AFTER = frozenset("(.-")


class Tokens:
    """Parallel lists, one entry a token or comment.

    kinds: as the lexer names them. lines: how many line ends stand in the white space before it.
    tight: indices of those that have no space before them whatever the signs are.
    """

    __slots__ = ("kinds", "lines", "starts", "texts", "tight")

    def __init__(self, text: str, words: Sequence[Token]) -> None:
        self.kinds = [word.kind for word in words]
        self.lines: list[int] = []
        self.starts = [word.start for word in words]
        self.texts = [word.text for word in words]
        self.tight: set[int] = set()
        at = words[0].start
        for word in words:
            self.lines.append(text.count("\n", at, word.start) if word.start > at else 0)
            at = word.end

    def __len__(self) -> int:
        return len(self.starts)

    def at(self, offset: int) -> int:
        """The index of the first token that starts at the offset or behind it."""
        return bisect_left(self.starts, offset)

    def is_comment(self, k: int) -> bool:
        return self.kinds[k] == "comment"

    def is_line_comment(self, k: int) -> bool:
        return self.kinds[k] == "comment" and self.texts[k].startswith("//")

    def ends_line(self, k: int) -> bool:
        """Whether nothing can follow the comment `k` on its line, or, being of several lines, nothing should."""
        return self.is_line_comment(k) or "\n" in self.texts[k]

    def is_comma(self, k: int) -> bool:
        return self.texts[k] == "," and self.kinds[k] == "sign"

    def gap(self, k: int) -> str:
        """What stands between token `k` and the one before it when they share a line."""
        kind, before = self.kinds[k], self.kinds[k - 1]
        if k in self.tight or kind == "sql" or before == "sql":
            return ""
        if kind == "sign" and self.texts[k] in _NOTHING_BEFORE:
            return ""
        if before == "sign" and self.texts[k - 1] in _NOTHING_AFTER:
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
        return k < end and self.kinds[k] == "sign" and self.texts[k] in (")", "}")
