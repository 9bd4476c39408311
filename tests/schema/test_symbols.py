"""What other declarations see of a declaration."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.schema.symbols import (
    EntitySymbol,
    EnumSymbol,
    FieldSymbol,
    JobSymbol,
    OtherSymbol,
    Symbol,
    Type,
    symbol_from_json,
    symbol_of,
    symbol_to_json,
)
from atl.source import SourceFile, Span
from atl.syntax.parser import parse


def symbol(text: str) -> Symbol:
    (decl,) = (decl for unit in parse(SourceFile("a.atl", text)).units for decl in unit.chunk.declarations)
    made = symbol_of(decl)
    assert symbol_from_json(json.loads(json.dumps(symbol_to_json(made)))) == made
    if made.name:
        assert text[made.span.start : made.span.end] == made.name
    return made


def test_an_entity() -> None:
    made = symbol(
        "entity OrderLine in shop {\n"
        "  nr int serial\n  code varchar(8) unique\n  at timestamptz not null default now()\n  state State\n"
        "  primary by nr, code\n  unique by at\n  unique by state, at\n}\n"
    )
    assert isinstance(made, EntitySymbol)
    assert made.key == ("nr", "code")
    assert made.uniques == (("nr", "code"), ("code",), ("at",), ("state", "at"))
    assert made.table == ("atlantis", "shop_order_line")
    facts = [(f.name, f.not_null, f.filled, f.primary, f.unique, f.generated) for f in made.fields]
    assert facts == [
        ("nr", True, True, False, False, "serial"),
        ("code", False, False, False, True, ""),
        ("at", True, True, False, True, ""),
        ("state", False, False, False, False, ""),
    ]
    state = made.field("state")
    assert state is not None and state.type == Type("", enum="shop.State")
    assert made.field("nothing") is None


@pytest.mark.parametrize(
    ("body", "key", "uniques", "table"),
    [
        ("id bigint primary", ("id",), (("id",),), ("atlantis", "s_e")),
        ("id bigint primary  code text primary", ("id",), (("id",), ("code",)), ("atlantis", "s_e")),
        ('keyless  a int  table "Goods"', (), (), ("public", "Goods")),
        ('a int  table "x.Goods"', (), (), ("x", "Goods")),
        ('a int  table "no good"', (), (), ("", "")),
    ],
)
def test_keys_and_tables(
    body: str, key: tuple[str, ...], uniques: tuple[tuple[str, ...], ...], table: tuple[str, str]
) -> None:
    made = symbol(f"entity E in s {{ {body} }}")
    assert isinstance(made, EntitySymbol)
    assert (made.key, made.uniques, made.table) == (key, uniques, table)


def test_the_others() -> None:
    enum = symbol('enum HTTPState in web { ok, "not found", }')
    assert isinstance(enum, EnumSymbol)
    assert (enum.labels, enum.type_name) == (("ok", "not found"), ("atlantis", "web_http_state"))
    job = symbol('job Ping in web { args { to text not null  n int default 1 } visible_to "me" }')
    assert isinstance(job, JobSymbol)
    assert [(arg.name, arg.not_null, arg.filled) for arg in job.args] == [("to", True, False), ("n", False, True)]
    assert job.visible_to == "me"
    assert job.arg("n") is job.args[1] and job.arg("m") is None
    assert symbol("job Ping in web { }") == JobSymbol("web", "Ping", Span(4, 8), (), "*", False)
    assert symbol("query Q for E { }") == OtherSymbol("query", "", "Q", Span(6, 7), ("", "E"))
    assert symbol("procedure P for s.E { }") == OtherSymbol("procedure", "s", "P", Span(10, 11), ("s", "E"))
    assert symbol("workflow W in s { }") == OtherSymbol("workflow", "s", "W", Span(9, 10))
    assert symbol("ephemeral W in s { }") == OtherSymbol("ephemeral", "s", "W", Span(10, 11))


TYPES = st.builds(
    Type,
    st.sampled_from(["", "int", "varchar"]),
    st.just(()),
    st.integers(0, 1),
    st.just(""),
    st.booleans(),
).map(lambda made: made._replace(enum="s.E" if not made.base and made.known else ""))
NAMES = st.text(min_size=1, max_size=4)
SPANS = st.builds(Span, st.integers(0, 99), st.integers(0, 99))
FIELDS = st.lists(
    st.builds(FieldSymbol, NAMES, SPANS, TYPES, *[st.booleans()] * 4, st.sampled_from(["", "serial"])), max_size=3
).map(tuple)
NAME_LISTS = st.lists(NAMES, max_size=2).map(tuple)
SYMBOLS = st.one_of(
    st.builds(
        EntitySymbol,
        NAMES,
        NAMES,
        SPANS,
        st.booleans(),
        FIELDS,
        NAME_LISTS,
        st.lists(NAME_LISTS, max_size=2).map(tuple),
        st.tuples(NAMES, NAMES),
        st.booleans(),
    ),
    st.builds(EnumSymbol, NAMES, NAMES, SPANS, NAME_LISTS, st.tuples(NAMES, NAMES), st.booleans()),
    st.builds(JobSymbol, NAMES, NAMES, SPANS, FIELDS, NAMES, st.booleans()),
    st.builds(
        OtherSymbol,
        st.sampled_from(["query", "procedure", "workflow", "ephemeral", "broken"]),
        NAMES,
        NAMES,
        SPANS,
        st.none() | st.tuples(NAMES, NAMES),
    ),
)


@given(SYMBOLS)
def test_symbols_go_through_json(made: Symbol) -> None:
    again = symbol_from_json(json.loads(json.dumps(symbol_to_json(made))))
    assert again == made
    assert type(again) is type(made)
