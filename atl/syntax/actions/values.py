"""Values and expressions."""

from __future__ import annotations

from typing import Any

from atl.syntax import nodes as n
from atl.syntax.actions.stack import Values
from atl.syntax.durations import bad_duration
from atl.syntax.tree import RawFinding


def raw(v: Values, end: int) -> None:
    start, sql = v[-2:]
    v[-2:] = (n.Raw(start, end, sql),)


def now_called(v: Values, end: int) -> None:
    v[-3:] = (n.Now(v[-3], end, True),)


def now_uncalled(v: Values, end: int) -> None:
    start = v[-1]
    v.raw.append(
        RawFinding(
            "ATL001",
            start,
            start + 3,
            "expected `now()`, found `now` without its brackets",
            help="write `now()`",
            fixes=(("write `now()`", True, ((start, start + 3, "now()"),)),),
        )
    )
    v[-1] = n.Now(start, end, True)


def now_word(v: Values, end: int) -> None:
    v[-1] = n.Now(v[-1], end, False)


def null_word(v: Values, end: int) -> None:
    v[-1] = n.Name(v[-1], end, "null")


def bare(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.Word(name.start, end, name)


def call_empty(v: Values, end: int) -> None:
    name = v[-3]
    v[-3:] = (n.Call(name.start, end, name),)


def call(v: Values, end: int) -> None:
    name = v[-4]
    v[-4:] = (n.Call(name.start, end, name),)


def true(v: Values, end: int) -> None:
    v[-1] = n.Bool(v[-1], end, True)


def false(v: Values, end: int) -> None:
    v[-1] = n.Bool(v[-1], end, False)


def column_value(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.Column(name.start, end, name)


def duration(v: Values, end: int) -> None:
    check_duration(v, v[-1])


def check_duration(v: Values, value: Any) -> None:
    if type(value) is n.Duration and value.ms is None:
        v.raw.append(bad_duration(value.text, value.start, value.end))


def expr(v: Values, end: int) -> None:
    first = v[-1]
    v[-1] = n.Expr(first.start, first.end, [first])


def expr_and(v: Values, end: int) -> None:
    term = v.pop()
    del v[-1]
    v[-1].terms.append(term)
    v[-1].end = term.end


def comparison_alone(v: Values, end: int) -> None:
    value = v[-1]
    v[-1] = n.Comparison(value.start, value.end, value, None, None)


def comparison(v: Values, end: int) -> None:
    left, op, right = v[-3:]
    v[-3:] = (n.Comparison(left.start, right.end, left, op, right),)
