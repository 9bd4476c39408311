"""The tables that SQL names, read token by token, so that also a statement that is still being written has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from atl.postgres.scan import Token, tokens

__all__ = ["NamedTable", "folded", "tables_in", "words_in"]

_BEFORE_TABLE = frozenset(("from", "join", "into", "update", "using"))


def words_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.split()))


_NO_ALIAS = frozenset(
    words_in(
        "as where on join left right inner outer full cross natural group order having limit offset union except "
        "intersect set values select returning using for window from lateral default overriding when then end and or"
    )
)


class NamedTable(NamedTuple):
    """alias: what columns are qualified by, the table's own name where it has none."""

    schema: str | None
    name: str
    alias: str


def folded(sql: str, token: Token) -> str:
    """An identifier as PostgreSQL reads it."""
    text = sql[token.start : token.end]
    return text[1:].removesuffix('"').replace('""', '"') if token.kind == "quoted" else text.lower()


def tables_in(sql: str) -> list[NamedTable]:
    return list(dict.fromkeys(_tables(sql)))


def _tables(sql: str) -> Iterator[NamedTable]:
    found = [token for token in tokens(sql) if token.kind not in ("comment", "line comment")]
    at, end = 0, len(found)

    def text(index: int) -> str:
        return folded(sql, found[index]) if index < end else ""

    def names(index: int) -> bool:
        return index < end and found[index].kind in ("word", "quoted")

    listing = False
    while at < end:
        word = text(at)
        if found[at].kind == "word" and word in _BEFORE_TABLE:
            listing = word in ("from", "using")
            at += 1
        elif listing and word == ",":
            at += 1
        else:
            if found[at].kind == "word" and word in _NO_ALIAS and word not in ("as", "on"):
                listing = listing and word in ("join", "left", "right", "inner", "outer", "full", "cross", "natural")
            at += 1
            continue
        while text(at) in ("only", "lateral"):
            at += 1
        if not names(at) or (found[at].kind == "word" and text(at) in _NO_ALIAS):
            continue
        schema: str | None = None
        name = text(at)
        at += 1
        if text(at) == ".":
            if not names(at + 1):
                continue
            schema, name = name, text(at + 1)
            at += 2
        if text(at) == "as":
            at += 1
        alias = name
        if names(at) and not (found[at].kind == "word" and text(at) in _NO_ALIAS):
            alias = text(at)
            at += 1
        yield NamedTable(schema, name, alias)
