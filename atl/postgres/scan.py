"""SQL seen as text: where quotes, comments, parameters begin and end. Needs no grammar and loads no library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Parameter", "Token", "parameters", "quote_identifier", "quote_literal", "tokens"]


class Parameter(NamedTuple):
    """`$name` in SQL; the span holds the dollar."""

    name: str
    start: int
    end: int


class Token(NamedTuple):
    """A token other than white space. kind: `word`, `quoted` (an identifier), `string`, `number`, `parameter`,
    `positional` (`$1`), `comment`, `line comment`, `symbol` (one character of an operator or punctuation). Text that
    is never closed reaches to the end and has `open`."""

    kind: str
    start: int
    end: int
    open: bool = False


# As PostgreSQL's scanner, for which every character beyond ASCII is a letter. An identifier may hold dollars, so that
# `a$b` names no parameter; `$a$` always begins a dollar quote. Adjacent strings with a line end between are one
# constant, so a later part of an E'..' has backslash escapes too.
_TOKEN = re.compile(
    r"""
    (?P<space>[ \t\n\r\f\v]+)
  | (?P<escaped>[eE]'(?:[^'\\]|\\.|''|'[ \t\f\v]*(?:--[^\n\r]*)?[\n\r](?:[ \t\n\r\f\v]|--[^\n\r]*[\n\r])*')*
        (?P<escaped_end>'|\Z|\\\Z))
  | (?P<quoted>(?:[uU]&)?"(?:[^"]|"")*(?P<quoted_end>"|\Z))
  | (?P<string>(?:[uU]&|[bBxXnN])?'(?:[^']|'')*(?P<string_end>'|\Z))
  | (?P<word>[A-Za-z_\x80-\U0010ffff][\w$\x80-\U0010ffff]*)
  | (?P<dollar>\$(?:[A-Za-z_\x80-\U0010ffff][\w\x80-\U0010ffff]*)?\$)
  | \$(?P<parameter>[^\W\d]\w*)
  | (?P<positional>\$\d+)
  | (?P<line_comment>--[^\n\r]*)
  | (?P<comment>/\*)
  | (?P<number>(?:\d\w*(?:\.(?!\.)\w*)?|\.\d\w*)(?:(?<=[eE])[+-]\d+)?)
  | (?P<symbol>.)
    """,
    re.VERBOSE | re.DOTALL,
)
_COMMENT_MARK = re.compile(r"/\*|\*/")


def tokens(sql: str) -> Iterator[Token]:
    """The tokens of SQL text, comments among them, in order. Linear in the length of the text."""
    at, size, match = 0, len(sql), _TOKEN.match
    while at < size:
        found = match(sql, at)
        assert found is not None, "the last alternative takes any character"
        start, at = at, found.end()
        match found.lastgroup:
            case "space":
                continue
            case "escaped":
                yield Token("string", start, at, found["escaped_end"] != "'")
            case "quoted":
                yield Token("quoted", start, at, found["quoted_end"] != '"')
            case "string":
                yield Token("string", start, at, found["string_end"] != "'")
            case "dollar":
                close = sql.find(found["dollar"], at)
                at = size if close < 0 else close + len(found["dollar"])
                yield Token("string", start, at, close < 0)
            case "comment":
                at, is_open = _comment_end(sql, at)
                yield Token("comment", start, at, is_open)
            case "line_comment":
                yield Token("line comment", start, at)
            case kind:
                assert kind is not None
                yield Token(kind, start, at)


def _comment_end(sql: str, at: int) -> tuple[int, bool]:
    """Where the block comment whose mark ends at `at` ends, comments inside it counted, and whether it never does."""
    depth = 1
    for mark in _COMMENT_MARK.finditer(sql, at):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end(), False
    return len(sql), True


def parameters(sql: str) -> list[Parameter]:
    """The parameters, not those in strings, quoted identifiers, comments and dollar quotes, in order."""
    if "$" not in sql:
        return []
    return [
        Parameter(sql[token.start + 1 : token.end], token.start, token.end)
        for token in tokens(sql)
        if token.kind == "parameter"
    ]


def quote_identifier(name: str) -> str:
    """`name` as an always quoted PostgreSQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """`text` as a string literal that means the same whatever `standard_conforming_strings` says."""
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted
