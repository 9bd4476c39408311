"""The names of the builtin types, as far as reading text needs them: to tell a field from a clause."""

from __future__ import annotations

__all__ = ["TYPE_WORDS"]

_WORDS = """
    smallint int bigint real double numeric boolean varchar char text citext name uuid money xml json jsonb bytea vector
    timestamptz timestamp date time timetz interval inet cidr macaddr macaddr8 bit varbit tsvector tsquery int4range
    int8range numrange tsrange tstzrange daterange point line lseg box path polygon circle
"""
TYPE_WORDS = frozenset(_WORDS.split())
