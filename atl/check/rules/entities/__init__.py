"""3xx: entities and enums."""

from atl.check.registry import Row
from atl.syntax import nodes as n

RULES: tuple[Row, ...] = (
    Row("ATL301", "missing_key", (n.EntityDecl,)),
    Row("ATL302", "several_primary_fields", (n.EntityDecl, n.EphemeralDecl)),
    Row("ATL303", "primary_and_primary_by", (n.PrimaryBy,)),
    Row("ATL304", "keyless_conflict", (n.Keyless,)),
    Row("ATL305", "nullable_key_field", (n.PrimaryBy,)),
    Row("ATL306", "bad_serial", (n.EntityDecl,)),
    Row("ATL307", "reference_not_unique", (n.References,)),
    Row("ATL308", "reference_type_mismatch", (n.References,)),
    Row("ATL309", "set_null_on_not_null", (n.References,)),
    Row("ATL310", "bad_soft_delete", (n.FieldClause,)),
    Row("ATL311", "bad_touch_on_update", (n.FieldClause,)),
    Row("ATL312", "nullable_partition", (n.FieldClause,)),
    Row("ATL313", "bad_ttl_field", (n.FieldClause,)),
    Row("ATL314", "bad_table_name", (n.TableClause,)),
    Row("ATL315", "table_collision", (n.EntityDecl, n.EnumDecl)),
    Row("ATL316", "hnsw_needs_vector", (n.HnswIndex,)),
    Row("ATL317", "gin_needs_jsonb_or_array", (n.GinIndex,)),
    Row("ATL318", "vector_too_wide_for_index", (n.HnswIndex,)),
    Row("ATL319", "bad_time_field", (n.EntityDecl,)),
    Row("ATL320", "hypertable_key_without_time", (n.EntityDecl,)),
    Row("ATL321", "second_field_check", (n.FieldCheck,)),
    Row("ATL322", "bad_cache", (n.ReadThrough,)),
    Row("ATL323", "query_timeout_out_of_range", (n.QueryTimeout,)),
    Row("ATL324", "no_effect", (n.UniqueBy, n.Relation, n.InvalidateOn, n.Consistency)),
    Row("ATL326", "redundant_index", (n.EntityDecl,)),
    Row("ATL327", "unindexed_reference", (n.References,)),
    Row("ATL328", "bad_enum", (n.EnumDecl,)),
    Row("ATL329", "backfill_without_effect", (n.Backfill,)),
)
