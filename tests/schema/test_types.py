"""The table of types, and what a spelling means."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.schema.types import (
    BUILTINS,
    FOREIGN,
    Type,
    foreign_spelling,
    has_equality,
    make_type,
    parse_type,
    postgres_type,
    spelled,
    type_of,
)
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse


def read(spelling: str) -> Type:
    tree = parse(SourceFile("a.atl", f"entity E in shop {{\n  f {spelling}\n}}\n"))
    (entity,) = (decl for unit in tree.units for decl in unit.chunk.declarations)
    assert isinstance(entity, n.EntityDecl)
    (field,) = entity.members
    assert isinstance(field, n.Field) and field.type is not None
    return type_of(field.type, "shop")


@pytest.mark.parametrize(
    ("spelling", "base", "params", "dims", "enum"),
    [
        ("bigint", "bigint", (), 0, ""),
        ("varchar", "varchar", (), 0, ""),
        ("varchar(20)", "varchar", (20,), 0, ""),
        ("varchar(10485760)", "varchar", (10485760,), 0, ""),
        ("char", "char", (1,), 0, ""),
        ("bit", "bit", (1,), 0, ""),
        ("varbit", "varbit", (), 0, ""),
        ("numeric(8, 2)", "numeric", (8, 2), 0, ""),
        ("numeric(2, 5)", "numeric", (2, 5), 0, ""),
        ("vector(16000)", "vector", (16000,), 0, ""),
        ("[]text", "text", (), 1, ""),
        ("[]numeric(8,2)", "numeric", (8, 2), 1, ""),
        ("Status", "", (), 0, "shop.Status"),
        ("crm.Status", "", (), 0, "crm.Status"),
        ("string", "", (), 0, "shop.string"),
        ("crm.text", "", (), 0, "crm.text"),
    ],
)
def test_types(spelling: str, base: str, params: tuple[int, ...], dims: int, enum: str) -> None:
    made = read(spelling)
    assert made == Type(base, params, dims, enum)
    assert parse_type(spelled(made)) == made


# fmt: off
IN_ERROR = [
    "varchar(0)", "varchar(10485761)", "char(0)", "bit(0)", "numeric", "numeric(8)", "numeric(0, 0)",
    "numeric(1001, 2)", "numeric(10, 1001)", "vector", "vector(0)", "vector(16001)", "text(20)", "varchar(1, 2)",
    "varchar(x)", "text[]", "[][]int", "[]inet", "[]bit(4)", "[]vector(3)", "[]tsvector", "[]int4range",
    "[]point", "[]Status", "[]varchar(0)", "Status(3)", "varchar(-1)", "varchar(99999999999999999999999)",
]
# fmt: on


@pytest.mark.parametrize("spelling", IN_ERROR)
def test_types_in_error_are_not_known(spelling: str) -> None:
    made = read(spelling)
    assert not made.known
    assert parse_type(spelled(made)) is not None


def test_a_bare_enum_of_an_unknown_namespace_is_not_known() -> None:
    assert make_type("Status", "", None) == Type("", known=False)
    assert make_type("text", "", None).known


def test_the_table_agrees_with_itself() -> None:
    for name, row in BUILTINS.items():
        assert row.name == name
        assert row.documentation
        assert foreign_spelling(name) is None
        sizes = row.implied if row.implied is not None else tuple(low for low, _ in row.bounds)
        made = make_type(name, "", sizes or None)
        assert made.known, name
        assert parse_type(spelled(made)) == made
        assert postgres_type(made).startswith(row.postgres)
        assert make_type(name, "", sizes or None, 1).known == row.element
    for word, spelling in FOREIGN.items():
        assert word == word.lower() and word not in BUILTINS
        assert spelling.split("(")[0].split()[0] in BUILTINS


@pytest.mark.parametrize(
    ("word", "spelling"),
    [
        ("string", "text"),
        ("integer", "int"),
        ("bool", "boolean"),
        ("float", "double"),
        ("datetime", "timestamptz"),
        ("decimal", "numeric(p, s)"),
        ("guid", "uuid"),
        ("long", "bigint"),
        ("int4", "int"),
        ("int8", "bigint"),
        ("TEXT", "text"),
        ("Numeric", "numeric(p, s)"),
        ("VarChar", "varchar"),
        ("strin", None),
        ("Status", None),
    ],
)
def test_foreign_spellings(word: str, spelling: str | None) -> None:
    assert foreign_spelling(word) == spelling


@pytest.mark.parametrize(
    ("type_", "sql"),
    [
        ("numeric(8, 2)", "NUMERIC(8,2)"),
        ("double", "DOUBLE PRECISION"),
        ("varbit(4)", "BIT VARYING(4)"),
        ("char(1)", "CHAR(1)"),
        ("[]text", "TEXT[]"),
        ("shop.Status", '"atlantis"."shop_status"'),
    ],
)
def test_postgres_types(type_: str, sql: str) -> None:
    made = parse_type(type_)
    assert made is not None
    assert postgres_type(made, ("atlantis", "shop_status")) == sql


def test_types_without_equality() -> None:
    without = {name for name in BUILTINS if not has_equality(Type(name))}
    assert without == {"json", "xml", "point", "line", "lseg", "box", "path", "polygon", "circle"}
    assert not has_equality(Type("json", dims=1))
    assert has_equality(Type("", enum="a.B"))


@given(st.text(max_size=12))
def test_any_text_is_a_type_or_not(text: str) -> None:
    made = parse_type(text)
    assert made is None or parse_type(spelled(made)) == made
