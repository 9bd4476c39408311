"""What is said of pairs of types is what PostgreSQL does."""

from __future__ import annotations

import pytest

from atl.schema.conversions import assignable, can_reference, comparable, may_not_fit
from atl.schema.types import BUILTINS, Family, Type, family, has_equality, parse_type, postgres_type


def t(text: str) -> Type:
    made = parse_type(text)
    assert made is not None and made.known
    return made


PARAMETERS = {"numeric": "(8, 2)", "varchar": "(20)", "char": "(6)", "bit": "(4)", "varbit": "(4)"}
TYPES = [t(name + PARAMETERS.get(name, "")) for name in BUILTINS if name != "vector"]
TYPES += [t(text) for text in ("[]text", "[]int", "[]varchar(20)", "[]timestamptz", "[]numeric(8, 2)", "s.A", "s.B")]


def test_pairs_as_postgres_has_them(server: str) -> None:
    import psycopg

    wrong = []
    with psycopg.connect(server, autocommit=True) as connection:

        def takes(statement: str) -> bool:
            try:
                connection.execute(statement)
            except psycopg.Error:
                return False
            return True

        connection.execute("CREATE TYPE a AS ENUM ('x'); CREATE TYPE b AS ENUM ('x')")
        missing = {"citext"} if not takes("CREATE EXTENSION citext") else set()
        types = [type_ for type_ in TYPES if type_.base not in missing]
        sql = {
            type_: postgres_type(type_, ("public", type_.enum[2:].lower()) if type_.enum else None) for type_ in types
        }
        names = {type_: f"c{number}" for number, type_ in enumerate(types)}
        connection.execute(f"CREATE TABLE t ({', '.join(f'{names[type_]} {sql[type_]}' for type_ in types)})")
        for target in types:
            key = f"k_{names[target]}"
            is_key = takes(f"CREATE TABLE {key} (k {sql[target]} PRIMARY KEY)")
            if is_key != has_equality(target):
                wrong.append(("key", target))
            for source in types:
                a, b = names[source], names[target]
                into = takes(f"EXPLAIN INSERT INTO t ({b}) SELECT {a} FROM t")
                if family(target) is Family.TEXT and target.dims == 0:
                    into = family(source) is Family.TEXT and source.dims == 0
                if source.dims and family(target) is Family.TEXT and family(source) is not Family.TEXT:
                    into = False
                if into != assignable(source, target):
                    wrong.append(("assign", source, target))
                equal = takes(f"EXPLAIN SELECT 1 FROM t WHERE {a} = {b}")
                if equal and family(source) is not Family.GEOMETRIC and not comparable(source, target):
                    wrong.append(("compare", source, target))
                if not equal and comparable(source, target):
                    wrong.append(("compare", source, target))
                refers = is_key and takes(f"CREATE TABLE r (c {sql[source]} REFERENCES {key} (k))")
                if refers:
                    connection.execute("DROP TABLE r")
                if refers != can_reference(source, target):
                    wrong.append(("reference", source, target))
    assert wrong == []


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("varchar(64)", "varchar(20)", True),
        ("varchar(20)", "varchar(64)", False),
        ("varchar(20)", "varchar(20)", False),
        ("text", "varchar(20)", True),
        ("varchar", "varchar(20)", True),
        ("varchar(20)", "text", False),
        ("citext", "text", False),
        ("varchar(20)", "char(20)", False),
        ("char(21)", "varchar(20)", True),
        ("text", "name", True),
        ("name", "varchar(20)", True),
        ("name", "varchar(63)", False),
        ("bigint", "int", True),
        ("int", "smallint", True),
        ("int", "bigint", False),
        ("int", "int", False),
        ("bigint", "real", False),
        ("double", "real", True),
        ("real", "double", False),
        ("double", "int", True),
        ("int", "numeric(10, 0)", False),
        ("int", "numeric(9, 0)", True),
        ("smallint", "numeric(6, 2)", True),
        ("smallint", "numeric(7, 2)", False),
        ("numeric(4, 0)", "smallint", False),
        ("numeric(5, 0)", "smallint", True),
        ("numeric(4, 2)", "int", True),
        ("numeric(8, 2)", "numeric(8, 2)", False),
        ("numeric(8, 2)", "numeric(10, 4)", False),
        ("numeric(8, 2)", "numeric(8, 4)", True),
        ("numeric(8, 4)", "numeric(8, 2)", True),
        ("numeric(38, 0)", "real", False),
        ("numeric(39, 0)", "real", True),
        ("int", "money", False),
        ("bigint", "money", True),
        ("numeric(12, 2)", "money", False),
        ("numeric(12, 3)", "money", True),
        ("money", "numeric(19, 2)", False),
        ("varbit(4)", "bit(4)", True),
        ("varbit", "varbit(4)", True),
        ("bit(3)", "varbit(4)", False),
        ("timestamptz", "date", False),
        ("uuid", "uuid", False),
        ("s.A", "s.A", False),
        ("[]bigint", "[]int", True),
        ("[]varchar(20)", "[]varchar(30)", False),
    ],
)
def test_what_may_not_fit(source: str, target: str, expected: bool) -> None:
    assert assignable(t(source), t(target))
    assert may_not_fit(t(source), t(target)) is expected


@pytest.mark.parametrize(
    ("source", "target", "expected"),
    [
        ("bit(4)", "bit(8)", False),
        ("bit(4)", "varbit(3)", False),
        ("bit(4)", "varbit", True),
        ("vector(3)", "vector(3)", True),
        ("vector(3)", "vector(4)", False),
        ("[]real", "vector(3)", True),
        ("[]text", "vector(3)", False),
        ("vector(3)", "[]real", True),
    ],
)
def test_what_no_column_takes_whatever_the_value(source: str, target: str, expected: bool) -> None:
    assert assignable(t(source), t(target)) is expected


def test_nothing_follows_from_a_type_in_error() -> None:
    broken = parse_type("varchar(0)")
    assert broken is not None and not broken.known
    for other in TYPES:
        assert comparable(broken, other) and assignable(other, broken) and can_reference(broken, other)
        assert not may_not_fit(other, broken)
