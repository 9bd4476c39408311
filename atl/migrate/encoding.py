"""Whether a database can store what a plan says."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from atl.migrate.database import one
from atl.migrate.errors import MigrateError
from atl.migrate.model import Plan

if TYPE_CHECKING:
    from psycopg import Connection

__all__ = ["check_encoding"]


def check_encoding(connection: Connection[Any], plan: Plan) -> None:
    """Raise MigrateError when a plan holds a character that the database has no way to store."""
    from psycopg import errors

    encoding = connection.info.parameter_status("server_encoding")
    if encoding in ("UTF8", "SQL_ASCII"):
        return
    try:
        for statement in (s for s in plan.statements if not s.sql.isascii()):
            one(connection, "SELECT octet_length(%s)", statement.sql)
    except errors.DataError as problem:
        raise MigrateError(
            f"the plan cannot be written in the encoding of the database, {encoding}: {problem.diag.message_primary}",
            f"it is in {statement.comment}; nothing was done",
        ) from None
