"""The text of a block or expression, and the way back into it from what PostgreSQL's grammar says."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import accumulate

from atl.postgres.scan import Token, parameters, token_at, tokens

__all__ = ["Text", "fold"]

_UNSAFE = re.compile("[\0\ud800-\udfff]")
_COMMENTS = ("comment", "line comment")


def fold(word: str) -> str:
    """An unquoted name as PostgreSQL stores it: letters of ASCII become lower case, others stay."""
    return word.lower() if word.isascii() else "".join(c.lower() if c.isascii() else c for c in word)


class Text:
    """SQL text as written (`sql`) and as the grammar reads it (`plain`): of equal length in code points, parameters
    as `$1`, NUL as a space, a lone surrogate as U+FFFD."""

    __slots__ = ("_bytes", "_tokens", "plain", "sql")

    def __init__(self, sql: str) -> None:
        self.sql = sql
        self.plain = _plain(sql)
        self._bytes: list[int] | None = None
        self._tokens: list[Token] | None = None

    def at(self, location: int) -> int:
        """The offset in code points of a byte offset in the UTF-8 of `plain`."""
        if self.plain.isascii():
            return location
        if self._bytes is None:
            self._bytes = [0, *accumulate(len(letter.encode()) for letter in self.plain)]
        return bisect_left(self._bytes, location)

    @property
    def tokens(self) -> list[Token]:
        """The tokens of the text as written, without comments."""
        if self._tokens is None:
            self._tokens = [token for token in tokens(self.sql) if token.kind not in _COMMENTS]
        return self._tokens

    def index(self, offset: int) -> int:
        """The index in `tokens` of the first token that ends after an offset; their number when there is none."""
        return bisect_left(self.tokens, offset + 1, key=lambda token: token.end)

    def token(self, offset: int) -> tuple[int, int]:
        """The span of the first token at or behind an offset, one operator being one token; empty behind the last
        token. The offset is in no token's middle."""
        token = self._skip(offset)
        if token is None:
            end = self.tokens[-1].end if self.tokens else 0
            return end, end
        end = token.end
        if self.sql[token.start] in _OPERATOR:
            while end < len(self.sql) and self.sql[end] in _OPERATOR:
                end += 1
        return token.start, end

    def names(self, offset: int, count: int) -> list[tuple[int, int]]:
        """The spans of the names in `a.b.c` that begins at an offset, a final `*` counted; at most `count`."""
        found: list[tuple[int, int]] = []
        while (token := self._skip(offset)) is not None:
            found.append(token[1:3])
            if len(found) == count:
                break
            token = self._skip(token.end)
            if token is None or self.sql[token.start] != ".":
                break
            offset = token.start + 1
        return found or [self.token(offset)]

    def _skip(self, offset: int) -> Token | None:
        """The first token at or behind an offset that is no comment."""
        token = token_at(self.sql, offset)
        while token is not None and token.kind in _COMMENTS:
            token = token_at(self.sql, token.end)
        return token

    def word(self, at: int) -> str:
        """The text of a token by its index, in lower case unless it is quoted; "" behind the last one."""
        if not 0 <= at < len(self.tokens):
            return ""
        token = self.tokens[at]
        text = self.sql[token.start : token.end]
        return text if token.kind == "quoted" else fold(text)

    def identifier(self, at: int) -> str:
        """As `word`, for an identifier as PostgreSQL folds it."""
        word = self.word(at)
        return word[1:-1].replace('""', '"') if word.startswith('"') else word


_OPERATOR = frozenset("+-*/<>=~!@#%^&|`?")


def _plain(sql: str) -> str:
    if "$" in sql:
        pieces, at = [], 0
        for parameter in parameters(sql):
            pieces += [sql[at : parameter.start], "$1".ljust(parameter.end - parameter.start)]
            at = parameter.end
        sql = "".join([*pieces, sql[at:]])
    return _UNSAFE.sub(lambda found: " " if found[0] == "\0" else "\ufffd", sql)
