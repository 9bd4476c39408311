"""SQL names a table whose entity is not in `touches`.

## Why

`touches` is how the server knows what a block reads and writes. A table that it leaves out is neither filtered by its
partition nor noticed by caches, so the server refuses the block.

## Example

```atl
entity Song in tunes {
  id    bigint primary
  album bigint
}

entity Album in tunes {
  id bigint primary
}

query Released for Song {
  input { }
  output { id: bigint }
  sql touches(Song) { SELECT s.id FROM tunes.song s JOIN tunes.album a ON a.id = s.album }
}
```

## Fix

```atl
entity Song in tunes {
  id    bigint primary
  album bigint
}

entity Album in tunes {
  id bigint primary
}

query Released for Song {
  input { }
  output { id: bigint }
  sql touches(Song, Album) { SELECT s.id FROM tunes.song s JOIN tunes.album a ON a.id = s.album }
}
```
"""

from __future__ import annotations

from collections.abc import Iterator

from atl.check.context import Context
from atl.check.sql import add_touches, block, identity, place_in, spelling, touched
from atl.findings import Finding
from atl.schema.symbols import EntitySymbol
from atl.syntax import nodes as n


def check(sql: n.Sql, ctx: Context) -> Iterator[Finding]:
    named = touched(sql, ctx)
    # No `touches` at all is reported as that; an unknown name in it may well be meant to be the table's entity.
    if not named or any(entity is None for _, entity in named):
        return
    known = {identity(entity) for _, entity in named if entity is not None}
    for table, entities in block(sql, ctx).tables:
        symbols = [found.symbol for found in entities if isinstance(found.symbol, EntitySymbol)]
        if not symbols or any(identity(symbol) in known for symbol in symbols):
            continue
        # Once for each entity: one fix mends them all.
        known |= {identity(symbol) for symbol in symbols}
        change = add_touches(sql, ctx, [spelling(symbols[0], ctx)]) if len(symbols) == 1 else None
        yield ctx.finding(
            "ATL608",
            place_in(sql, ctx, table.start, table.end),
            f"the SQL uses the table of `{identity(symbols[0])}`, which is not in `touches`",
            labels=[(sql.word, "what the block declares to touch")],
            help=f"add `{spelling(symbols[0], ctx)}` to `touches`",
            fixes=[] if change is None else [ctx.fix(f"add `{spelling(symbols[0], ctx)}` to `touches`", change)],
        )
