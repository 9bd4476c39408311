"""Pairs that random worlds seldom make: there, undone, there again, and back."""

from __future__ import annotations

import pytest

from tests.diff.reading import schema
from tests.migrate.executing import Database, snapshot

PAIRS = {
    "foreign keys in a circle": (
        "",
        """entity A in s { id int primary
             b int references s.B.id
             self int references s.A.id on delete set null }
           entity B in s { id int primary
             a int references s.A.id on delete cascade }""",
    ),
    "foreign keys in a circle, retyped": (
        """entity A in s { id int primary
             b int references s.B.id }
           entity B in s { id int primary
             a int references s.A.id }""",
        """entity A in s { id bigint primary
             b text references s.B.id }
           entity B in s { id text primary
             a bigint references s.A.id }""",
    ),
    "the column of tenancy goes": (
        """entity A in s { id int primary
             tenant text not null
             partition by tenant }""",
        "entity A in s { id int primary }",
    ),
    "another column of tenancy, the old one goes": (
        """entity A in s { id int primary
             tenant text not null
             partition by tenant }""",
        """entity A in s { id int primary
             owner int not null default 1
             partition by owner }""",
    ),
    "the column of tenancy is renamed with the table": (
        """entity A in s { id int primary
             tenant text not null
             partition by tenant }""",
        """// atl: renamed-from A
           entity B in s { id int primary
             // atl: renamed-from tenant
             owner varchar(9) not null
             partition by owner }""",
    ),
    "what is touched moves to a new column": (
        """entity A in s { id int primary
             seen timestamptz
             touch_on_update by seen }""",
        """entity A in s { id int primary
             changed timestamptz not null default now()
             touch_on_update by changed }""",
    ),
    "two tables exchange their names": (
        """entity A in s { id int primary
             n int unique check "n > 0"
             index by n, id }
           entity B in s { id int primary serial
             n int unique
             a int references s.A.id }""",
        """// atl: renamed-from B
           entity A in s { id int primary serial
             n int unique
             a int references s.B.id }
           // atl: renamed-from A
           entity B in s { id int primary
             n int unique check "n > 0"
             index by n, id }""",
    ),
    "a table takes the name of one that goes": (
        """entity A in s { id int primary
             n int unique }
           entity B in s { id int primary
             n int unique }""",
        """// atl: renamed-from A
           entity B in s { id int primary
             n int unique }""",
    ),
    "a column takes the name of one that goes": (
        """entity A in s { id int primary
             a int not null unique check "a > 0"
             b text not null unique
             index by a, b }""",
        """entity A in s { id int primary
             // atl: renamed-from b
             a text not null unique }""",
    ),
    "an enum takes the name of one that goes": (
        """enum One in s { a, b }
           enum Two in s { c, d }
           entity A in s { id int primary
             x One default "a"
             y Two default "c" }""",
        """// atl: renamed-from One
           enum Two in s { a, b }
           entity A in s { id int primary
             x Two default "a" }""",
    ),
    "labels exchange their names": (
        """enum One in s { a, b }
           entity A in s { id int primary
             x One default "a" check "x <> 'b'" }""",
        """enum One in s {
             // atl: renamed-from b
             a
             // atl: renamed-from a
             b
           }
           entity A in s { id int primary
             x One default "b" check "x <> 'a'" }""",
    ),
    "the key moves, and what points at it stays": (
        """entity A in s { id int primary
             code text not null }
           entity B in s { id int primary
             a int }""",
        """entity A in s { id int not null unique
             code text primary }
           entity B in s { id int primary
             a int references s.A.id }""",
    ),
    "the key is given up under a foreign key": (
        """entity A in s { id int primary }
           entity B in s { id int primary
             a int references s.A.id }""",
        """entity A in s { id int not null unique
             keyless }
           entity B in s { id int primary
             a int references s.A.id }""",
    ),
    "the key is a new column, which is counted": (
        """entity A in s { code text primary }""",
        """entity A in s { code text not null
             id bigint primary identity }""",
    ),
    "the key is a new column, which is filled": (
        """entity A in s { code text not null unique
             keyless }""",
        """entity A in s { code text not null unique
             id text primary backfill "code" }""",
    ),
    "a check stays while its columns are renamed": (
        """entity A in s { id int primary
             a int
             b int
             check "a < b" as ordered
             check "a > 0"
             index partial by id where a > 5 }""",
        """entity A in s { id int primary
             // atl: renamed-from a
             b int
             // atl: renamed-from b
             a int
             check "b < a" as ordered
             check "b > 0"
             index partial by id where b > 5 }""",
    ),
    "names of one space": (
        """entity A in s { id int primary
             n int
             index by n }""",
        """entity A in s { id int primary
             n int
             index by n }
           entity B in s { id int primary
             table "atlantis.s_a_n_idx" }
           entity C in s { id int primary
             table "atlantis.s_a_pkey" }""",
    ),
    "serial becomes identity": (
        "entity A in s { id bigint primary serial }",
        "entity A in s { id bigint primary identity }",
    ),
    "another schema comes and goes": (
        'entity A in s { id int primary\n table "one.a" }',
        'entity B in s { id int primary\n table "two.a" }',
    ),
    "nulls, defaults and types at once": (
        """entity A in s { id int primary
             n varchar(9) default "1" check "n <> ''"
             m text not null }""",
        """entity A in s { id int primary
             // atl: renamed-from n
             k int not null default 2 check "k > 0" backfill "7"
             m varchar(4) default "x" unique }""",
    ),
}


@pytest.mark.parametrize("name", PAIRS)
def test_pair(databases: tuple[Database, Database], name: str) -> None:
    database, fresh = databases
    old, new = map(schema, PAIRS[name])
    database.apply(old)
    before = without_schemas(database)
    plan = database.plan(new)
    # What only makes room for something else, and what tables share, is part of no change of its own.
    shared = ("SCHEMA", "FUNCTION", *(["RENAME"] if name == "names of one space" else []))
    assert all(s.change is not None for s in plan.statements if not any(word in s.sql for word in shared))
    database.apply(new)
    fresh.apply(new)
    assert snapshot(database) == snapshot(fresh)
    if all("label" not in s.no_reverse and "cast" not in s.no_reverse for s in plan.statements):
        database.undo(plan)
        assert without_schemas(database) == before
        database.schema, database.parked = old, []
        database.apply(new)
    if database.plan(old).by_hand:
        return
    database.apply(old)
    fresh.reset()
    fresh.apply(old)
    assert snapshot(database) == snapshot(fresh)


def without_schemas(database: Database) -> list[str]:
    return [line for line in snapshot(database) if not line.startswith("schema ")]
