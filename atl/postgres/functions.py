"""PostgreSQL's own functions as tables: what the grammar does not tell of a call.

From `pg_proc`, `pg_operator` and `pg_cast` of PostgreSQL 15 to 18 (the tests compare them with a running server). A
function that stands in no table is not known, and nothing is concluded from its call.
"""

from __future__ import annotations

__all__ = [
    "AGGREGATES",
    "BOOLEAN",
    "CASTS",
    "MUTABLE_BY_ARITY",
    "MUTABLE_BY_TYPE",
    "OUTSIDE",
    "RESULTS",
    "ROW_FUNCTIONS",
    "SET_RETURNING",
    "STABLE",
    "SYSTEM_COLUMNS",
    "VOLATILE",
    "WINDOW",
]


def _names(text: str) -> frozenset[str]:
    return frozenset(text.split())


SYSTEM_COLUMNS = _names("tableoid ctid xmin xmax cmin cmax")

AGGREGATES = _names("""
    any_value array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count covar_pop covar_samp every json_agg
    json_agg_strict json_object_agg json_object_agg_strict json_object_agg_unique json_object_agg_unique_strict
    jsonb_agg jsonb_agg_strict jsonb_object_agg jsonb_object_agg_strict jsonb_object_agg_unique
    jsonb_object_agg_unique_strict max min mode percentile_cont percentile_disc range_agg range_intersect_agg regr_avgx
    regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx regr_sxy regr_syy stddev stddev_pop stddev_samp
    string_agg sum var_pop var_samp variance xmlagg
    """)

# rank, dense_rank, percent_rank and cume_dist are aggregates too, with WITHIN GROUP.
WINDOW = _names("cume_dist dense_rank first_value lag last_value lead nth_value ntile percent_rank rank row_number")

SET_RETURNING: dict[str, tuple[str, ...] | None] = {
    # The columns of a call in FROM: () for one that takes the call's alias, None where the arguments decide.
    "aclexplode": ("grantor", "grantee", "privilege_type", "is_grantable"),
    "generate_series": (),
    "generate_subscripts": (),
    "json_array_elements": ("value",),
    "json_array_elements_text": ("value",),
    "json_each": ("key", "value"),
    "json_each_text": ("key", "value"),
    "json_object_keys": (),
    "json_populate_recordset": None,
    "json_to_recordset": None,
    "jsonb_array_elements": ("value",),
    "jsonb_array_elements_text": ("value",),
    "jsonb_each": ("key", "value"),
    "jsonb_each_text": ("key", "value"),
    "jsonb_object_keys": (),
    "jsonb_path_query": (),
    "jsonb_path_query_tz": (),
    "jsonb_populate_recordset": None,
    "jsonb_to_recordset": None,
    "regexp_matches": (),
    "regexp_split_to_table": (),
    "string_to_table": (),
    "txid_snapshot_xip": (),
    "unnest": None,
}

# Functions of one argument of any type: they may be written as if they were a column, `t.to_jsonb`.
ROW_FUNCTIONS = _names("""
    any_value array_agg concat count first_value hash_record json_agg json_agg_strict json_build_array
    json_build_object jsonb_agg jsonb_agg_strict jsonb_build_array jsonb_build_object lag last_value lead max min mode
    num_nonnulls num_nulls pg_collation_for pg_column_compression pg_column_size pg_column_toast_chunk_id pg_typeof
    quote_literal quote_nullable record_out record_send row_to_json to_json to_jsonb
    """)

# Types whose name casts like a function, so that `x.text` may mean `x::text`.
CASTS = _names("bool bpchar date float4 float8 int2 int4 int8 interval money name numeric oid text time varchar xml")

# Every function of the name is VOLATILE.
VOLATILE = _names("""
    array_sample array_shuffle clock_timestamp currval gen_random_uuid lastval lo_creat lo_create lo_from_bytea lo_get
    lo_import lo_put lo_unlink nextval pg_advisory_lock pg_advisory_lock_shared pg_advisory_unlock
    pg_advisory_unlock_all pg_advisory_unlock_shared pg_advisory_xact_lock pg_advisory_xact_lock_shared
    pg_database_size pg_indexes_size pg_notify pg_relation_size pg_sequence_last_value pg_sleep pg_sleep_for
    pg_sleep_until pg_table_size pg_total_relation_size pg_try_advisory_lock pg_try_advisory_lock_shared
    pg_try_advisory_xact_lock pg_try_advisory_xact_lock_shared query_to_xml random random_normal set_config setseed
    setval timeofday txid_status uuidv4 uuidv7
    """)

# Every function of the name is STABLE: its result depends on settings, or on what the next table lists.
STABLE = _names("""
    array_to_json array_to_string col_description concat concat_ws convert convert_from convert_to current_database
    current_schema current_schemas current_setting date_eq_timestamptz enum_first enum_last enum_range format
    format_type get_current_ts_config getdatabaseencoding has_any_column_privilege has_column_privilege
    has_database_privilege has_function_privilege has_schema_privilege has_sequence_privilege has_table_privilege
    inet_client_addr inet_client_port inet_server_addr inet_server_port json_build_array json_build_object
    jsonb_build_array jsonb_build_object jsonb_path_exists_tz jsonb_path_match_tz jsonb_path_query_array_tz
    jsonb_path_query_first_tz make_timestamptz mxid_age now obj_description pg_backend_pid pg_client_encoding
    pg_column_size pg_current_snapshot pg_current_xact_id pg_get_serial_sequence pg_has_role pg_postmaster_start_time
    pg_table_is_visible pg_typeof row_security_active row_to_json shobj_description statement_timestamp to_char to_date
    to_json to_jsonb to_number to_regclass to_regproc to_regrole to_regtype transaction_timestamp txid_current
    txid_current_snapshot version xml_is_well_formed
    """)

# Of those, the ones that read the clock, the session or the catalog, and not only their arguments and settings.
OUTSIDE = _names("""
    age/1 col_description current_database current_schema current_schemas current_setting has_any_column_privilege
    has_column_privilege has_database_privilege has_function_privilege has_schema_privilege has_sequence_privilege
    has_table_privilege inet_client_addr inet_client_port inet_server_addr inet_server_port mxid_age now
    obj_description pg_backend_pid pg_client_encoding pg_current_snapshot pg_current_xact_id pg_get_serial_sequence
    pg_has_role pg_postmaster_start_time pg_table_is_visible row_security_active shobj_description statement_timestamp
    to_regclass to_regproc to_regrole to_regtype transaction_timestamp txid_current txid_current_snapshot version
    """)

# Name and number of arguments of functions whose namesakes are IMMUTABLE: none with this many is.
MUTABLE_BY_ARITY = _names("""
    age/1 date_add/2 date_subtract/2 json_to_tsvector/2 jsonb_to_tsvector/2 phraseto_tsquery/1 plainto_tsquery/1
    timezone/1 to_timestamp/2 to_tsquery/1 to_tsvector/1 ts_headline/2 websearch_to_tsquery/1
    """)

# Name and number of arguments -> the position of the argument that decides -> the types of it that make the function
# not IMMUTABLE. (A date given to date_trunc or age becomes a timestamptz.)
MUTABLE_BY_TYPE: dict[str, tuple[int, frozenset[str]]] = {
    "age/2": (0, frozenset({"date"})),
    "date_part/2": (1, frozenset({"timestamptz"})),
    "date_trunc/2": (1, frozenset({"timestamptz", "date"})),
    "extract/2": (1, frozenset({"timestamptz"})),
    "timezone/2": (1, frozenset({"timetz"})),
}

# Every function of the name returns boolean.
BOOLEAN = _names(
    """
    bool_and bool_or circle_contain every isclosed isempty isfinite isopen jsonb_exists jsonb_exists_all
    jsonb_exists_any jsonb_path_exists jsonb_path_match lower_inc lower_inf overlaps pg_has_role range_adjacent
    range_contains range_overlaps regexp_like starts_with textregexeq texticregexeq upper_inc upper_inf
    xml_is_well_formed xml_is_well_formed_content xml_is_well_formed_document xmlexists
    """
)

# What every function of the name returns; "" when it depends on the arguments and is never boolean.
RESULTS: dict[str, str] = {
    name: result
    for result, names in {
        "text": """array_to_string chr concat concat_ws current_setting format initcap json_extract_path_text
            json_typeof jsonb_extract_path_text jsonb_typeof left md5 quote_ident regexp_replace replace right
            split_part timeofday to_char translate version""",
        "int4": """array_length array_lower array_ndims array_position array_upper ascii bit_length cardinality
            char_length character_length json_array_length jsonb_array_length masklen num_nonnulls num_nulls
            octet_length pg_backend_pid regexp_count regexp_instr strpos""",
        "int8": "count currval lastval nextval setval",
        "numeric": "to_number",
        "float8": "acos asin atan atan2 cos cot degrees pi radians sin tan",
        "uuid": "gen_random_uuid uuidv4 uuidv7",
        "date": "make_date to_date",
        "interval": "justify_days justify_hours justify_interval make_interval",
        "timestamptz": """clock_timestamp make_timestamptz now statement_timestamp to_timestamp
            transaction_timestamp""",
        "timestamp": "make_timestamp",
        "jsonb": """jsonb_agg jsonb_build_array jsonb_build_object jsonb_extract_path jsonb_insert jsonb_object_agg
            jsonb_path_query_array jsonb_path_query_first jsonb_set jsonb_strip_nulls to_jsonb""",
        "json": """json_agg json_build_array json_build_object json_extract_path json_object_agg json_strip_nulls
            row_to_json to_json""",
        "tsvector": "setweight to_tsvector",
        "tsquery": "phraseto_tsquery plainto_tsquery to_tsquery websearch_to_tsquery",
        "text[]": "regexp_match regexp_split_to_array string_to_array",
        "": """abs acosd age area asind atand avg bit_and bit_or box btrim cbrt ceil ceiling center char circle
            convert convert_from convert_to cosd crc32 cume_dist date date_bin date_part date_trunc datemultirange
            daterange decode dense_rank diagonal diameter div encode erf exp extract factorial floor gcd
            generate_series get_bit get_byte height host hostmask inet_client_addr inet_server_addr int4range
            int8range interval lcm length line ln log log10 lower lpad lseg ltrim make_time min_scale mod network
            normalize npoints ntile numrange overlay parse_ident path pclose percent_rank percentile_cont point
            polygon popen position power quote_literal quote_nullable radius random rank regexp_matches
            regexp_split_to_table regexp_substr repeat reverse round row_number rpad rtrim scale set_bit set_byte
            sha224 sha256 sha384 sha512 sign sind slope sqrt stddev string_agg string_to_table strip substr substring
            sum tand text time timestamp timestamptz timetz timezone to_ascii to_hex trim_scale trunc tsrange
            tstzrange unistr upper varchar variance width width_bucket xmlcomment xpath""",
    }.items()
    for name in names.split()
}
