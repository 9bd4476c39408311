"""What PostgreSQL refused, told with what it leaves out: the rows, the constraint, what can be done."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from atl.migrate.database import rows
from atl.migrate.errors import MigrateError
from atl.migrate.sqltext import name_list, qualified, quote

if TYPE_CHECKING:
    from psycopg import Connection, Error

    from atl.migrate.model import Guard, Statement

__all__ = ["LOCKS", "told", "uncounted"]

_SHOWN = 5
LOCKS = "a transaction locks each table and index that it makes or changes: raise max_locks_per_transaction"
_HIDDEN = "row-level security would hide rows from this: apply as a role with BYPASSRLS, or as a superuser"
_NOT_OWNER = "the role may not do this: apply as the owner of the table, or as a superuser"
_CHECK, _NOT_NULL, _PRIVILEGE = "23514", "23502", "42501"


def told(connection: Connection[Any], problem: Error, statement: Statement | None, where: str) -> MigrateError:
    """An error of the server as one for people. where: `stage 2 of 3`. The transaction has ended already."""
    diag = problem.diag
    said = diag.message_primary or " ".join(str(problem).split())
    notes: list[str] = []
    if statement is not None and statement.change is not None:
        change = statement.change
        place = f" ({change.where[0]}:{change.where[1]})" if change.where[0] else ""
        notes.append(f"for {f'{change.id}.{change.member}'.rstrip('.')}{place}: {statement.comment}")
    elif statement is not None:
        notes.append(f"to {statement.comment}")
    if diag.message_detail:
        notes.append(diag.message_detail)
    if diag.constraint_name:
        notes.append(f"constraint: {diag.constraint_name}")
    if not connection.closed:
        notes += _offenders(connection, problem)
    match problem.sqlstate:
        case "42501" if "row-level security" in said:
            notes.append(_HIDDEN)
        case "42501":
            notes.append(_NOT_OWNER)
        case "57014":
            notes.append("the server's statement_timeout ended it, or someone cancelled it")
        case "53100":
            notes.append("make room on the server's disk, then apply again")
        case "53200" if "shared memory" in said:
            notes.append(LOCKS)
        case _:
            pass
    notes.append(f"nothing of {where} was kept; once it is mended, `atl apply` goes on from here")
    return MigrateError(f"{where} failed: {said}", *notes)


def uncounted(problem: Error, guard: Guard) -> MigrateError:
    """A guard that could not be asked; nothing has been done."""
    said = problem.diag.message_primary or " ".join(str(problem).split())
    name = f"{guard.change.id}.{guard.change.member}".rstrip(".")
    notes = ["nothing was done"]
    if problem.sqlstate == _PRIVILEGE and "row-level security" in said:
        notes.append(_HIDDEN)
    elif problem.sqlstate == _PRIVILEGE:
        notes.append(_NOT_OWNER)
    return MigrateError(f"the rows cannot be checked for {name}: {said}", *notes)


def _offenders(connection: Connection[Any], problem: Error) -> list[str]:
    """Some rows that a check or `not null` does not let through; the other constraints name theirs themselves."""
    diag = problem.diag
    if not diag.schema_name or not diag.table_name or problem.sqlstate not in (_CHECK, _NOT_NULL):
        return []
    table = qualified(diag.schema_name, diag.table_name)
    try:
        if problem.sqlstate == _NOT_NULL:
            if not diag.column_name:
                return []
            wrong = f"{quote(diag.column_name)} IS NULL"
        else:
            found = rows(
                connection,
                "SELECT pg_get_constraintdef(oid) FROM pg_constraint WHERE conrelid = %s::regclass AND conname = %s",
                table,
                diag.constraint_name,
            )
            check = (
                re.fullmatch(r"CHECK \((.*)\)( NO INHERIT)?( NOT VALID)?", found[0][0], re.DOTALL) if found else None
            )
            if check is None:
                return []
            wrong = f"NOT ({check[1]})"
        key = rows(
            connection,
            "SELECT a.attname FROM pg_index i"
            " JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY (i.indkey)"
            " WHERE i.indrelid = %s::regclass AND i.indisprimary ORDER BY array_position(i.indkey::int2[], a.attnum)",
            table,
        )
        names = [name for (name,) in key]
        count = rows(connection, f"SELECT count(*) FROM {table} WHERE {wrong}")[0][0]
        if not count:
            return []
        about = f"{count} row{'s' * (count != 1)} of {diag.schema_name}.{diag.table_name}"
        if not names:
            return [about]
        some = rows(
            connection,
            f"SELECT {', '.join(f'{quote(n)}::text' for n in names)} FROM {table} WHERE {wrong}"
            f" ORDER BY {name_list(names)} LIMIT {_SHOWN}",
        )
    except Exception:
        return []  # what helps to understand an error must not hide it
    shown = "; ".join(", ".join(f"{n} = {v}" for n, v in zip(names, row, strict=True)) for row in some)
    return [f"{about}: {shown}{'; ...' if count > _SHOWN else ''}"]
