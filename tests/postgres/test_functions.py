"""The tables of functions, compared with a server's catalog."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from atl.postgres import functions as f

# PostgreSQL 15 to 18 differ in what they have; a name that a server lacks is not judged.
SPELLED = {
    "int4": "integer",
    "int8": "bigint",
    "float8": "double precision",
    "timestamptz": "timestamp with time zone",
    "timestamp": "timestamp without time zone",
}


@pytest.fixture(scope="module")
def catalog(server: str) -> Iterator[dict[str, list[dict[str, Any]]]]:
    import psycopg
    from psycopg.rows import dict_row

    with psycopg.connect(server, row_factory=dict_row) as connection:
        rows = connection.execute(
            """
            SELECT proname, pronargs, prokind::text AS kind, provolatile::text AS volatility, proretset,
                   format_type(prorettype, NULL) AS result,
                   (SELECT array_agg(format_type(t, NULL)) FROM unnest(proargtypes) t) AS arguments,
                   proargnames[pronargs + 1:] AS names
              FROM pg_proc WHERE pronamespace = 'pg_catalog'::regnamespace
            """
        ).fetchall()
        found: dict[str, list[dict[str, Any]]] = {}
        for row in rows:
            found.setdefault(row["proname"], []).append(row)
        yield found


Catalog = dict[str, list[dict[str, Any]]]


def test_most_names_are_there(catalog: Catalog) -> None:
    names = f.AGGREGATES | f.WINDOW | set(f.SET_RETURNING) | f.VOLATILE | f.STABLE | f.BOOLEAN | set(f.RESULTS)
    assert len(names & catalog.keys()) > 0.9 * len(names)


def test_kinds(catalog: Catalog) -> None:
    for name, rows in catalog.items():
        kinds = {row["kind"] for row in rows}
        assert (name in f.AGGREGATES or name in f.WINDOW) == bool(kinds & {"a", "w"}), name
        assert name not in f.WINDOW or "w" in kinds, name


def test_set_returning(catalog: Catalog) -> None:
    for name, columns in f.SET_RETURNING.items():
        rows = catalog.get(name, [])
        assert all(row["proretset"] for row in rows), name
        if columns:
            assert all(tuple(row["names"]) == columns for row in rows), name
        if columns == ():
            assert not any(row["names"] and any(row["names"]) for row in rows), name


def test_mutability(catalog: Catalog) -> None:
    for name in f.VOLATILE:
        assert all(row["volatility"] == "v" for row in catalog.get(name, [])), name
    for name in f.STABLE:
        assert all(row["volatility"] == "s" for row in catalog.get(name, [])), name
    for entry in f.MUTABLE_BY_ARITY:
        name, count = entry.split("/")
        rows = [row for row in catalog.get(name, []) if row["pronargs"] == int(count)]
        assert all(row["volatility"] != "i" for row in rows), entry
    for entry, (at, types) in f.MUTABLE_BY_TYPE.items():
        name, count = entry.split("/")
        for type_ in types - {"date"}:  # which becomes a timestamptz on the way
            spelled = "time with time zone" if type_ == "timetz" else SPELLED[type_]
            rows = [
                row
                for row in catalog[name]
                if row["pronargs"] == int(count)
                and row["arguments"][at] == spelled
                and row["arguments"][0] != "interval"
            ]
            assert rows and all(row["volatility"] != "i" for row in rows), (entry, type_)
    for entry in f.OUTSIDE:
        name, _, count = entry.partition("/")
        assert name in f.STABLE or entry in f.MUTABLE_BY_ARITY, entry


def test_results(catalog: Catalog) -> None:
    for name in f.BOOLEAN:
        assert {row["result"] for row in catalog.get(name, [])} <= {"boolean"}, name
    for name, type_ in f.RESULTS.items():
        results = {row["result"] for row in catalog.get(name, [])}
        if type_:
            assert results <= {SPELLED.get(type_, type_)}, name
        else:
            # `lower` and `upper` of a range give an element, which is never a boolean.
            assert not any(result == "boolean" for result in results), name
            assert name in ("lower", "upper") or not any(result.startswith("any") for result in results), name


def test_row_functions(catalog: Catalog) -> None:
    for name in f.ROW_FUNCTIONS:
        rows = catalog.get(name, [])
        assert not rows or any(row["pronargs"] == 1 for row in rows), name
