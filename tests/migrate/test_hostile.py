"""Every kind of statement with names that a careless quoting would trip over, there, undone, there again and back."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest

import atl.migrate
from atl.diff import diff
from atl.migrate.model import Parked
from atl.migrate.plan import make_plan
from atl.migrate.script import down_script, up_script
from atl.migrate.stages import Stages
from tests.diff.reading import schema
from tests.migrate.executing import Database, snapshot
from tests.migrate.spelling import SPELLINGS, respell
from tests.migrate.test_handmade import PAIRS, without_schemas
from tests.migrate.test_script import psql

# Beside the pairs by hand, so that between them they take every statement that there is.
MORE = {
    "a table with everything comes, and goes": (
        "",
        """enum E in s { a, b }
           entity A in s { id int primary serial
             tenant text not null
             e E default "a" check "e <> 'b'"
             n int unique
             at timestamptz
             touch_on_update by at
             partition by tenant
             unique by n, tenant
             index by n desc
             check "n > 0" as sane
             table "one.a" }""",
    ),
    "what is bound to a type is taken off and put back": (
        """entity A in s { id int primary serial
             v varchar(9) not null default "x" check "v <> 'y'"
             tenant varchar(9) not null
             partition by tenant
             index by expr "lower(v)"
             unique index partial by id where v = "x"
             table "one.b" }""",
        """entity A in s { id bigint primary serial
             v varchar(4) not null default "x" check "v <> 'y'"
             tenant text not null
             partition by tenant
             index by expr "lower(v)"
             unique index partial by id where v = "x"
             more int serial
             uuid uuid default raw "gen_random_uuid()" check "uuid is not null"
             table "one.b" }""",
    ),
    "the column of tenancy is another one": (
        """entity A in s { id int primary
             a text not null
             b text not null
             partition by a
             table "one.c" }""",
        """entity A in s { id int primary
             a text not null
             b text not null
             partition by b
             table "one.c" }""",
    ),
    "a column is filled, and has a default for rows to come": (
        """entity A in s { id int primary
             n int
             table "one.d" }
           entity K in s { id int not null
             keyless
             table "one.k" }""",
        """entity A in s { id int primary
             n int not null backfill "id * 2"
             m int not null default 3 backfill "id"
             o varchar(9) not null default "x" unique backfill "'o' || id"
             table "one.d" }
           entity K in s { id int not null
             m int not null default 3 backfill "id"
             keyless
             table "one.k" }""",
    ),
    "labels, defaults, numbers": (
        """enum E in s { a, b, c }
           enum F in s { x, y }
           entity A in s { id int primary identity
             e E default "a"
             f F default "x"
             n bigint default 1
             m int default 2
             at timestamptz
             touch_on_update by at
             table "one.e" }""",
        """enum E in s { first, a,
             // atl: renamed-from b
             bee
             c, last }
           entity A in s { id int primary
             e E default "bee"
             n int identity
             m int
             at timestamptz
             table "one.e" }""",
    ),
}
# What needs the extension of hypertables, which is not at hand, says so in the lines above it.
_HYPER = re.compile(r"hyper|time_field|chunk")


def numbered(text: str, number: int) -> str:
    """In a namespace, and PostgreSQL schemas, of its own."""
    text = re.sub(r"\bin s\b", f"in s{number}", re.sub(r"\bs\.(?=[A-Z])", f"s{number}.", text))
    return re.sub(r'table "(?!atlantis\.)', f'table "p{number}', text)


ALL = [tuple(numbered(side, at) for side in pair) for at, pair in enumerate({**PAIRS, **MORE}.values(), 1)]
NOTHING = schema("")
OLD, NEW = (schema("\n".join(pair[side] for pair in ALL)) for side in (0, 1))
# The old side, as far as statements lead back to it.
BACK = schema("\n".join(old if not diff(schema(new), schema(old)).manual else new for old, new in ALL))
STEPS = (NOTHING, OLD, NEW, BACK, NOTHING, BACK)


def sites() -> Iterator[tuple[str, range, str]]:
    """(file, lines, what stands above) of each place where a statement is added to a plan."""
    for path in sorted(Path(atl.migrate.__file__).parent.glob("*.py")):
        text = path.read_text("utf-8")
        lines = text.splitlines()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) in ("mk.out.add", "self.out.add", "add"):
                assert node.end_lineno is not None
                above = "\n".join(lines[max(0, node.lineno - 6) : node.end_lineno])
                if (path.name != "guards.py" and "Phase." in ast.unparse(node)) or "phase" in ast.unparse(node):
                    yield path.name, range(node.lineno, node.end_lineno + 1), above


def test_every_statement_is_among_them(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: set[tuple[str, int]] = set()
    add = Stages.add

    def noted(self: Stages, *words: object, **more: object) -> None:
        frame = sys._getframe(1)
        seen.add((Path(frame.f_code.co_filename).name, frame.f_lineno))
        add(self, *words, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Stages, "add", noted)
    parked: list[Parked] = []
    for here, there in pairwise(STEPS):
        plan = make_plan(diff(here, there), parked)
        assert not plan.by_hand
        parked = [p for p in [*parked, *plan.parks] if p not in plan.unparks]
    places = list(sites())
    assert len(places) > 40
    missed = [
        f"{name}:{lines[0]}"
        for name, lines, above in places
        if not any((name, line) in seen for line in lines) and not _HYPER.search(above)
    ]
    assert missed == []


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_statement(databases: tuple[Database, Database], spelling: str) -> None:
    database, fresh = databases
    steps = [respell(step, spelling) for step in STEPS]
    for before, step in pairwise(steps):
        was = without_schemas(database)
        parked = list(database.parked)
        plan = database.apply(step)
        fresh.reset()
        fresh.apply(step)
        assert snapshot(database) == snapshot(fresh)
        if all("label" not in s.no_reverse and "cast" not in s.no_reverse for s in plan.statements):
            database.undo(plan)
            assert without_schemas(database) == was
            database.schema, database.parked = before, parked
            database.apply(step)
        database.relocate()


@pytest.mark.slow
@pytest.mark.parametrize("spelling", SPELLINGS)
def test_every_script(databases: tuple[Database, Database], spelling: str) -> None:
    """There and back through `psql`, which reads backslashes, colons and dollars of its own."""
    database, fresh = databases
    old, new = respell(OLD, spelling), respell(NEW, spelling)
    database.apply(old)
    plan = database.plan(new)
    psql(database, up_script(plan))
    fresh.apply(new)
    assert snapshot(database) == snapshot(fresh)
    gone = make_plan(diff(new, NOTHING))
    psql(fresh, up_script(gone))
    assert without_schemas(fresh) == []
    psql(fresh, down_script(gone))
    assert without_schemas(fresh) == without_schemas(database)
