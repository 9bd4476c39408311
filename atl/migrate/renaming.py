"""Several things that change their names at once, one rename after the other."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

from atl.schema.naming import physical_name

__all__ = ["renames"]


def renames(moves: Mapping[str, str], standing: Collection[str] = ()) -> Iterator[tuple[str, str]]:
    """(from, to) of single renames that together carry out `moves`, in an order in which no name is taken; a circle
    goes by way of a name of its own.

    standing: names that stay. Moves to a name that stays are the caller's mistake and raise ValueError.
    """
    pending = {a: b for a, b in moves.items() if a != b}
    taken = {*standing, *moves}
    while pending:
        ready = [a for a, b in pending.items() if b not in taken]
        if ready:
            for a in ready:
                b = pending.pop(a)
                if b in taken:
                    pending[a] = b
                    continue
                taken.discard(a)
                taken.add(b)
                yield a, b
            continue
        a, b = next(iter(pending.items()))
        if b not in pending:
            raise ValueError(f"`{b}` is taken")
        del pending[a]
        aside = physical_name(f"{a}_before", {*taken, *pending.values()})
        taken.discard(a)
        taken.add(aside)
        pending[aside] = b
        yield a, aside
