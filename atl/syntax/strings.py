"""Strings: what is between the quotes, and where it stands in the source."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator

__all__ = ["bad_escapes", "is_open", "offset_in", "predicate_sql", "requote", "unquote"]

_ESCAPES = {'"': '"', "\\": "\\", "n": "\n", "t": "\t"}
_PIECE = re.compile(r"""\\(?:["\\nt]|$)|''""")
_BACKSLASH = re.compile(r"\\(.)")
_QUOTED = re.compile(r'"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?:"|\\?$)', re.M)
_IN_PREDICATE = re.compile(r"""\\["\\]|'""")


def _inside(token: str) -> tuple[int, int]:
    """Where the text between the quotes begins and ends; an unterminated string has no closing one."""
    quote = token[0]
    closed = len(token) > 1 and token[-1] == quote
    if closed and quote == '"':
        body = token[1:-1]
        closed = (len(body) - len(body.rstrip("\\"))) % 2 == 0
    return 1, len(token) - 1 if closed else len(token)


def is_open(token: str) -> bool:
    """Whether a string's closing quote is missing."""
    return _inside(token)[1] == len(token)


def _pieces(token: str) -> Iterator[tuple[int, int, str]]:
    """What stands for something else in a string's token: start, end, and for what."""
    start, end = _inside(token)
    single = token[0] == "'"
    for found in _PIECE.finditer(token, start, end):
        text = found[0]
        if text == "''":
            if single:
                yield found.start(), found.end(), "'"
        else:
            yield found.start(), found.end(), _ESCAPES.get(text[1:], "")


def unquote(token: str) -> str:
    """The value of a string as it is written. An unknown escape stands for itself, backslash and all."""
    start, end = _inside(token)
    if "\\" not in token and "''" not in token:
        return token[start:end]
    out: list[str] = []
    at = start
    for first, last, value in _pieces(token):
        out += (token[at:first], value)
        at = last
    return "".join((*out, token[at:end]))


def bad_escapes(token: str) -> Iterator[tuple[int, str]]:
    """The unknown escapes of a string: where each begins in the token, and what to write."""
    for found in _BACKSLASH.finditer(token):
        if found[1] not in _ESCAPES:
            yield found.start(), "'" if found[1] == "'" else "\\\\" + found[1]


def requote(token: str) -> str:
    """A string in single quotes as one in double quotes."""
    value = unquote(token)
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(char, escape)
    return f'"{value}"'


def offset_in(source: str, start: int, offset: int) -> int:
    """Where the character at `offset` of a string's value stands in the source.

    source: the chunk's text; start: the string node's start in it (its opening quote). An offset at or past the value's
    end gives the place behind its last character.
    """
    if source[start] == '"' and source.find("\\", start, start + 1 + offset) < 0:
        return start + 1 + offset  # asked for each name in a long string
    return _map(_pieces(_token_at(source, start)), start, 1, offset)


def _token_at(source: str, start: int) -> str:
    end = source.find("\n", start)
    line = source[start : end if end >= 0 else len(source)].rstrip("\r")
    quote = source[start]
    at = 1
    while at < len(line):
        if line[at] == "\\" or (quote == "'" and line.startswith("''", at)):
            at += 2
        elif line[at] == quote:
            return line[: at + 1]
        else:
            at += 1
    return line


def _map(pieces: Iterator[tuple[int, int, str]], start: int, first: int, offset: int) -> int:
    shift = first
    for begin, end, value in pieces:
        if begin - shift >= offset:
            break
        shift += (end - begin) - len(value)
    return start + shift + offset


def predicate_sql(raw: str) -> tuple[str, Callable[[int], int]]:
    """A partial index's predicate as SQL, and a function from offsets in that SQL to offsets in `raw`.

    `"..."` is a string there and becomes `'...'`. In it `\\"` and `\\\\` are escapes, a `'` is doubled, and anything
    else stays as it is. The SQL is never shorter than what was written, but for escapes.
    """
    out: list[str] = []
    starts: list[int] = []
    places: list[int] = []
    length = 0

    def put(text: str, place: int) -> None:
        nonlocal length
        starts.append(length)
        places.append(place)
        out.append(text)
        length += len(text)

    at = 0
    for quoted in _QUOTED.finditer(raw):
        put(raw[at : quoted.start()], at)
        put("'", quoted.start())
        first, last = _inside(quoted[0])
        inner = quoted.start() + first
        end = quoted.start() + last
        for found in _IN_PREDICATE.finditer(raw, inner, end):
            put(raw[inner : found.start()], inner)
            put("''" if found[0] == "'" else found[0][1], found.start())
            inner = found.end()
        put(raw[inner:end], inner)
        put("'", end)
        at = quoted.end()
    put(raw[at:], at)

    def source_offset(offset: int) -> int:
        piece = bisect_right(starts, offset) - 1
        within = offset - starts[piece]
        following = places[piece + 1] if piece + 1 < len(places) else len(raw)
        return min(places[piece] + within, following)

    return "".join(out), source_offset
