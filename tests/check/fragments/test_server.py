"""Types of defaults and comparisons, against a server: every builtin type with every other."""

from __future__ import annotations

from atl.schema.types import BUILTINS, Family, Type, postgres_type, spelled
from tests.check.checking import check_text

# Not in every server.
EXTENSIONS = {"citext", "vector"}
# Whose length we do not read from an expression.
UNREAD = {"bit"}
PARAMETERS = {"numeric": (8, 2), "varchar": (9,), "varbit": ()}


def types() -> list[Type]:
    found = []
    for name, row in BUILTINS.items():
        if name not in EXTENSIONS:
            type_ = Type(name, PARAMETERS.get(name, row.implied or ()))
            found += [type_, type_._replace(dims=1)] if row.element else [type_]
    return found


def test_a_server_assigns_the_same(server: str) -> None:
    import psycopg

    wrong = []
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE SCHEMA defaults")
        connection.execute("SET search_path = defaults")
        for target in types():
            sources = [source for source in types() if source.base not in UNREAD]
            fields = [
                f'  f{at} {spelled(target)} default raw "null::{postgres_type(source)}"'
                for at, source in enumerate(sources)
            ]
            text = "entity E in n {\n  id bigint primary\n" + "\n".join(fields) + "\n}\n"
            lines = {f.place.anchor.file.lines.line(f.place.span.start) for f in check_text(text) if f.code == "ATL705"}
            connection.execute(f"CREATE TABLE e (f {postgres_type(target)})")
            for at, source in enumerate(sources):
                try:
                    connection.execute(f"ALTER TABLE e ALTER f SET DEFAULT null::{postgres_type(source)}")
                    takes = True
                except psycopg.errors.DatatypeMismatch:
                    takes = False
                if takes != (at + 2 not in lines):
                    wrong.append((spelled(source), spelled(target), takes))
            connection.execute("DROP TABLE e")
        connection.execute("DROP SCHEMA defaults CASCADE")
    assert wrong == []


def test_a_server_compares_the_same(server: str) -> None:
    import psycopg

    wrong = []
    with psycopg.connect(server, autocommit=True) as connection:
        for left in types():
            fields = [
                f'  f{at} int check "null::{postgres_type(left)} {("=", "<=")[at % 2]} null::{postgres_type(right)}"'
                for at, right in enumerate(types())
            ]
            text = "entity E in n {\n  id bigint primary\n" + "\n".join(fields) + "\n}\n"
            lines = {f.place.anchor.file.lines.line(f.place.span.start) for f in check_text(text) if f.code == "ATL701"}
            for at, right in enumerate(types()):
                try:
                    connection.execute(f"SELECT {fields[at].split(chr(34))[1]}")
                    takes = True
                except psycopg.Error:
                    takes = False
                if takes != (at + 2 not in lines):
                    wrong.append((spelled(left), spelled(right), takes))
    assert [pair for pair in wrong if pair[2]] == [], "refused here"
    shapes = {name for name, row in BUILTINS.items() if row.family is Family.GEOMETRIC}
    assert [pair for pair in wrong if not shapes & {pair[0], pair[1]}] == [], "accepted here"
