"""Text to tokens, a chunk at a time.

A chunk begins at a line's start and ends behind the line on which its declaration's `}` stands; or, while braces are
open or nothing but junk was read, before a line that begins with a declaration's header. Where it ends depends on
nothing before it, and on what follows it only as far as `Lexed.reach`.

A token is a tuple (kind, start, end, text), offsets from the chunk's start; kinds are columns of the table. White
space, comments and what starts no token leave none. The last token is END, an empty one behind the others.
"""

from __future__ import annotations

import re
import sys
from sys import intern
from typing import TypeAlias

from atl.records import NamedTuple
from atl.syntax import _table as k
from atl.syntax.raw import predicate_end, sql_end
from atl.syntax.remarks import Remarks
from atl.syntax.tree import Comment, RawFinding, Token
from atl.syntax.type_words import TYPE_WORDS

__all__ = ["LexToken", "Lexed", "Lexer", "is_word", "tokens"]

LexToken: TypeAlias = "tuple[int, int, int, str]"

_BLANK = r"[ \t\r\f\v]"
_SPACE = r"[ \t\r\f\v\n]"
_WORD = r"[^\W\d][\w\u0300-\u036f]*"
_SIGN = r"<=|>=|!=|[{}()\[\],:.=<>\-]"
_FIND = re.compile(
    rf"""{_BLANK}*(?:
      ({_WORD})
    | ({_SIGN})
    | \n{_SPACE}*(?:({_WORD})|({_SIGN}))?
    | ("[^"\\\n]*")
    | ([0-9]+(?:\.[0-9]+)?\w*)
    | (\${_WORD})
    | (//[^\n]*)
    | ([^{_SPACE[1:]})
    | \Z)""",
    re.X,
).finditer
_GROUP_WORD_BOL, _GROUP_NUMBER, _GROUP_LINE_COMMENT, _GROUP_OTHER = 3, 6, 8, 9
_KIND_OF_GROUP = (0, k.NAME, 0, k.NAME_BOL, 0, k.STRING, -1, k.PARAM, -1, -1)

_HEADER_REST = rf"{_SPACE}+{_WORD}{_SPACE}+(?:in{_SPACE}+{_WORD}{_SPACE}*(?:on{_SPACE}+{_WORD}{_SPACE}*)?\{{|for\b)"
_HEADER = re.compile(rf"\w+{_HEADER_REST}").match
_NEXT_HEADER = re.compile(rf"\n{_BLANK}*(?:{'|'.join(sorted(k.DECLARATION_WORDS))}){_HEADER_REST}").search
_LINE_REST = re.compile(
    rf"{_BLANK}*(?:/\*[^*\n]*(?:\*(?!/)[^*\n]*)*\*/{_BLANK}*)*(?://[^\n]*)?(?:\n|\Z)",
).match
_BEHIND = re.compile(
    rf"(?:{_SPACE}+|//[^\n]*|/\*[^*]*(?:\*(?!/)[^*]*)*\*/)*(?:(\}}|{_WORD})(?:{_BLANK}+({_WORD}))?)?"
).match
_STATEMENT = re.compile(rf"{_SPACE}*(SELECT|WITH|INSERT|UPDATE|DELETE|VALUES|MERGE|select|with)\b").match
_GOES_ON = (k.RESERVED_WORDS | k.FREE_WORDS | {"}"}) - k.DECLARATION_WORDS
"""What cannot follow a declaration: its `}` came too early, or the one before it opened too late."""
_ESCAPED_STRING = re.compile(r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*"').match
_SINGLE_QUOTED = re.compile(r"'[^'\\\n]*(?:(?:\\[^\n]|'')[^'\\\n]*)*'").match
_LINE_END = re.compile(rf"{_BLANK}*(?:\n|\Z)")
_BAD = re.compile(r"""[^\w\s"'$/{}()\[\],:.=<>!\-\x00\ud800-\udfff]+|.""", re.S).match

_HASH_COMMENT = re.compile(rf"#[^{{}}\n]*(?={_BLANK}*(?:\n|\Z))|#").match
"""Elsewhere a comment begins so: then the rest of the line is none of ours, but never a brace."""

_DECLARATIONS = frozenset(k.SPELLINGS[word] for word in k.DECLARATION_WORDS)
_BEHIND_SQL = frozenset(
    ("}", "input", "output", "cache", "sql", "update", "delete", "insert", "enqueue", "steps", "invalidate")
)
_NEXT_WORD = re.compile(rf"{_SPACE}*(\}}|{_WORD})").match
_HEADERS_IN_SQL = 8
"""How many lines that look like headers may stand in the quotes and comments of one raw SQL block. A bound is needed
so that quotes that are never closed, one in each of many declarations, do not cost a scan of the whole file each."""
FOREVER = sys.maxsize


class Lexed(NamedTuple):
    """One chunk. Offsets are from its start, `end` is its length.

    reach: the end of the text that decided where the chunk ends. unclosed: how many `{` have no `}`, surplus:
    the other way round. swallowed:
    an unterminated string, comment or SQL block ran over what may be such a `}`. bad: what is in no token.
    """

    end: int
    reach: int
    tokens: list[LexToken]
    comments: list[Comment]
    raw: list[RawFinding]
    unclosed: int
    surplus: int
    swallowed: bool
    bad: list[tuple[int, int, bool]]


# Trees keep names and where they stand: 1,000 files hold 18 MB less when equal ones are one object.
_SHARED = 8192
_OFFSETS = list(range(_SHARED))


def is_word(text: str) -> bool:
    """Whether a token's text is a word: a keyword or a name."""
    return text[:1].isalpha() or text[:1] == "_"


class Lexer:
    """Cuts one text. `chunk(at)` may be called for any line's start."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.readable = text.isascii() and "\0" not in text
        self._last_comment_end = -2
        self._header: tuple[int, re.Match[str] | None] = (-1, None)

    def chunk(self, base: int) -> Lexed:
        text = self.text
        tokens: list[LexToken] = []
        append = tokens.append
        offsets = _OFFSETS
        kind_of = k.SPELLINGS.get
        remarks = Remarks(text, base)
        depth = surplus = 0
        sql = partial = index = -1
        at, limit, reach, cut = base, len(text), 0, -1
        restart, limited = True, False
        while restart:
            restart = False
            for found in _FIND(text, at, limit):
                group = found.lastindex
                if group is None:
                    continue
                token = found[group]
                kind = kind_of(token)
                if kind is None:
                    kind = _KIND_OF_GROUP[group]
                    if kind < 0:
                        end = found.end()
                        if group == _GROUP_LINE_COMMENT:
                            remarks.comment(end - len(token), end, len(tokens) and tokens[-1][2])
                            continue
                        if group == _GROUP_NUMBER:
                            kind = k.INT if token.isdigit() and token.isascii() else _number_kind(token)
                        else:
                            at = self._other(end - 1, limit, tokens, remarks)
                            if at < 0:
                                cut, reach = -at - 1, FOREVER
                            else:
                                restart = True
                            break
                    end = found.end() - base
                    if end < _SHARED:
                        append((kind, offsets[end - len(token)], offsets[end], intern(token)))
                    else:
                        append((kind, end - len(token), end, intern(token)))
                    continue
                end = found.end() - base
                if kind < k.FIRST_CUTTING:
                    append((kind, end - len(token), end, token))
                    continue
                if kind in _DECLARATIONS:
                    if group == _GROUP_WORD_BOL and (tokens or remarks.bad):
                        header = _HEADER(text, end + base - len(token))
                        if header:
                            last = base + max(tokens[-1][2] if tokens else 0, remarks.last_bad)
                            rest = _LINE_REST(text, last)
                            cut = rest.end() if rest else text.rfind("\n", last, header.start()) + 1
                            reach = header.end() + 1 - base
                            break
                    append((kind, end - len(token), end, token))
                elif kind == k.LBRACE:
                    append((kind, end - 1, end, token))
                    depth += 1
                    partial = index = -1
                    if sql >= 0 and _opens_sql(tokens, sql):
                        at, reach = self._sql_end(end + base, reach)
                        if at < 0:
                            cut = self._open_end(end + base, limit)
                            reach = FOREVER
                            remarks.open_sql(end - 1, cut - base)
                            break
                        append((k.RAW_SQL, end, at - base, text[end + base : at]))
                        remarks.sql_end = at
                        sql = -1
                        restart = True
                        break
                    sql = -1
                elif kind == k.RBRACE:
                    append((kind, end - 1, end, token))
                    sql = partial = index = -1
                    depth -= 1
                    if depth <= 0:
                        surplus -= depth
                        depth = 0
                        rest = _LINE_REST(text, end + base, limit)
                        if rest and not limited:
                            behind = _BEHIND(text, rest.end())
                            reach = max(reach, behind.end() + 1 - base) if behind else reach
                            if behind and (behind[1] in _GOES_ON or behind[2] in TYPE_WORDS):
                                continue
                        if rest:
                            limited = True
                            at, limit, restart = end + base, rest.end(), True
                            break
                elif kind == k.RPAR:
                    append((kind, end - 1, end, token))
                    statement = _STATEMENT(text, end + base, limit) if sql >= 0 else None
                    if statement and tokens[sql + 1][0] == k.TOUCHES:
                        # The `{` is missing. That it is SQL can be seen, and its `}` is there.
                        begin = statement.start(1)
                        stop, reach = self._sql_end(begin, reach)
                        if stop >= 0:
                            append((k.RAW_SQL, begin - base, stop - base, text[begin:stop]))
                            at, sql, restart = stop, -1, True
                            remarks.sql_end = at
                            depth += 1
                            break
                else:
                    append((kind, end - len(token), end, token))
                    if kind == k.SQL:
                        if sql < 0 or tokens[sql + 1][0] != k.TOUCHES:
                            sql = len(tokens) - 1
                    elif kind == k.INDEX:
                        index = end
                    elif kind == k.PARTIAL:
                        partial = len(tokens)
                    elif kind == k.WHERE and index >= 0 and "\n" not in text[base + index : base + end]:
                        # `partial` is missing: what follows is a condition all the same.
                        at = self._predicate(end + base, limit, tokens, remarks)
                        partial = index = -1
                        restart = True
                        break
                    elif partial > 0 and len(tokens) > partial and tokens[partial][0] == k.BY:
                        at = self._predicate(end + base, limit, tokens, remarks)
                        partial = -1
                        restart = True
                        break
        stop = (limit if cut < 0 else cut) - base
        end = tokens[-1][2] if tokens else 0
        append((k.END, end, end, ""))
        if not self.readable:
            remarks.unreadable(stop)
        if cut >= 0:
            remarks.drop_after(stop)
        return Lexed(
            stop,
            max(stop, reach),
            tokens,
            remarks.comments,
            remarks.raw,
            depth,
            surplus,
            remarks.swallowed,
            remarks.bad,
        )

    def _other(self, at: int, limit: int, tokens: list[LexToken], remarks: Remarks) -> int:
        """What begins with none of the usual characters: where to go on, or `-1 - cut` to end the chunk there."""
        text = self.text
        base = remarks.base
        char = text[at]
        if char == "/" and text.startswith("/*", at):
            end = self._comment_end(at)
            if end < 0:
                cut = self._open_end(at, limit)
                remarks.open_comment(at, cut)
                return -1 - cut
            remarks.block(at, end, tokens)
            return end
        if char in "\"'":
            closed = (_ESCAPED_STRING if char == '"' else _SINGLE_QUOTED)(text, at, limit)
            if closed:
                end = closed.end()
                remarks.odd_string(at, end)
            else:
                end = text.find("\n", at, limit)
                end = at + len(text[at : end if end >= 0 else limit].rstrip(" \t\r\f\v"))
                remarks.open_string(at, end)
            tokens.append((k.STRING, at - base, end - base, text[at:end]))
            return end
        bad = (_HASH_COMMENT if char == "#" else _BAD)(text, at, limit)
        end = bad.end() if bad else at + 1
        remarks.bad_characters(at, end)
        return end

    def _comment_end(self, at: int) -> int:
        if self._last_comment_end == -2:
            self._last_comment_end = self.text.rfind("*/")
        return self.text.find("*/", at + 2) + 2 if self._last_comment_end >= at + 2 else -1

    def _next_header(self, at: int) -> re.Match[str] | None:
        asked, header = self._header
        if asked < 0 or at < asked or (header is not None and header.start() < at):
            header = _NEXT_HEADER(self.text, at)
            self._header = (at, header)
        return header

    def _open_end(self, at: int, limit: int) -> int:
        """The start of the next line with a header behind `at`, where something unterminated ends at the latest."""
        header = self._next_header(at)
        return header.start() + 1 if header else limit

    def _sql_end(self, start: int, reach: int) -> tuple[int, int]:
        """Where the raw SQL that begins at `start` ends (-1: nowhere), and how far the chunk's reach is now."""
        text = self.text
        header = self._next_header(start)
        if header is None:
            return sql_end(text, start, len(text)), reach
        end = sql_end(text, start, header.start())
        if end >= 0:
            return end, reach
        limit: re.Match[str] | None = header
        for _ in range(_HEADERS_IN_SQL):
            limit = _NEXT_HEADER(text, limit.end()) if limit else None
        end = sql_end(text, start, limit.start() if limit else len(text))
        behind = _NEXT_WORD(text, end + 1) if end >= 0 else None
        if behind and behind[1] in _BEHIND_SQL:
            return end, FOREVER
        return -1, FOREVER

    def _predicate(self, at: int, limit: int, tokens: list[LexToken], remarks: Remarks) -> int:
        text, base = self.text, remarks.base
        end = predicate_end(text, at, limit)
        raw = text[at:end]
        start = at + len(raw) - len(raw.lstrip())
        stripped = raw.strip()
        if not stripped:
            start = at
        tokens.append((k.PREDICATE, start - base, start - base + len(stripped), stripped))
        quote = open_quote(stripped)
        if quote >= 0:
            remarks.open_string(start + quote, start + len(stripped))
        return end


def _opens_sql(tokens: list[LexToken], sql: int) -> bool:
    """Whether raw SQL follows the `{` that was just read: `sql touches(...) {`, or what may be meant as that."""
    if tokens[sql + 1][0] == k.TOUCHES or tokens[-2][0] == k.RPAR:
        return True
    return sql + 2 == len(tokens) and (sql == 0 or tokens[sql - 1][0] not in (k.IN, k.FOR, k.DOT, k.ON))


def open_quote(predicate: str) -> int:
    """The offset of a `"` that nothing closes, or -1."""
    at = predicate.find('"')
    while at >= 0:
        closed = _ESCAPED_STRING(predicate, at)
        if not closed:
            return at
        at = predicate.find('"', closed.end())
    return -1


def _number_kind(text: str) -> int:
    whole, point, fraction = text.partition(".")
    return k.DECIMAL if point and text.isascii() and whole.isdigit() and fraction.isdigit() else k.DURATION


_NAMES = {
    k.STRING: "string",
    k.INT: "number",
    k.DECIMAL: "number",
    k.DURATION: "number",
    k.PARAM: "parameter",
    k.RAW_SQL: "sql",
    k.PREDICATE: "predicate",
}


def tokens(text: str) -> list[Token]:
    """Everything in the text but white space, in order.

    Kinds: `word`, `sign`, `string`, `number`, `parameter`, `sql`, `predicate`, `comment`, `bad`. Raw SQL between its
    braces and a predicate are one token each, unless they are blank.
    """
    lexer = Lexer(text)
    out: list[Token] = []
    at = 0
    while at < len(text):
        chunk = lexer.chunk(at)
        found = [
            Token(_NAMES.get(kind) or ("word" if word[0].isalpha() or word[0] == "_" else "sign"), start, end, word)
            for kind, start, end, word in chunk.tokens
            if word and not word.isspace()
        ]
        found += (Token("comment", c.start, c.end, c.text) for c in chunk.comments)
        for start, end, sql in chunk.bad:
            piece = text[at + start : at + end]
            if not piece.isspace():
                found.append(Token("sql" if sql else "bad", start, end, piece))
        found.sort(key=lambda token: token.start)
        out += (Token(kind, start + at, end + at, word) for kind, start, end, word in found)
        at += chunk.end
    return out
