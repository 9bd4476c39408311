"""A database to carry plans out on, and one to hold them against; both are emptied for every test."""

from __future__ import annotations

from collections.abc import Iterator

import psycopg
import pytest

from tests.migrate.executing import Database


@pytest.fixture(scope="session")
def _databases(server: str) -> Iterator[tuple[Database, Database]]:
    names = ("carried", "fresh")
    with psycopg.connect(server, autocommit=True) as maker:
        for name in names:
            maker.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")
            maker.execute(f"CREATE DATABASE {name}")
    first, second = (psycopg.connect(server, dbname=name, autocommit=True) for name in names)
    with first, second:
        yield Database(first), Database(second)


@pytest.fixture
def databases(_databases: tuple[Database, Database]) -> tuple[Database, Database]:
    for database in _databases:
        if database.connection.info.transaction_status:
            database.connection.rollback()
        database.reset()
    return _databases


@pytest.fixture
def database(databases: tuple[Database, Database]) -> Database:
    return databases[0]
