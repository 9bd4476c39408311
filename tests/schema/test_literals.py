"""Literals as values of a type: what is refused here PostgreSQL refuses too."""

from __future__ import annotations

from itertools import product

import pytest

from atl.schema.literals import default_misfit, literal_fits
from atl.schema.text_forms import may_be
from atl.schema.types import Type, parse_type, postgres_type
from atl.syntax import nodes as n
from tests.schema.literal_texts import TEXTS


def t(text: str) -> Type:
    made = parse_type(text)
    assert made is not None and made.known
    return made


def string(text: str) -> n.Str:
    return n.Str(0, 0, text)


@pytest.mark.parametrize("spelling", TEXTS)
def test_texts(spelling: str) -> None:
    good, bad, passed = TEXTS[spelling]
    type_ = t(spelling)
    assert [text for text in good + passed if not may_be(type_, text)] == []
    assert [text for text in bad if may_be(type_, text)] == []


# Refused by some releases only, or by the way a server was built; we let them pass.
UNSURE = {
    "smallint": ["0x2A", "0b1", "0o7", "1_000"],
    "numeric(4, 2)": ["0x10", "1_0"],
    "date": ["+infinity"],
    "interval": ["infinity", "-infinity"],
    "xml": ["a", "<a/>"],
}


def test_unsure_texts_pass() -> None:
    assert [(type_, text) for type_, texts in UNSURE.items() for text in texts if not may_be(t(type_), text)] == []


def test_texts_as_postgres_reads_them(server: str) -> None:
    import psycopg

    wrong = []
    with psycopg.connect(server, autocommit=True) as connection:
        for spelling, (good, bad, passed) in TEXTS.items():
            connection.execute(f"CREATE TEMP TABLE x (v {postgres_type(t(spelling))})")
            for text, expected in [*product(good, [True]), *product(bad + passed, [False])]:
                try:
                    connection.execute(f"INSERT INTO x VALUES ({psycopg.sql.quote(text)})")
                    taken = True
                except psycopg.Error:
                    taken = False
                if taken != expected:
                    wrong.append((spelling, text, taken))
            connection.execute("DROP TABLE x")
    assert wrong == []


LITERALS: dict[str, n.Literal] = {
    "0": n.Int(0, 0, 0),
    "-5": n.Int(0, 0, -5),
    "12345": n.Int(0, 0, 12345),
    "32768": n.Int(0, 0, 32768),
    "92233720368547758": n.Int(0, 0, 92233720368547758),
    "92233720368547759": n.Int(0, 0, 92233720368547759),
    "9223372036854775808": n.Int(0, 0, 9223372036854775808),
    "340282356779733661637539395458142568447": n.Int(0, 0, 340282356779733661637539395458142568447),
    "340282356779733661637539395458142568448": n.Int(0, 0, 340282356779733661637539395458142568448),
    "true": n.Bool(0, 0, True),
    "false": n.Bool(0, 0, False),
    "now()": n.Now(0, 0, True),
}
COLUMNS = [
    "smallint",
    "int",
    "bigint",
    "real",
    "double",
    "numeric(6, 2)",
    "numeric(2, 4)",
    "boolean",
    "varchar(4)",
    "text",
    "char(3)",
    "name",
    "uuid",
    "money",
    "xml",
    "json",
    "jsonb",
    "bytea",
    "timestamptz",
    "timestamp",
    "date",
    "time",
    "timetz",
    "interval",
    "inet",
    "cidr",
    "macaddr",
    "bit(4)",
    "varbit",
    "tsvector",
    "int4range",
    "daterange",
    "point",
    "[]int",
]


def test_other_literals_as_postgres_assigns_them(server: str) -> None:
    import psycopg

    wrong = []
    with psycopg.connect(server, autocommit=True) as connection:
        for column in COLUMNS:
            type_ = t(column)
            connection.execute(f"CREATE TEMP TABLE x (v {postgres_type(type_)})")
            for text, literal in LITERALS.items():
                try:
                    connection.execute(f"INSERT INTO x VALUES ({text})")  # type: ignore[arg-type]
                    taken = True
                except psycopg.Error:
                    taken = False
                # PostgreSQL spells a moment out when it goes into text; here only literals do.
                if type_.base in ("text", "name") and text == "now()":
                    taken = False
                if literal_fits(type_, None, literal) != taken:
                    wrong.append((column, text, taken))
            connection.execute("DROP TABLE x")
    assert wrong == []


@pytest.mark.parametrize(
    ("type_", "value", "fits"),
    [
        ("int", n.Int(0, 0, 5), True),
        ("int", string("42"), False),
        ("boolean", string("true"), False),
        ("boolean", n.Bool(0, 0, True), True),
        ("boolean", n.Int(0, 0, 1), False),
        ("text", n.Int(0, 0, 5), False),
        ("text", n.Now(0, 0, True), False),
        ("text", string("x"), True),
        ("varchar(3)", string("ABCD"), False),
        ("numeric(4, 2)", n.Int(0, 0, 100), False),
        ("numeric(4, 2)", n.Int(0, 0, -99), True),
        ("numeric(4, 2)", n.Decimal(0, 0, "1.5"), False),
        ("real", n.Int(0, 0, 1), True),
        ("money", n.Int(0, 0, 1), False),
        ("money", string("1"), False),
        ("money", n.Raw(0, 0, string("1")), True),
        ("xml", string("<a/>"), False),
        ("bytea", string(""), False),
        ("bit", string("1"), False),
        ("point", string("1,2"), False),
        ("int4range", string("empty"), False),
        ("tsvector", string("a"), False),
        ("[]text", string("{}"), False),
        ("[]text", n.Raw(0, 0, string("'{}'")), True),
        ("vector(2)", string("[1,2]"), False),
        ("interval", n.Now(0, 0, True), False),
        ("interval", string("1 day"), True),
        ("timetz", n.Now(0, 0, True), True),
        ("date", string("2023-02-29"), False),
        ("inet", string("10.0.0.256"), False),
        ("jsonb", string("{unquoted}"), False),
        ("uuid", n.Call(0, 0, n.Name(0, 0, "gen_random_uuid")), False),
        ("text", n.Word(0, 0, n.Name(0, 0, "x")), False),
        ("s.Size", string("small"), True),
        ("s.Size", string("tiny"), False),
        ("s.Size", n.Int(0, 0, 1), False),
    ],
)
def test_defaults(type_: str, value: n.DefaultValue, fits: bool) -> None:
    assert (not default_misfit(t(type_), ["small"], value)) is fits


@pytest.mark.parametrize(
    ("type_", "text", "fits"),
    [
        ("vector(2)", "[1,2.5]", True),
        ("vector(2)", " [1, 2] ", True),
        ("vector(2)", "[1]", False),
        ("vector(2)", "1,2", False),
        ("vector(2)", "[1,x]", False),
        ("vector(2)", "[1,nan]", False),
        ("s.Size", "small", True),
        ("s.Size", "Small", False),
        ("text", "a\0b", False),
    ],
)
def test_strings_without_a_server(type_: str, text: str, fits: bool) -> None:
    assert literal_fits(t(type_), ["small"], string(text)) is fits
    assert literal_fits(t(type_)._replace(known=False), None, string(text))


def test_nothing_raises_and_nothing_is_slow() -> None:
    deep, long = "[" * 100_000, "9" * 20_000
    for spelling in [*TEXTS, "vector(2)"]:
        for text in (
            deep,
            long,
            "{" * 50_000,
            "-" * 50_000,
            "1 " * 50_000,
            "1:" * 50_000,
            "(" + "," * 50_000,
            "\\" * 50_001,
        ):
            may_be(t(spelling), text)
