"""7xx: SQL expressions in checks, indexes, backfills and defaults."""

from atl.check.registry import Row
from atl.syntax import nodes as n

RULES: tuple[Row, ...] = (
    Row("ATL701", "bad_check", (n.FieldCheck, n.EntityCheck)),
    Row("ATL702", "bad_predicate", (n.Index,)),
    Row("ATL703", "bad_index_expression", (n.Index,)),
    Row("ATL704", "bad_backfill", (n.Backfill,)),
    Row("ATL705", "bad_raw_default", (n.Default,)),
)
