"""From a diff to a plan."""

from __future__ import annotations

import re
from collections.abc import Sequence

from atl.diff import Diff
from atl.migrate.attach import attach
from atl.migrate.fates import settle
from atl.migrate.filling import fill
from atl.migrate.guards import guards
from atl.migrate.making import Making
from atl.migrate.model import Parked, Plan
from atl.migrate.putup import put_up
from atl.migrate.renamed import rename_all
from atl.migrate.rewrite import rewrite
from atl.migrate.sides import match
from atl.migrate.sqltext import qualified
from atl.migrate.takedown import take_down
from atl.schema.canonical import digests

__all__ = ["make_plan"]


def make_plan(diff: Diff, parked: Sequence[Parked] = ()) -> Plan:
    """The plan that carries out a diff; a pure function of its arguments.

    parked: what the database has parked, and not yet let go, oldest first; () when no database is asked. An addition
    that one of them fits is carried out by bringing it back.
    """
    from hashlib import sha256

    sides = match(diff, parked)
    before, after = digests(diff.old, diff.new)
    back = sorted(
        p.name or p.at[1]
        for p in (
            *(table.unpark for table in sides.tables.values()),
            *(column.unpark for table in sides.tables.values() for column in table.columns.values()),
            *(enum.unpark for enum in sides.enums.values()),
        )
        if p is not None
    )
    plan_id = sha256("\n".join([before, after, *back]).encode("utf-8", "surrogateescape")).hexdigest()[:16]
    names = {p.name for p in parked} | {p.at[1] for p in parked if p.kind != "column"}
    mk = Making(diff, sides, settle(sides), plan_id, names)
    take_down(mk)
    rename_all(mk)
    put_up(mk)
    rewrite(mk)
    fill(mk)
    attach(mk)
    tables = {(t.plain.schema, t.plain.name) for t in sides.tables.values() if t.unpark is None}
    tables |= {(t.schema, t.name) for t in sides.gone.values()}
    return Plan(
        plan_id,
        diff,
        mk.out.stages(),
        before,
        after,
        guards(mk),
        sides.new.extensions,
        tuple(sorted(_touched(mk, tables))),
    )


def _touched(mk: Making, tables: set[tuple[str, str]]) -> set[tuple[str, str]]:
    """Those of the tables that a statement of the plan is about."""
    texts = "\n".join(f"{p.statement.sql} {p.statement.reverse}" for p in mk.out.placed)
    # From every quote on, so that an odd one in a string hides no name. Looking for each name of a large schema in all
    # the text of a large plan would take their product; only names with quotes in them are not found this way.
    said = set(re.findall(r'"(?=([^"]*"\."[^"]*"))', texts))
    called = {(t.plain.schema, t.plain.name): (t.plain.sql, t.new.sql) for t in mk.sides.tables.values()}
    return {
        table
        for table in tables
        if any(
            name[1:] in said or (name.count('"') > 4 and name in texts)
            for name in called.get(table, (qualified(*table),))
        )
    }
