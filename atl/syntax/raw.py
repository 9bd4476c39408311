"""Where raw SQL ends. Knows PostgreSQL's quoting, and nothing else of SQL."""

from __future__ import annotations

import re

__all__ = ["predicate_end", "sql_end"]

_STEP = re.compile(
    r"""
      ([{}])
    | (?<![\w$])[eE]'[^'\\]*(?:(?:\\.|'')[^'\\]*)*'      # escape string
    | ((?<![\w$])[eE]')                                  # one that is never closed
    | '[^']*' | "[^"]*" | --[^\n]*
    | (/\*)
    | (?<![\w$])(\$(?:[^\W\d]\w*)?\$)                    # dollar quote
    | (['"])                                             # a quote that is never closed
    """,
    re.X | re.S,
)
_COMMENT = re.compile(r"/\*|\*/")
_PREDICATE = re.compile(r"""[^"}\n/]*(?:(?:"[^"\\\n]*(?:\\[^\n][^"\\\n]*)*(?:"|\\?$)|/(?!/))[^"}\n/]*)*""", re.M)


def sql_end(text: str, start: int, limit: int) -> int:
    """The offset of the `}` that ends the raw SQL which begins at `start`, or -1 when there is none before `limit`.

    Braces in strings, quoted identifiers, dollar quotes and comments (which nest) do not count.
    """
    depth = 0
    at = start
    while found := _STEP.search(text, at, limit):
        at = found.end()
        group = found.lastindex
        if group is None:
            continue
        if group == 1:
            if found[1] == "{":
                depth += 1
            elif depth == 0:
                return at - 1
            else:
                depth -= 1
        elif group == 3:
            at = _comment_end(text, at, limit)
        elif group == 4:
            closing = text.find(found[4], at, limit)
            at = closing + len(found[4]) if closing >= 0 else -1
        else:
            return -1
        if at < 0:
            return -1
    return -1


def _comment_end(text: str, at: int, limit: int) -> int:
    depth = 1
    for mark in _COMMENT.finditer(text, at, limit):
        depth += 1 if mark[0] == "/*" else -1
        if depth == 0:
            return mark.end()
    return -1


def predicate_end(text: str, start: int, limit: int) -> int:
    """Where a partial index's predicate ends: before the line's end, a `}` or a `//` outside a `"..."`."""
    found = _PREDICATE.match(text, start, limit)
    return found.end() if found else start
