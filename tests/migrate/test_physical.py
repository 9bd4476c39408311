"""Names of objects in PostgreSQL, and several renames at once."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from atl.migrate.physical import Physical, physical
from atl.migrate.renaming import renames
from tests.diff.reading import schema


def names(side: Physical) -> set[str]:
    found = set()
    for table in side.tables.values():
        found |= {table.name, *(c.name for c in table.constraints.values()), *(i.name for i in table.indexes.values())}
        found |= {c.sequence for c in table.columns.values() if c.sequence}
    return found


def test_names_of_what_nobody_named() -> None:
    side = physical(
        schema(
            """
    enum HTTPKind in web { a }
    entity HTTPLog in web {
      id    bigint primary serial
      kind  HTTPKind not null
      at    date check "at > '2000-01-01'"
      ref   bigint references web.HTTPLog.id
      mail  text unique
      tenant text not null
      unique by mail, at
      index by at desc, expr "lower(mail)"
      check "at <> '2001-01-01'" as odd
      check "mail <> '' or at is null"
      partition by tenant
    }
    """
        )
    )
    assert names(side) == {
        *("web_http_log", "web_http_log_pkey", "web_http_log_id_seq", "web_http_log_mail_key", "odd"),
        *("web_http_log_at_mail_key", "web_http_log_ref_fkey", "web_http_log_at_check", "web_http_log_at_mail_check"),
        *("web_http_log_at_expr_idx", "web_http_log_tenant_idx"),
    }
    assert side.enums["web.HTTPKind"].sql == '"atlantis"."web_http_kind"'


def test_names_are_cut_and_unique() -> None:
    long = "x" * 50
    text = f"""
    entity A in s {{ id int primary
      {long} int unique
      {long}_too int unique
      index by {long}
      index by {long} desc
      table "public.{long}" }}
    entity B in s {{ id int primary
      table "public.{long}_pkey" }}
    """
    side = physical(schema(text))
    assert all(len(name.encode()) <= 63 for name in names(side))
    tables = side.tables["s.A"]
    every = [tables.name, side.tables["s.B"].name, *(c.name for c in tables.constraints.values())]
    every += [i.name for i in tables.indexes.values()]
    assert len(set(every)) == len(every)
    assert physical(schema(text)) == side


def test_order_means_nothing() -> None:
    one = "entity A in s { id int primary\n a int\n b int\n unique by a, b\n index by a\n index by b }"
    other = "entity A in s { b int\n a int\n index by b\n index by a\n unique by b, a\n id int primary }"
    a, b = physical(schema(one)).tables["s.A"], physical(schema(other)).tables["s.A"]
    assert (dict(a.constraints), dict(a.indexes)) == (dict(b.constraints), dict(b.indexes))


@given(st.permutations("abcdefg"), st.integers(0, 7), st.sets(st.sampled_from("xyz")))
def test_renames(order: list[str], count: int, standing: set[str]) -> None:
    """Whatever the circles and chains, no name is ever taken twice, and all arrive."""
    moves = dict(zip("abcdefg"[:count], order, strict=False))
    there = {name: name for name in [*moves, *standing]}
    for a, b in renames(moves, standing):
        assert b not in there.values(), "it is taken"
        (held,) = [name for name, now in there.items() if now == a]
        there[held] = b
    assert {name: there[name] for name in moves} == moves
