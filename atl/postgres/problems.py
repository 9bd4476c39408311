"""Syntax errors at their tokens, in the words of PostgreSQL's grammar."""

from __future__ import annotations

from atl.postgres.library import Failure
from atl.postgres.text import Text
from atl.records import NamedTuple

__all__ = ["SqlProblem", "problem"]


class SqlProblem(NamedTuple):
    """A syntax error: PostgreSQL's words and the offending token's span (empty behind the last token)."""

    message: str
    start: int
    end: int


def problem(text: Text, failure: Failure) -> SqlProblem:
    """A syntax error at its token in the text as written."""
    at = text.index(failure.position)
    if at == len(text.tokens):
        end = text.tokens[-1].end if text.tokens else 0
        return SqlProblem(failure.message, end, end)
    start, end = text.token(text.tokens[at].start)
    message = failure.message
    near = ' at or near "'
    if near in message:
        # The grammar quotes what it read: a parameter's stand-in, or all the rest of an open string.
        written = text.sql[start:end].split("\n", 1)[0]
        message = message[: message.index(near)] + near + (written if len(written) <= 40 else written[:39] + "…") + '"'
    return SqlProblem(message, start, end)
