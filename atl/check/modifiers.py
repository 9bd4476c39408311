"""Modifiers of fields that are not stored in a table: arguments, state, ephemerals."""

from __future__ import annotations

from atl.check.context import Context
from atl.check.mending import remove_modifier
from atl.findings import Fix
from atl.syntax import nodes as n

__all__ = ["storage_modifiers", "without"]

_FOR_ROWS = {"primary", "identity", "serial", "unique"}


def storage_modifiers(field: n.Field, keyed: bool) -> dict[str, list[n.Modifier]]:
    """The modifiers of a field that only a stored row can have, by their word, in the order of the text. keyed:
    `primary` means something here, as in an ephemeral."""
    found: dict[str, list[n.Modifier]] = {}
    for modifier in field.modifiers:
        word = _word(modifier)
        if word is not None and not (keyed and word == "primary"):
            found.setdefault(word, []).append(modifier)
    return found


def _word(modifier: n.Modifier) -> str | None:
    if type(modifier) is n.Flag:
        return modifier.word if modifier.word in _FOR_ROWS else None
    if type(modifier) is n.References:
        return "references"
    return "backfill" if type(modifier) is n.Backfill else None


def without(ctx: Context, word: str, modifiers: list[n.Modifier]) -> Fix:
    """The fix that takes a modifier out, every time it stands there."""
    return ctx.fix(f"remove `{word}`", *(remove_modifier(ctx, m) for m in modifiers))
