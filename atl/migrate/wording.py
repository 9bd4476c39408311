"""What every form of a plan for people says in the same words."""

from __future__ import annotations

from collections.abc import Iterable

from atl.closed import assert_never
from atl.diff import Change, Class

__all__ = ["flags_for", "name_of", "values_of"]


def name_of(change: Change) -> str:
    """What changes: `shop.Order`, `shop.Order.amount`."""
    return f"{change.id}.{change.member}".rstrip(".")


def values_of(change: Change) -> tuple[str, ...]:
    """The values that differ, (before, after) or the one that there is; none when the message has them."""
    before, after = change.before, change.after
    if before in change.message and after in change.message:
        return ()
    return (before, after) if before and after else (before or after,)


def flags_for(classes: Iterable[Class]) -> list[str]:
    """The options that let `atl apply` carry out changes of these classes."""
    there, flags = set(classes), []
    for cls in Class:
        if cls not in there:
            continue
        match cls:
            case Class.ADDITIVE:
                pass
            case Class.BACKFILL_REQUIRED:
                flags.append("--backfill")
            case Class.CROSS_CALLER_BREAKING | Class.DESTRUCTIVE:
                flags.append(f"--allow {cls.value}")
            case _:
                assert_never(cls)
    return flags
