"""SQL seen as text: where quotes, comments, parameters begin and end. Needs no grammar and loads no library."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

from atl.records import NamedTuple

__all__ = ["Parameter", "Token", "parameters", "positional", "quote_identifier", "quote_literal", "token_at", "tokens"]


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
_SPACE = r"[ \t\n\r\f\v]"
# Spelled by what they are not, which compiles faster than ranges to the end of Unicode.
_LETTER = r"[^\x00-@\[-^`{-\x7f]"
_INSIDE = r"[^\x00-#%-/:-@\[-^`{-\x7f]"
_TAG = r"[^\x00-/:-@\[-^`{-\x7f]"
_ESCAPED = (
    rf"[eE]'(?:[^'\\]|\\.|''|'[ \t\f\v]*(?:--[^\n\r]*)?[\n\r](?:{_SPACE}|--[^\n\r]*[\n\r])*')*"
    r"(?P<escaped_end>'|\Z|\\\Z)"
)
_QUOTED = r'(?:[uU]&)?"(?:[^"]|"")*(?P<quoted_end>"|\Z)'
_STRING = r"'(?:[^']|'')*(?P<string_end>'|\Z)"
_DOLLAR = rf"\$(?:{_LETTER}{_TAG}*)?\$"
_PARAMETER = r"\$[^\W\d]\w*"

_TOKEN = re.compile(
    rf"""
    {_SPACE}*(?:
    (?P<word>(?!(?:[eEbBxXnN]|[uU]&)')(?![uU]&"){_LETTER}{_INSIDE}*)
  | (?P<escaped>{_ESCAPED})
  | (?P<quoted>{_QUOTED})
  | (?P<string>(?:[uU]&|[bBxXnN])?{_STRING})
  | (?P<dollar>{_DOLLAR})
  | (?P<parameter>{_PARAMETER})
  | (?P<positional>\$\d+)
  | (?P<line_comment>--[^\n\r]*)
  | (?P<comment>/\*)
  | (?P<number>(?:\d\w*(?:\.(?!\.)\w*)?|\.\d\w*)(?:(?<=[eE])[+-]\d+)?)
  | (?P<symbol>[^ \t\n\r\f\v])
    )""",
    re.VERBOSE | re.DOTALL,
)
# Only what can hide or be a parameter. A letter before `$` or `E'` makes it part of an identifier.
_PARAMETER_OR_HIDING = re.compile(
    rf"(?<!{_INSIDE}){_ESCAPED}|{_QUOTED}|{_STRING}|--[^\n\r]*|(?P<comment>/\*)"
    rf"|(?<!{_INSIDE})(?:(?P<dollar>{_DOLLAR})|(?P<parameter>{_PARAMETER}))",
    re.DOTALL,
)
_COMMENT_MARK = re.compile(r"/\*|\*/")


def tokens(sql: str) -> Iterator[Token]:
    """The tokens of SQL text, comments among them, in order. Linear in the length of the text."""
    at = 0
    while (token := token_at(sql, at)) is not None:
        yield token
        at = token.end


def token_at(sql: str, offset: int) -> Token | None:
    """The first token at or behind an offset that is in no token's middle."""
    found = _TOKEN.match(sql, offset)
    if found is None:
        return None
    kind = found.lastgroup
    assert kind is not None
    start, end = found.span(kind)
    match kind:
        case "escaped":
            return Token("string", start, end, found["escaped_end"] != "'")
        case "quoted":
            return Token("quoted", start, end, found["quoted_end"] != '"')
        case "string":
            return Token("string", start, end, found["string_end"] != "'")
        case "dollar":
            close = sql.find(found["dollar"], end)
            return Token("string", start, len(sql) if close < 0 else close + end - start, close < 0)
        case "comment":
            return Token("comment", start, *_comment_end(sql, end))
        case "line_comment":
            return Token("line comment", start, end)
        case _:
            return Token(kind, start, end)


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
    return list(_parameters(sql)) if "$" in sql else []


_POSITIONAL = re.compile(r"\$[0-9]")


def positional(sql: str) -> list[Token]:
    """The `$1`, `$2`, ..., in order; where PostgreSQL reads them as such."""
    return [token for token in tokens(sql) if token.kind == "positional"] if _POSITIONAL.search(sql) else []


@lru_cache(maxsize=256)
def _parameters(sql: str) -> tuple[Parameter, ...]:
    # Several rules and the grammar ask about one block, one after the other.
    found, at = [], 0
    while (piece := _PARAMETER_OR_HIDING.search(sql, at)) is not None:
        at = piece.end()
        if piece["parameter"] is not None:
            found.append(Parameter(piece[0][1:], piece.start(), at))
        elif piece["comment"] is not None:
            at = _comment_end(sql, at)[0]
        elif piece["dollar"] is not None:
            close = sql.find(piece[0], at)
            at = len(sql) if close < 0 else close + len(piece[0])
    return tuple(found)


def quote_identifier(name: str) -> str:
    """`name` as an always quoted PostgreSQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """`text` as a string literal that means the same whatever `standard_conforming_strings` says."""
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted
