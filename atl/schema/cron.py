"""Schedules: the five-field cron of a job.

The language decides what a schedule may say (`read`); the library `cronsim` agrees with it on all that it takes, and is
asked for the next firings only. Offsets count code points of the expression given.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from atl.records import NamedTuple

if TYPE_CHECKING:
    from datetime import datetime

__all__ = ["PRESETS", "Cron", "Problem", "firings", "read", "shortest_gap"]

PRESETS = {
    "hourly": "0 * * * *",
    "daily": "0 0 * * *",
    "midnight": "0 0 * * *",
    "weekly": "0 0 * * 0",
    "monthly": "0 0 1 * *",
    "yearly": "0 0 1 1 *",
    "annually": "0 0 1 1 *",
}
"""What other crons call `@daily` and the like, in five fields."""


class Cron(NamedTuple):
    """A schedule that fires. Every field is sorted; weekdays count from Sunday, 0 to 6.

    either: day and weekday are both restricted, and a date that matches one of them is enough. A field that begins with
    `*` is not restricted, as in the crons of Vixie and Debian.
    """

    minutes: tuple[int, ...]
    hours: tuple[int, ...]
    days: tuple[int, ...]
    months: tuple[int, ...]
    weekdays: tuple[int, ...]
    either: bool


class Problem(NamedTuple):
    """What is wrong at [start, end) of the expression. message and help are worded for a finding.

    replacement: the text that was likely meant there, or None.
    """

    start: int
    end: int
    message: str
    help: str = ""
    replacement: str | None = None


class _Kind(NamedTuple):
    word: str
    low: int
    high: int
    names: tuple[str, ...] = ()


_MONTHS = ("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC")
_WEEKDAYS = ("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT")
_KINDS = (
    _Kind("minute", 0, 59),
    _Kind("hour", 0, 23),
    _Kind("day", 1, 31),
    _Kind("month", 1, 12, _MONTHS),
    _Kind("weekday", 0, 7, _WEEKDAYS),
)
_LONGEST = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_FIELD = re.compile(r"[^ \t\r\n\f\v]+")
_FIVE = "the five fields are minute, hour, day, month and weekday"
_FORMS = "a field is made of `*`, values, ranges `a-b`, steps `/n`, and lists of them"


@lru_cache(256)
def read(expression: str) -> Cron | tuple[Problem, ...]:
    """The schedule that an expression means, or all that is wrong with it, at least one thing. Linear in its length."""
    fields = [(match.start(), match[0]) for match in _FIELD.finditer(expression)]
    if len(fields) != 5:
        return (_wrong_count(expression, fields),)
    problems: list[Problem] = []
    minutes, hours, days, months, weekdays = (
        _field(kind, text, at, problems) for kind, (at, text) in zip(_KINDS, fields, strict=True)
    )
    if problems:
        return tuple(problems)
    weekdays = sorted({day % 7 for day in weekdays})
    at, day_text = fields[2]
    weekday_text = fields[4][1]
    longest = max(_LONGEST[month] for month in months)
    if days[0] > longest and weekday_text.startswith("*") and len(weekdays) == 7:
        end = at + len(day_text)
        message = f"this schedule never fires: the longest of its months has {longest} days"
        return (Problem(at, end, message, "name a day that comes, or a longer month"),)
    either = not (day_text.startswith("*") or weekday_text.startswith("*"))
    return Cron(tuple(minutes), tuple(hours), tuple(days), tuple(months), tuple(weekdays), either)


def _wrong_count(expression: str, fields: list[tuple[int, str]]) -> Problem:
    if not fields:
        return Problem(0, len(expression), "the schedule is empty", f"{_FIVE}: `0 3 * * *` is every day at 03:00")
    start, end = fields[0][0], fields[-1][0] + len(fields[-1][1])
    words = expression[start:end]
    preset = PRESETS.get(words.removeprefix("@").lower())
    if preset is not None:
        return Problem(start, end, f"`{words}` is not written in five fields", f"write `{preset}`", preset)
    if words.startswith("@"):
        return Problem(start, end, f"`{words}` is not written in five fields", _FIVE)
    message = f"a schedule has five fields, but this one has {len(fields)}"
    if len(fields) == 6 and fields[0][1].strip("0") == "":
        without_seconds = expression[fields[1][0] : end]
        if isinstance(read(without_seconds), Cron):
            advice = "there is no field for seconds: leave the first one out"
            return Problem(start, end, message, advice, without_seconds)
    return Problem(start, end, message, _FIVE)


def _field(kind: _Kind, text: str, at: int, problems: list[Problem]) -> list[int]:
    values: set[int] = set()
    start, end = at, at + len(text)
    for item in text.split(","):
        if item:
            values |= _item(kind, item, at, problems)
        else:
            # Empty items lie beside a comma: the one before, or for the first item the one after.
            comma = max(at - 1, start)
            message = f"the list of {kind.word}s has an empty item"
            problems.append(Problem(comma, min(comma + 1, end), message, "remove the extra comma"))
        at += len(item) + 1
    return sorted(values)


def _item(kind: _Kind, text: str, at: int, problems: list[Problem]) -> set[int]:
    base, slash, step_text = text.partition("/")
    step = _number(step_text) if slash else 1
    if not step:
        message = f"`{text}` has no whole number for a step" if step is None else f"the step of `{text}` goes nowhere"
        problems.append(Problem(at + len(base), at + len(text), message, "a step is a whole number from 1"))
        return set()
    if base == "*":
        return set(range(kind.low, kind.high + 1, step))
    first, dash, last = base.partition("-")
    if dash and not (first and last):
        message = f"the range `{base}` has no {'end' if first else 'start'}"
        problems.append(Problem(at, at + len(base), message, _limits(kind)))
        return set()
    if not dash:
        low = _value(kind, first, at, problems)
        if low is None:
            return set()
        return set(range(low, kind.high + 1, step)) if slash else {low}
    low, high = _value(kind, first, at, problems), _value(kind, last, at + len(first) + 1, problems)
    if low is None or high is None:
        return set()
    if low > high:
        around = None if slash else _around(kind, first, low, last, high)
        advice = f"write `{around}`" if around else "a range goes from the lower to the higher value"
        message = f"the range `{base}` runs backwards"
        problems.append(Problem(at, at + len(base), message, advice, around))
    return set(range(low, high + 1, step))


def _around(kind: _Kind, first: str, low: int, last: str, high: int) -> str:
    """The two ranges that a range over the end of its field was meant to be: `22-2` of hours is `22-23,0-2`."""
    top = 6 if kind.word == "weekday" else kind.high
    bottom = kind.low
    if kind.word == "weekday" and high == 0:
        return f"{first}-7"
    end = kind.names[top - kind.low] if kind.names and first.isalpha() else str(top)
    begin = kind.names[0] if kind.names and last.isalpha() else str(bottom)
    before = first if low >= top else f"{first}-{end}"
    after = last if high == bottom else f"{begin}-{last}"
    return f"{before},{after}"


def _value(kind: _Kind, text: str, at: int, problems: list[Problem]) -> int | None:
    end = at + len(text)
    name = text.upper()
    if name in kind.names:
        return kind.names.index(name) + kind.low
    number = _number(text)
    if number is not None and kind.low <= number <= kind.high:
        return number
    replacement, advice = None, _limits(kind)
    if number is None and name[:3] in kind.names and name.isalpha():
        replacement = text[:3]
    elif text == "?":
        replacement = "*"
    elif number is None and not text.isalnum():
        advice = _FORMS
    message = f"`{text}` is no {kind.word}" if text else f"there is no {kind.word} before the step"
    advice = f"write `{replacement}`" if replacement else advice
    problems.append(Problem(at, end if text else end + 1, message, advice, replacement))
    return None


def _limits(kind: _Kind) -> str:
    by_name = f", or by name from {kind.names[0]} to {kind.names[-1]}" if kind.names else ""
    return f"{kind.word}s go from {kind.low} to {kind.high}{by_name}"


def _number(text: str) -> int | None:
    """The value of decimal digits; None for anything else. What is longer than any field's values is cut, not read."""
    if not (text.isascii() and text.isdigit()):
        return None
    return int(text.lstrip("0")[:6] or "0")


@lru_cache(256)
def shortest_gap(cron: Cron) -> int | None:
    """The fewest minutes between two firings; None when it fires at most once in 28 years.

    28 years are the period of the calendar's weekdays (1901 to 2099), so they hold every gap there is.
    """
    from itertools import pairwise

    times = [hour * 60 + minute for hour in cron.hours for minute in cron.minutes]
    within = min((later - earlier for earlier, later in pairwise(times)), default=None)
    days = _shortest_day_gap(cron)
    if days is None:
        return within
    across = days * 1440 - times[-1] + times[0]
    return across if within is None else min(within, across)


def _shortest_day_gap(cron: Cron) -> int | None:
    """The fewest days between two days that it fires on; None when there is at most one in 28 years."""
    from datetime import date
    from itertools import pairwise

    if len(cron.days) == 31 and len(cron.months) == 12 and not cron.either:
        around = (*cron.weekdays, cron.weekdays[0] + 7)
        return min(later - earlier for earlier, later in pairwise(around))
    days, weekdays = set(cron.days), set(cron.weekdays)
    candidates = range(1, 32) if cron.either else cron.days
    shortest = previous = None
    for year in range(2000, 2029):
        for month in cron.months:
            first = date(year, month, 1).toordinal()
            length = date(year + month // 12, month % 12 + 1, 1).toordinal() - first
            for day in candidates:
                ordinal = first + day - 1
                # Ordinal 0 would be a Sunday, so the remainder counts as cron does.
                on_weekday = ordinal % 7 in weekdays
                if day > length or not ((on_weekday or day in days) if cron.either else on_weekday):
                    continue
                if previous is not None and (shortest is None or ordinal - previous < shortest):
                    shortest = ordinal - previous
                    if shortest == 1:
                        return 1
                previous = ordinal
    return shortest


def firings(expression: str, after: datetime, count: int) -> list[datetime]:
    """The next firings after a moment, in its time zone: `count` of them, or fewer when no more come within 50 years
    (cronsim's limit). The expression is one that `read` takes; for any other there are none."""
    if not isinstance(read(expression), Cron):
        return []
    from itertools import islice

    from cronsim import CronSim, CronSimError

    try:
        return list(islice(CronSim(expression, after), count))
    except CronSimError:
        return []
