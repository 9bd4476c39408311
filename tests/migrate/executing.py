"""Plans carried out on a real server as the model says, without checkpoints, and what is there then."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import psycopg
import pytest

from atl.diff import diff
from atl.migrate.model import SESSION, Guard, Lock, Parked, Plan, Statement
from atl.migrate.plan import make_plan
from atl.postgres.scan import quote_identifier
from atl.schema import model as m
from tests.server import program

__all__ = ["Database", "dump", "snapshot"]

Connection = psycopg.Connection[tuple[Any, ...]]


class Database:
    """One database, emptied at the start; what it holds and what is parked in it is kept beside."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self.schema = m.Schema()
        self.parked: list[Parked] = []
        for name, value in SESSION.items():
            connection.execute("SELECT set_config(%s, %s, false)", (name, value))
        self.reset()

    def reset(self) -> None:
        self.schema, self.parked = m.Schema(), []
        found = self.rows("SELECT nspname FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema)'")
        for (name,) in found:
            self.run(f"DROP SCHEMA {quote_identifier(name)} CASCADE")
        self.run("CREATE SCHEMA public")

    def run(self, sql: str) -> None:
        self.connection.execute(sql.encode())

    def rows(self, sql: str) -> list[tuple[Any, ...]]:
        return self.connection.execute(sql.encode()).fetchall()

    def one(self, sql: str) -> Any:
        return self.rows(sql)[0][0]

    def plan(self, new: m.Schema) -> Plan:
        return make_plan(diff(self.schema, new), self.parked)

    def guards(self, plan: Plan) -> list[Guard]:
        """Those that this server can be asked."""
        return [guard for guard in plan.guards if self.connection.info.server_version >= guard.since]

    def apply(self, new: m.Schema, guarded: bool = True) -> Plan:
        """Raises what PostgreSQL says, or AssertionError for what a guard does."""
        plan = self.plan(new)
        assert not plan.by_hand
        for guard in self.guards(plan) if guarded else ():
            count = self.one(guard.sql)
            assert not count, guard.message.replace("{rows}", str(count))
        self.stages(plan)
        self.schema = new
        return plan

    def stages(self, plan: Plan, size: int = 3) -> None:
        """Every lock that a statement takes on a table that was there before is one that it says it takes."""
        there = [oid for (oid,) in self.rows(_TABLES)]
        for stage in plan.stages:
            if stage.transactional:
                claimed = 0
                with self.connection.transaction():
                    for statement in stage.statements:
                        self.run(statement.sql)
                        self._record(statement)
                        claimed = max(claimed, _ORDER.index(statement.lock.value))
                        held = self.connection.execute(_LOCKS, (there,)).fetchall()
                        strongest = max((_ORDER.index(_SPELLED[mode]) for (mode,) in held), default=0)
                        assert strongest <= claimed, f"{_ORDER[strongest]} is taken by {statement.sql}"
            else:
                (statement,) = stage.statements
                self._outside(statement, size)

    def undo(self, plan: Plan) -> None:
        """What `down_script` says."""
        for stage in reversed(plan.stages):
            reverses = [s.reverse for s in reversed(stage.statements) if s.reverse is not None]
            if stage.transactional:
                with self.connection.transaction():
                    for reverse in reverses:
                        self.run(reverse)
            else:
                for reverse in reverses:
                    self.run(reverse)

    def _outside(self, statement: Statement, size: int) -> None:
        if statement.unless and self.one(statement.unless):
            return
        if statement.leftover and self.one(statement.leftover):
            self.run(statement.clear)
        if statement.backfill is None:
            self.run(statement.sql)
            return
        after: Sequence[str] | None = None
        while True:
            with self.connection.transaction():
                for setting in statement.backfill.settings:
                    self.run(setting)
                found = self.rows(statement.backfill.batch(after, size))
            if not found:
                return
            after = found[0][1:]

    def _record(self, statement: Statement) -> None:
        """A parked column is looked up where its table is now, as the model asks."""
        if statement.parks is not None:
            self.parked.append(statement.parks)
        if statement.unparks is not None:
            self.parked.remove(self._recorded(statement.unparks))

    def _recorded(self, parked: Parked) -> Parked:
        return next(p for p in self.parked if (p.name, p.at[1], p.kind) == (parked.name, parked.at[1], parked.kind))

    def relocate(self) -> None:
        """Bring `Parked.at` of parked columns up to date."""
        for at, parked in enumerate(self.parked):
            if parked.kind == "column":
                found = self.connection.execute(
                    "SELECT n.nspname, c.relname FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid"
                    " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE a.attname = %s AND NOT a.attisdropped",
                    (parked.name,),
                ).fetchone()
                assert found is not None, parked
                self.parked[at] = replace(parked, at=(found[0], found[1]))


_ORDER = [lock.value for lock in Lock]
_SPELLED = {
    "AccessShareLock": "ACCESS SHARE",
    "RowShareLock": "ROW EXCLUSIVE",
    "RowExclusiveLock": "ROW EXCLUSIVE",
    "ShareUpdateExclusiveLock": "SHARE UPDATE EXCLUSIVE",
    "ShareLock": "SHARE",
    "ShareRowExclusiveLock": "SHARE ROW EXCLUSIVE",
    "ExclusiveLock": "ACCESS EXCLUSIVE",
    "AccessExclusiveLock": "ACCESS EXCLUSIVE",
}
_TABLES = (
    "SELECT c.oid FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
    " WHERE c.relkind = 'r' AND n.nspname !~ '^(pg_|information_schema)'"
)
# A table that a foreign key points at is read while the key is verified; that is no lock that anyone waits for.
_LOCKS = (
    "SELECT mode FROM pg_locks WHERE pid = pg_backend_pid() AND relation = ANY (%s)"
    " AND mode NOT IN ('AccessShareLock', 'RowShareLock')"
)

_OURS = "n.nspname !~ '^(pg_|information_schema|atlantis_parked|atlantis_meta)'"
_SNAPSHOT = f"""
SELECT 'schema', n.nspname, '' FROM pg_namespace n WHERE {_OURS}
UNION ALL
SELECT 'table', format('%I.%I', n.nspname, c.relname), format('%s %s %s', c.relkind, c.relrowsecurity,
  c.relforcerowsecurity) FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE {_OURS} AND c.relkind IN ('r', 'v')
UNION ALL
SELECT 'column', format('%I.%I.%I', n.nspname, c.relname, a.attname), format('%s %s %s %s',
  format_type(a.atttypid, a.atttypmod), a.attnotnull, a.attidentity, pg_get_expr(d.adbin, d.adrelid))
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE {_OURS} AND c.relkind = 'r' AND a.attnum > 0 AND NOT a.attisdropped AND a.attname NOT LIKE 'parked\\_%'
UNION ALL
SELECT 'constraint', format('%I.%I.%I', n.nspname, c.relname, o.conname), format('%s %s %s', o.contype,
  o.convalidated, pg_get_constraintdef(o.oid)) FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_OURS}
UNION ALL
SELECT 'index', format('%I.%I', n.nspname, c.relname), format('%s %s', i.indisvalid, pg_get_indexdef(c.oid))
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_OURS}
UNION ALL
SELECT 'sequence', format('%I.%I', n.nspname, c.relname), format('%s %s %s', s.seqtypid::regtype, s.seqmax,
  (SELECT format('%s.%s %s', d.refobjid::regclass, a.attname, d.deptype) FROM pg_depend d
    JOIN pg_attribute a ON a.attrelid = d.refobjid AND a.attnum = d.refobjsubid
    WHERE d.objid = c.oid AND d.deptype IN ('a', 'i') AND d.refclassid = 'pg_class'::regclass LIMIT 1))
  FROM pg_sequence s JOIN pg_class c ON c.oid = s.seqrelid JOIN pg_namespace n ON n.oid = c.relnamespace WHERE {_OURS}
UNION ALL
SELECT 'policy', format('%I.%I.%I', schemaname, tablename, policyname), format('%s %s %s %s %s', permissive, roles,
  cmd, qual, with_check) FROM pg_policies
UNION ALL
SELECT 'trigger', format('%I.%I.%I', n.nspname, c.relname, t.tgname), pg_get_triggerdef(t.oid)
  FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE {_OURS} AND NOT t.tgisinternal
UNION ALL
SELECT 'type', format('%I.%I', n.nspname, t.typname), (SELECT string_agg(quote_literal(e.enumlabel), ','
  ORDER BY e.enumlabel) FROM pg_enum e WHERE e.enumtypid = t.oid)
  FROM pg_type t JOIN pg_namespace n ON n.oid = t.typnamespace WHERE {_OURS} AND t.typtype = 'e'
UNION ALL
SELECT 'function', format('%I.%I', n.nspname, p.proname), pg_get_functiondef(p.oid)
  FROM pg_proc p JOIN pg_namespace n ON n.oid = p.pronamespace WHERE {_OURS} AND n.nspname = 'atlantis'
"""


def snapshot(database: Database) -> list[str]:
    """Everything that is there, a line each, sorted: column order, label order and what is parked apart."""
    return sorted(" | ".join(map(str, row)) for row in database.rows(_SNAPSHOT))


def dump(database: Database) -> str:
    """What `pg_dump` writes of the schema, without what is parked, and columns sorted."""
    client = program("pg_dump")
    if client is None:
        pytest.skip("there is no pg_dump")
    info = database.connection.info
    command = [str(client), "-s", "-x", "-O", "-h", info.host, "-U", info.user, "-d", info.dbname]
    command += ["-N", "atlantis_parked"]
    text = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    lines = []
    for line in text.splitlines():
        if line.startswith(("--", "SET ", "SELECT pg_catalog", "\\restrict", "\\unrestrict")) or not line:
            continue
        if line.lstrip().startswith(("parked_", '"parked_')):
            continue
        lines.append(line.rstrip(","))
    return "\n".join(_sorted_columns(lines))


def _sorted_columns(lines: list[str]) -> list[str]:
    out: list[str] = []
    body: list[str] | None = None
    for line in lines:
        if body is None:
            out.append(line)
            if line.startswith(("CREATE TABLE", "CREATE TYPE")) and line.endswith("("):
                body = []
        elif line.startswith(")"):
            out += [*sorted(body), line]
            body = None
        else:
            body.append(line)
    return out
