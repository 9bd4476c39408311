"""Whether PostgreSQL reads a text as a date, a time or an interval; see `text_forms`.

Its reader takes month names, Julian days, time zones by name and much else, in an order that a setting chooses. Only
the ISO forms are judged here, and texts that hold neither a digit nor one of the special words.
"""

from __future__ import annotations

import re

from atl.schema.types import Type

__all__ = ["datetime_may_be", "interval_may_be"]

# isspace() of the C locale.
_SPACE = " \t\n\v\f\r"

_CLOCK = r"(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2})(?P<fraction>\.\d*)?)?"
_OFFSET = r"(?:Z|[+-](?P<oh>\d{1,2})(?::?(?P<om>\d{2})(?::?(?P<os>\d{2}))?)?)"
_MOMENT = re.compile(
    rf"(?P<year>\d{{4,7}})-(?P<month>\d{{1,2}})-(?P<day>\d{{1,2}})(?:(?:T| +){_CLOCK})?"
    rf"(?: *{_OFFSET})?(?P<bc> *BC| *AD)?",
    re.ASCII | re.IGNORECASE,
)
_TIME = re.compile(rf"T?{_CLOCK}(?P<half> *[ap]m)?(?: *{_OFFSET})?", re.ASCII | re.IGNORECASE)
_SPECIAL = frozenset({"now", "today", "tomorrow", "yesterday", "epoch", "infinity", "allballs"})
_MONTH_DAYS = (31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_LAST_YEAR = {"date": 5_874_897, "timestamp": 294_276, "timestamptz": 294_276}
_TIME_OF_DAY = frozenset({"time", "timetz"})


def datetime_may_be(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    if not re.search("[0-9.]", text):
        return not _SPECIAL.isdisjoint(re.findall("[a-z]+", text.lower()))
    time_of_day = type_.base in _TIME_OF_DAY
    clock = _TIME.fullmatch(text)
    if clock is not None:
        return time_of_day and _on_the_clock(clock)
    moment = _MOMENT.fullmatch(text)
    if moment is None:
        return not (text.isascii() and text.isdigit() and len(text) < 3)
    if time_of_day:
        return moment["hour"] is not None and _on_the_clock(moment)
    return _in_the_calendar(type_, moment) and _on_the_clock(moment)


def _in_the_calendar(type_: Type, moment: re.Match[str]) -> bool:
    year, month, day = int(moment["year"]), int(moment["month"]), int(moment["day"])
    if not 1 <= month <= 12 or not 1 <= day <= _MONTH_DAYS[month - 1]:
        return False
    if moment["bc"] is not None and moment["bc"].strip().lower() == "bc":
        return True
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 0 < year <= _LAST_YEAR[type_.base] and (month != 2 or day < 29 or leap)


def _on_the_clock(found: re.Match[str]) -> bool:
    if found["oh"] is not None and not (
        int(found["oh"]) < 16 and int(found["om"] or 0) < 60 and int(found["os"] or 0) < 60
    ):
        return False
    if found["hour"] is None:
        return True
    hour, minute, second = int(found["hour"]), int(found["minute"]), int(found["second"] or 0)
    if "half" in found.re.groupindex and found["half"] is not None and hour > 12:
        return False
    if hour == 24:
        return minute == second == 0 and not (found["fraction"] or "").strip(".0")
    return hour < 24 and minute < 60 and second <= 60


# The units of `deltatktbl` in datetime.c that an interval takes, cut to 10 letters as PostgreSQL does.
_UNIT_WORDS = """
ago c cent centuries century d day days dec decade decades decs h hour hours hr hrs m microsecond microseconds mil
millennia millennium millisecond milliseconds mils min mins minute minutes mon mons month months ms msec msecond
mseconds msecs qtr s sec second seconds secs us usec usecond useconds usecs w week weeks y year years yr yrs
"""
_UNITS = frozenset(unit[:10] for unit in _UNIT_WORDS.split())


def interval_may_be(type_: Type, text: str) -> bool:
    text = text.strip(_SPACE)
    if text[:1] == "P" or text[1:2] == "P":
        return True
    words = [word[:10].lower() for word in re.findall("[A-Za-z]+", text)]
    if not re.search("[0-9.]", text):
        return words == ["infinity"]
    return _UNITS.issuperset(words)
