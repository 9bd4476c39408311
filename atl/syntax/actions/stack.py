"""The value stack, what a token leaves on it, and lists."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.durations import milliseconds
from atl.syntax.strings import unquote
from atl.syntax.tree import RawFinding


class Values(list[Any]):
    """The value stack, and what is kept about the chunk besides."""

    __slots__ = ("lost", "raw", "text")

    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.raw: list[RawFinding] = []
        self.lost = False


Action: TypeAlias = Callable[[Values, int], None]


_LONGEST_INT = 4000


def _int(start: int, end: int, text: str) -> n.Int:
    """A number of thousands of digits is far out of every range, and Python refuses to read it: one as large stands
    for it."""
    return n.Int(start, end, int(text) if len(text) <= _LONGEST_INT else 10**_LONGEST_INT)


def _string(start: int, end: int, text: str) -> n.Str:
    if text[0] == '"' and "\\" not in text and text[-1] == '"' and len(text) > 1:
        return n.Str(start, end, text[1:-1])
    return n.Str(start, end, unquote(text))


def _duration(start: int, end: int, text: str) -> n.Duration:
    return n.Duration(start, end, text, milliseconds(text))


def _parameter(start: int, end: int, text: str) -> n.Parameter:
    return n.Parameter(start, end, text[1:])


def _reserved_name(start: int, end: int, text: str) -> n.Name:
    return n.Name(start, end, text, True)


def _text(start: int, end: int, text: str) -> str:
    return text


MAKERS: list[Callable[[int, int, str], Any] | None] = [None] * k.WIDTH
MAKERS[k.NAME] = MAKERS[k.NAME_BOL] = MAKERS[k.BARE] = n.Name
MAKERS[k.NAME_RESERVED] = _reserved_name
MAKERS[k.INT] = _int
MAKERS[k.DECIMAL] = n.Decimal
MAKERS[k.DURATION] = _duration
MAKERS[k.STRING] = _string
MAKERS[k.PARAM] = _parameter
MAKERS[k.RAW_SQL] = MAKERS[k.PREDICATE] = n.RawSql
for _kind in (k.EQUAL, k.NE, k.LT, k.LE, k.GT, k.GE):
    MAKERS[_kind] = _text


def empty(v: Values, end: int) -> None:
    v.append([])


def append(v: Values, end: int) -> None:
    item = v.pop()
    v[-1].append(item)


def one(v: Values, end: int) -> None:
    v[-1] = [v[-1]]


def more(v: Values, end: int) -> None:
    item = v.pop()
    v[-2].append(item)
    del v[-1]


def trailing(v: Values, end: int) -> None:
    del v[-1]


def spelling(v: Values, end: int) -> None:
    v[-1] = v.text[v[-1] : end]


def set_null(v: Values, end: int) -> None:
    v[-2:] = ("set null",)


def start(v: Values, end: int) -> None:
    """The declarations are the chunk's value."""


args = call_list = label_list = labels = touched = start
