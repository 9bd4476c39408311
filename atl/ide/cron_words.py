"""A schedule in words, and when it fires next."""

from __future__ import annotations

from datetime import datetime
from functools import lru_cache

from atl.schema.cron import Cron, firings, read

__all__ = ["next_firings", "schedule_words"]


@lru_cache(256)
def schedule_words(expression: str) -> str:
    """`every day at 03:00`; "" for what is no schedule."""
    if not isinstance(read(expression), Cron):
        return ""
    from cron_descriptor import FormatError, Options, get_description
    from cron_descriptor.Exception import MissingFieldError, WrongArgumentError

    options = Options()
    options.use_24hour_time_format = True
    try:
        words: str = get_description(" ".join(expression.split()), options)
    except (FormatError, MissingFieldError, WrongArgumentError, ValueError, IndexError):
        return ""
    return words[:1].lower() + words[1:]


def next_firings(expression: str, now: datetime, count: int = 3) -> list[str]:
    """The next firings after a moment, in UTC."""
    from datetime import timezone

    found = firings(expression, now.astimezone(timezone.utc), count)
    return [f"{moment:%a %Y-%m-%d %H:%M} UTC" for moment in found]
