"""SQL seen as text: where quotes, comments, parameters begin and end. Needs no grammar and loads no library."""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Parameter", "parameters", "quote_identifier", "quote_literal"]


class Parameter(NamedTuple):
    """`$name` in SQL; the span holds the dollar."""

    name: str
    start: int
    end: int


def parameters(sql: str) -> list[Parameter]:
    """The parameters, not those in strings, quoted identifiers, comments and dollar quotes, in order."""
    raise NotImplementedError


def quote_identifier(name: str) -> str:
    """`name` as an always quoted PostgreSQL identifier."""
    return '"' + name.replace('"', '""') + '"'


def quote_literal(text: str) -> str:
    """`text` as a string literal that means the same whatever `standard_conforming_strings` says."""
    quoted = "'" + text.replace("'", "''") + "'"
    return "E" + quoted.replace("\\", "\\\\") if "\\" in text else quoted
