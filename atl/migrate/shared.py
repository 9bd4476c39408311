"""What tables share: the touch trigger and row-level tenancy."""

from __future__ import annotations

from atl.migrate.sqltext import qualified, quote, quote_literal
from atl.schema.naming import SCHEMA

__all__ = [
    "ACCESS_POLICY",
    "PARTITION_FUNCTION",
    "PARTITION_POLICY",
    "TOUCH_FUNCTION",
    "TRIGGER",
    "access_policy",
    "create_partition_function",
    "create_touch_function",
    "partition_policy",
    "touch_trigger",
]

TOUCH_FUNCTION = qualified(SCHEMA, "touch")
PARTITION_FUNCTION = qualified(SCHEMA, "current_partition")
TRIGGER = "atlantis_touch"
PARTITION_POLICY = "atlantis_partition"
ACCESS_POLICY = "atlantis_access"

# The column is the trigger's argument, so one function serves all tables; a backfill sets the setting for its own
# transaction.
create_touch_function = f"""CREATE OR REPLACE FUNCTION {TOUCH_FUNCTION}() RETURNS trigger LANGUAGE plpgsql AS $touch$
BEGIN
  IF pg_catalog.current_setting('atlantis.backfill', true) = 'on' THEN
    RETURN NEW;
  END IF;
  RETURN pg_catalog.jsonb_populate_record(NEW, pg_catalog.jsonb_build_object(TG_ARGV[0], pg_catalog.now()));
END
$touch$"""

# An unset setting, and one that was set for a transaction that is over ('' then), is no tenant: no row is seen.
create_partition_function = f"""CREATE OR REPLACE FUNCTION {PARTITION_FUNCTION}() RETURNS text LANGUAGE sql STABLE \
PARALLEL SAFE AS $partition$
  SELECT NULLIF(pg_catalog.current_setting('atlantis.tenant', true), '')
$partition$"""


def touch_trigger(table: str, column: str) -> str:
    return (
        f"CREATE TRIGGER {quote(TRIGGER)} BEFORE UPDATE ON {table} FOR EACH ROW"
        f" EXECUTE FUNCTION {TOUCH_FUNCTION}({quote_literal(column)})"
    )


def partition_policy(table: str, column: str) -> str:
    return (
        f"CREATE POLICY {quote(PARTITION_POLICY)} ON {table} AS RESTRICTIVE"
        f" USING ({quote(column)}::text = {PARTITION_FUNCTION}())"
    )


def access_policy(table: str) -> str:
    return f"CREATE POLICY {quote(ACCESS_POLICY)} ON {table} AS PERMISSIVE USING (true)"
