"""Durations: what `30m` comes to."""

from __future__ import annotations

import re

from atl.syntax.tree import RawFinding

__all__ = ["bad_duration", "milliseconds"]

_NANOSECONDS = {
    "ns": 1,
    "us": 1_000,
    "ms": 1_000_000,
    "s": 1_000_000_000,
    "m": 60_000_000_000,
    "h": 3_600_000_000_000,
    "d": 86_400_000_000_000,
}
_MILLISECOND = 1_000_000
_LONGEST = (1 << 63) - 1
"""In nanoseconds, as the server keeps a duration in 64 bits."""
_PARTS = re.compile(r"([0-9]+)(?:\.([0-9]+))?(.*)", re.S)
_MEANT = {
    "sec": "s", "secs": "s", "second": "s", "seconds": "s", "S": "s",
    "min": "m", "mins": "m", "minute": "m", "minutes": "m", "M": "m",
    "hr": "h", "hrs": "h", "hour": "h", "hours": "h", "H": "h",
    "day": "d", "days": "d", "D": "d",
    "msec": "ms", "msecs": "ms", "millis": "ms", "milliseconds": "ms", "MS": "ms", "Ms": "ms",
    "usec": "us", "micros": "us", "µs": "us", "μs": "us", "nsec": "ns", "nanos": "ns",
}  # fmt: skip
_LONGER = {"w": 7, "week": 7, "weeks": 7, "mo": 30, "month": 30, "months": 30, "y": 365, "year": 365, "years": 365}
"""Units that do not exist, in days."""


def milliseconds(text: str) -> int | None:
    """Whole milliseconds of a duration as written; None when it is none."""
    found = _PARTS.fullmatch(text)
    if not found or found[2] is not None or len(found[1]) > 20:
        return None
    unit = _NANOSECONDS.get(found[3])
    if unit is None:
        return None
    total = int(found[1]) * unit
    return total // _MILLISECOND if 0 < total <= _LONGEST and total % _MILLISECOND == 0 else None


def bad_duration(text: str, start: int, end: int) -> RawFinding:
    """ATL008 for a text that `milliseconds` does not take."""
    message, suggestion = _why(text)
    fixes = ((f"write `{suggestion}`", False, ((start, end, suggestion),)),) if suggestion else ()
    return RawFinding("ATL008", start, end, message, help=f"write `{suggestion}`" if suggestion else "", fixes=fixes)


def _why(text: str) -> tuple[str, str]:
    found = _PARTS.fullmatch(text)
    if text.startswith("-") or not found:
        return f"`{text}` is no duration: it is below zero", ""
    whole, fraction, unit = found.groups()
    if len(whole) > 20:
        return f"`{whole[:12]}…{unit[:12]}` is too large for 64 bits", ""
    number = int(whole)
    if unit in _LONGER and fraction is None:
        days = f"{number * _LONGER[unit]}d"
        return f"a duration has no unit `{unit}`; the longest is the day", days if number else ""
    meant = unit if unit in _NANOSECONDS else _MEANT.get(unit, "")
    if not meant:
        return f"`{unit[:20]}` is no unit of a duration; the units are `ns`, `us`, `ms`, `s`, `m`, `h`, `d`", ""
    if fraction is not None:
        return f"a duration is a whole number: `{text}` has a fraction", _whole(f"{whole}.{fraction}", meant)
    if meant != unit:
        right = f"{number}{meant}"
        return f"`{unit}` is no unit of a duration", right if milliseconds(right) is not None else ""
    total = number * _NANOSECONDS[unit]
    if total == 0:
        return "a duration is longer than zero", ""
    if total > _LONGEST:
        return f"`{text}` is too large for 64 bits", ""
    return f"`{text}` is no whole number of milliseconds", f"{max(1, round(total / _MILLISECOND))}ms"


def _whole(number: str, unit: str) -> str:
    """A duration without a fraction that comes to the same, or ""."""
    whole, _, fraction = number.partition(".")
    if len(fraction) > 9:
        return ""
    scaled, rest = divmod(int(whole + fraction) * _NANOSECONDS[unit], 10 ** len(fraction))
    if rest or scaled <= 0 or scaled > _LONGEST:
        return ""
    for name in ("d", "h", "m", "s", "ms"):
        if scaled % _NANOSECONDS[name] == 0:
            return f"{scaled // _NANOSECONDS[name]}{name}"
    return ""
