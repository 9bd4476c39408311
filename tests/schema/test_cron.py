from __future__ import annotations

from datetime import datetime, timedelta, timezone
from itertools import pairwise

import pytest
from cronsim import CronSim, CronSimError
from hypothesis import given
from hypothesis import strategies as st

from atl.schema.cron import Cron, firings, read, shortest_gap

START = datetime(2024, 1, 1, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    "expression, gap",
    [
        ("* * * * *", 1),
        ("5/10 * * * *", 10),
        ("*/90 * * * *", 60),
        ("0 0,23 * * *", 60),
        ("0 9-17 * JAN,jul-Sep mon-FRI", 60),
        ("30 6 * * 0,7", 7 * 1440),
        ("0 12 * * 5-7", 1440),
        ("  0   0 * * * ", 1440),
        ("0 0 * * MON/3", 1440),
        ("0 0 30 2 MON", 7 * 1440),
        ("0 0 31 2 0-7", 1440),
        ("0 0 29 2 *", 1461 * 1440),
        ("0 0 31 1,4 *", 365 * 1440),
        ("0 0 31 12,1 *", 31 * 1440),
        ("05 00 01 01 *", 365 * 1440),
        ("0 0 30 2 */2", None),
    ],
)
def test_taken(expression: str, gap: int | None) -> None:
    cron = read(expression)
    assert isinstance(cron, Cron)
    assert shortest_gap(cron) == gap


@pytest.mark.parametrize(
    "marked, replacement",
    [
        ("[]", None),
        ("[0 5 * *]", None),
        ("[0 0 5 * * *]", "0 5 * * *"),
        ("[30 0 5 * * *]", None),
        ("[* * * * * * *]", None),
        (" [@daily]", "0 0 * * *"),
        ("[@DAILY]", "0 0 * * *"),
        ("[hourly]", "0 * * * *"),
        ("[@reboot]", None),
        ("[@every 5m]", None),
        ("[60] * * * *", None),
        ("0 [24] * * *", None),
        ("0 0 [0] * *", None),
        ("0 0 * [13] *", None),
        ("0 0 * * [8]", None),
        ("0 0 * * [MONDAY]", "MON"),
        ("0 0 * * [JAN]", None),
        ("0 0 [?] * *", "*"),
        ("0 0 [L] * *", None),
        ("0 0 [15W] * *", None),
        ("0 0 * * [5L]", None),
        ("0 0 * * [1#2]", None),
        ("[*]-5 * * * *", None),
        ("5-[*] * * * *", None),
        ("*[/0] * * * *", None),
        ("*[/] * * * *", None),
        ("*[/x] * * * *", None),
        ("*[/-5] * * * *", None),
        ("*[/5/2] * * * *", None),
        ("[/]5 * * * *", None),
        ("[-5] * * * *", None),
        ("[5-] * * * *", None),
        ("0[,],5 * * * *", None),
        ("0[,] * * * *", None),
        ("[,]0 * * * *", None),
        ("[30-10] * * * *", "30-59,0-10"),
        ("[59-0] * * * *", "59,0"),
        ("[30-10]/5 * * * *", None),
        ("0 [22-2] * * *", "22-23,0-2"),
        ("0 0 * [nov-feb] *", "nov-DEC,JAN-feb"),
        ("0 0 * [DEC-JAN] *", "DEC,JAN"),
        ("0 0 * * [FRI-SUN]", "FRI-7"),
        ("0 0 * * [FRI-MON]", "FRI-SAT,SUN-MON"),
        ("0 0 * * [5-1]", "5-6,0-1"),
        ("0 0 [30] 2 *", None),
        ("0 0 [30,31] feb *", None),
        ("0 0 [31] 4,6,9,11 */1", None),
        ("[99999999999999999999999999] * * * *", None),
        ("[\u0663] * * * *", None),
        ("[+5] * * * *", None),
    ],
)
def test_refused(marked: str, replacement: str | None) -> None:
    start, end = marked.index("["), marked.index("]") - 1
    expression = marked.replace("[", "").replace("]", "")
    problems = read(expression)
    assert not isinstance(problems, Cron)
    assert [(p.start, p.end, p.replacement) for p in problems] == [(start, end, replacement)]
    if replacement is not None:
        assert isinstance(read(expression[:start] + replacement + expression[end:]), Cron)


def test_every_wrong_field_is_reported() -> None:
    problems = read("60 24 0 13 8")
    assert not isinstance(problems, Cron)
    assert [p.start for p in problems] == [0, 3, 6, 8, 11]


value = st.integers(0, 62).map(str) | st.sampled_from(["*", "JAN", "fri", "DEC", "SUN"])
item = st.one_of(value, st.tuples(value, value).map("-".join), st.tuples(value, value).map("/".join))
field = st.lists(item, min_size=1, max_size=3).map(",".join)


@given(st.lists(field, min_size=5, max_size=5).map(" ".join))
def test_cronsim_agrees(expression: str) -> None:
    cron = read(expression)
    try:
        oracle = CronSim(expression, START)
    except CronSimError:
        # It asks only whether the first of the days comes, we whether any date does for certain.
        assert not isinstance(cron, Cron) or shortest_gap(cron) is None
        return
    if not isinstance(cron, Cron):
        assert "never fires" in cron[0].message
        return
    for at in [next(oracle, None) for _ in range(20)]:
        if at is not None:
            assert at.minute in cron.minutes and at.hour in cron.hours and at.month in cron.months
            on_day, on_weekday = at.day in cron.days, at.isoweekday() % 7 in cron.weekdays
            assert (on_day or on_weekday) if cron.either else (on_day and on_weekday)


@given(st.lists(field, min_size=5, max_size=5).map(" ".join))
def test_no_gap_is_shorter(expression: str) -> None:
    cron = read(expression)
    if isinstance(cron, Cron):
        gap = shortest_gap(cron)
        times = firings(expression, START, 30)
        for earlier, later in pairwise(times):
            assert gap is not None and later - earlier >= timedelta(minutes=gap)


@given(st.text())
def test_any_text_is_answered(expression: str) -> None:
    cron = read(expression)
    if not isinstance(cron, Cron):
        assert cron and all(0 <= p.start <= p.end <= len(expression) for p in cron)
        assert firings(expression, START, 1) == []
