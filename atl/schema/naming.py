"""Names that nobody wrote: snake case, default tables and enum types, and names cut to what PostgreSQL keeps."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

from atl.source import encoded

__all__ = ["MAX_BYTES", "SCHEMA", "clip", "default_physical", "physical_name", "snake_case", "table_parts"]

MAX_BYTES = 63
"""Bytes of an identifier that PostgreSQL keeps: NAMEDATALEN - 1."""

SCHEMA = "atlantis"
"""The PostgreSQL schema of every default table and enum type."""

_WORD_START = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_TABLE = re.compile(r"(?:([A-Za-z_][A-Za-z0-9_]*)\.)?([A-Za-z_][A-Za-z0-9_]*)", re.ASCII)


@lru_cache(maxsize=1 << 15)
def snake_case(name: str) -> str:
    """`HTTPLog` -> `http_log`, `Item2` -> `item2`, `OrderLine` -> `order_line`."""
    return _WORD_START.sub("_", name).lower()


def table_parts(text: str) -> tuple[str, str] | None:
    """(schema, table) of a `table "..."` clause, a bare table in `public`; None when it is no such name."""
    found = _TABLE.fullmatch(text)
    return None if found is None else (found[1] or "public", found[2])


def default_physical(namespace: str, name: str) -> tuple[str, str]:
    """(schema, name) of an entity's table or an enum's type when the author chose none."""
    return SCHEMA, physical_name(f"{namespace}_{snake_case(name)}")


def clip(name: str) -> str:
    """`name` as PostgreSQL reads an identifier that is too long: cut to 63 bytes, no character torn."""
    if len(name) <= MAX_BYTES and name.isascii():
        return name
    return encoded(name)[:MAX_BYTES].decode("utf-8", "ignore")


def physical_name(name: str, taken: Container[str] = ()) -> str:
    """`name` itself when PostgreSQL keeps all of it and it is not taken; else its beginning, `_` and 8 hex digits of
    its SHA-256, within 63 bytes. A function of its arguments alone, so the same declaration always gives the same name.
    """
    if name not in taken and len(encoded(name)) <= MAX_BYTES:
        return name
    from hashlib import sha256

    data = encoded(name)
    start = data[: MAX_BYTES - 9].decode("utf-8", "ignore")
    digest = sha256(data).hexdigest()
    for at in range(len(digest) - 7):
        candidate = f"{start}_{digest[at : at + 8]}"
        if candidate not in taken:
            return candidate
    raise ValueError(f"every name made from `{name}` is taken")
