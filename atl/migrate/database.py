"""Connections to PostgreSQL. The only place that knows how one is made and how its address is shown."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any

from atl.migrate.errors import MigrateError
from atl.migrate.model import SESSION

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["connect", "is_address", "one", "rows", "run", "session", "shown_address"]

_SCHEMES = ("postgres://", "postgresql://")
# What a role or database may have set for its requests would end a long build halfway; an apply sets its own limits.
# Not every version has all of them.
_PATIENT = [
    *("statement_timeout", "lock_timeout", "transaction_timeout"),
    *("idle_in_transaction_session_timeout", "idle_session_timeout"),
]
# Types and functions of extensions are written without a schema, since they may be in any.
_SEARCHED = """SELECT set_config('search_path', concat_ws(', ', current_setting('search_path'),
 string_agg(DISTINCT quote_ident(n.nspname), ', ')), false) FROM pg_catalog.pg_extension e
 JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace WHERE n.nspname NOT IN ('public', 'pg_catalog')"""
_READING = "to read what was applied a role needs USAGE on the schema atlantis_meta, and SELECT on its tables"
# A peer that has vanished is noticed in about a minute, by either side.
_KEEPALIVE = {"keepalives": 1, "keepalives_idle": 30, "keepalives_interval": 10, "keepalives_count": 3}


def is_address(what: str) -> bool:
    """Whether a word is a connection string, a URL or `key=value` pairs."""
    return what.startswith(_SCHEMES) or any(
        part.partition("=")[0] in ("host", "dbname", "service", "hostaddr") for part in what.split() if "=" in part
    )


def shown_address(address: str) -> str:
    """The address for people: never with its password."""
    from psycopg.conninfo import conninfo_to_dict

    try:
        parts = conninfo_to_dict(address)
    except Exception:
        return "the database"
    user = f"{parts['user']}@" if parts.get("user") else ""
    port = f":{parts['port']}" if parts.get("port") else ""
    host = parts.get("host") or ("" if parts.get("service") else "localhost")
    name = parts.get("dbname") or parts.get("service") or parts.get("user") or ""
    return f"{user}{host}{port}/{name}"


def connect(address: str) -> Connection[tuple[Any, ...]]:
    """A connection in autocommit mode, with the settings of `SESSION`. Raises MigrateError."""
    try:
        import psycopg
        from psycopg.conninfo import conninfo_to_dict
    except ImportError as problem:
        raise MigrateError(
            f"a database needs psycopg, which cannot be loaded ({problem})", "install it: pip install 'atl-lang[apply]'"
        ) from None
    try:
        parts: dict[str, Any] = dict(conninfo_to_dict(address))
    except psycopg.Error:
        # What the library says of it quotes the string, and so the password.
        raise MigrateError("the connection string cannot be read: write postgresql://USER@HOST:PORT/DATABASE") from None
    options: dict[str, Any] = {**_KEEPALIVE, "connect_timeout": 10, "application_name": "atl", **parts}
    try:
        connection = psycopg.connect(**options, autocommit=True)
    except psycopg.OperationalError as problem:
        said = " ".join(str(problem).split())
        if parts.get("password"):
            said = said.replace(str(parts["password"]), "***")
        raise MigrateError(f"cannot connect to {shown_address(address)}: {said}") from None
    connection.prepare_threshold = None
    try:
        _settle(connection)
    except psycopg.Error as problem:
        connection.close()
        said = problem.diag.message_primary or " ".join(str(problem).split())
        raise MigrateError(f"cannot work on {shown_address(address)}: {said}") from None
    return connection


def _settle(connection: Connection[Any]) -> None:
    """Give the session its settings. Raises psycopg's errors."""
    from psycopg import Error

    each = ", ".join(["pg_catalog.set_config(%s, %s, false)"] * len(SESSION))
    connection.execute(f"SELECT {each}".encode(), [word for pair in SESSION.items() for word in pair])
    connection.execute("SELECT set_config(name, '0', false) FROM pg_settings WHERE name = ANY(%s)", (_PATIENT,))
    connection.execute(_SEARCHED)
    for name, value in (
        # A backend whose client was killed goes on with its statement otherwise, and holds its locks. Not every
        # platform can tell.
        ("client_connection_check_interval", "1s"),
        # What is told of an error looks into its words; only a superuser may choose them.
        ("lc_messages", "C"),
    ):
        with suppress(Error):
            connection.execute("SELECT set_config(%s, %s, false)", (name, value))


@contextmanager
def session(address: str) -> Iterator[Connection[tuple[Any, ...]]]:
    """A connection for a while. Whatever the server refuses meanwhile is raised as MigrateError."""
    with connect(address) as connection:
        from psycopg import Error

        try:
            yield connection
        except Error as problem:
            if connection.closed or connection.broken:
                said = " ".join(str(problem).split())
                raise MigrateError(f"the connection to {shown_address(address)} was lost: {said}") from None
            said = problem.diag.message_primary or " ".join(str(problem).split())
            notes = [_READING] if problem.sqlstate == "42501" else []
            raise MigrateError(f"the database refused: {said}", *notes) from None


def run(connection: Connection[Any], sql: str) -> int:
    """Run one statement of a plan, which has no parameters; the number of rows that it touched."""
    return connection.execute(sql.encode()).rowcount


def rows(connection: Connection[Any], sql: str, *values: Any) -> list[tuple[Any, ...]]:
    """The rows of a query."""
    return connection.execute(sql.encode(), values or None).fetchall()


def one(connection: Connection[Any], sql: str, *values: Any) -> Any:
    """The first value of the first row of a query, None without a row."""
    found = connection.execute(sql.encode(), values or None).fetchone()
    return None if found is None else found[0]
