"""`touches` as the SQL has it, in order."""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.sql import block, identity, spelling, touched
from atl.ide.actions.model import Action, Spot
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n
from atl.syntax.walk import walk

__all__ = ["sorted_touches"]


def sorted_touches(spot: Spot) -> Iterator[Action]:
    """The entities that the SQL names and those that are listed, sorted by how they are written; the owner first."""
    ctx = spot.context()
    if ctx is None:
        return
    for sql in (node for node in walk(ctx.decl) if isinstance(node, n.Sql) and spot.touches(node)):
        if not sql.touches:
            continue
        named = touched(sql, ctx)
        written = {ctx.source(ref.start, ref.end) for ref, entity in named if entity is None}
        known = {identity(entity): entity for _, entity in named if entity is not None}
        for _, entities in block(sql, ctx).tables:
            symbols = [found.symbol for found in entities if isinstance(found.symbol, EntitySymbol)]
            if len(symbols) == 1:
                known.setdefault(identity(symbols[0]), symbols[0])
        owner = getattr(ctx.decl, "owner", None)
        first = ctx.scope.entity(owner.namespace.text if owner.namespace else None, owner.name.text) if owner else None
        order = sorted(known.values(), key=lambda entity: (entity is not first, spelling(entity, ctx)))
        names = [*(spelling(entity, ctx) for entity in order), *sorted(written)]
        start, end = sql.touches[0].start, sql.touches[-1].end
        old = ctx.source(start, end)
        new = ", ".join(names)
        if "//" in old or "/*" in old or old.split() == new.split():
            continue
        title = "sort `touches`" if len(known) + len(written) == len(sql.touches) else "sort and complete `touches`"
        yield Action(title, "refactor.rewrite", spot.edits([(ctx.at(start, end), new)]))
