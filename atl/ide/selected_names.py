"""Names that a select list gives without `AS`: what selects them goes on by the old name when a column gets a new one.

Read from the tokens, and by clause, so that every subquery is seen.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from atl.postgres.scan import tokens
from atl.postgres.text import fold

__all__ = ["Item", "Reading", "read_items"]

_CLAUSES = frozenset(
    (
        "select",
        "from",
        "where",
        "group",
        "order",
        "having",
        "limit",
        "offset",
        "fetch",
        "for",
        "window",
        "union",
        "intersect",
        "except",
        "returning",
        "values",
        "set",
        "into",
        "on",
        "using",
    )
)


class Item(NamedTuple):
    """A name at the end of an item of a select list. depth: of brackets. kind: `column` (`a`, `t.a`), which gives its
    own name; `alias` (`x as a`, `x a`). start, end: the name's."""

    name: str
    kind: str
    depth: int
    start: int
    end: int


class Reading(NamedTuple):
    """words: every name, (folded name, start, end, whether `.` stands before it). ordered: those of them that stand by
    themselves in an outermost ORDER BY or GROUP BY."""

    items: tuple[Item, ...]
    words: tuple[tuple[str, int, int, bool], ...]
    ordered: frozenset[int]


def read_items(sql: str) -> Reading:
    found = [token for token in tokens(sql) if token.kind not in ("comment", "line comment")]
    texts = [sql[token.start : token.end] for token in found]
    names = [
        text[1:-1].replace('""', '"') if token.kind == "quoted" else fold(text)
        for token, text in zip(found, texts, strict=True)
    ]
    items: list[Item] = []
    words: list[tuple[str, int, int, bool]] = []
    ordered: set[int] = set()
    clauses = [""]
    opened: list[int] = []
    opening: dict[int, int] = {}
    for at, token in enumerate(found):
        text = texts[at]
        if text == "(":
            clauses.append("")
            opened.append(at)
        elif text == ")" and opened:
            clauses.pop()
            opening[at] = opened.pop()
        if token.kind not in ("word", "quoted"):
            continue
        dotted = at > 0 and texts[at - 1] == "."
        if token.kind == "word" and not dotted and names[at] in _CLAUSES and _begins_clause(texts, at):
            clauses[-1] = names[at]
            continue
        words.append((names[at], token.start, token.end, dotted))
        if clauses[-1] in ("select", "returning") and _ends_item(texts, names, at):
            items.append(Item(names[at], _kind(texts, names, opening, at), len(clauses) - 1, token.start, token.end))
        elif len(clauses) == 1 and clauses[0] in ("order", "group") and not dotted and _next(texts, at) != ".":
            ordered.add(token.start)
    return Reading(tuple(items), tuple(words), frozenset(ordered))


def _next(texts: list[str], at: int) -> str:
    return texts[at + 1].lower() if at + 1 < len(texts) else ""


def _begins_clause(texts: list[str], at: int) -> bool:
    """`is distinct from` and `distinct on` begin none."""
    return not (texts[at].lower() in ("from", "on") and at > 0 and texts[at - 1].lower() == "distinct")


_NO_NAMES = frozenset(("all", "distinct", "end"))


def _ends_item(texts: list[str], names: list[str], at: int) -> bool:
    if texts[at].lower() in _NO_NAMES:
        return False
    following = _next(texts, at)
    return following in ("", ",", ")", ";") or following in _CLAUSES


def _kind(texts: list[str], names: list[str], opening: Mapping[int, int], at: int) -> str:
    """opening: the bracket that belongs to a closing one, by position."""
    first = at
    while first > 1 and texts[first - 1] == ".":
        first -= 2
    before = names[first - 1] if first > 0 else ""
    if first < at or before in ("select", "all", "distinct", ",", "returning"):
        return "column"
    bracket = opening.get(first - 1, 0)
    return "column" if bracket > 1 and names[bracket - 2 : bracket] == ["distinct", "on"] else "alias"
