"""Syntax errors at their tokens, in the words of PostgreSQL's grammar."""

from __future__ import annotations

from typing import NamedTuple

from atl.postgres.library import Failure
from atl.postgres.text import Text

__all__ = ["SqlProblem", "problem"]


class SqlProblem(NamedTuple):
    """A syntax error: PostgreSQL's words and the offending token's span (empty behind the last token)."""

    message: str
    start: int
    end: int


def problem(text: Text, failure: Failure) -> SqlProblem:
    """A syntax error at its token in the text as written."""
    start, end = text.token(failure.position)
    if failure.position > start and text.index(failure.position) == len(text.tokens):
        return SqlProblem(failure.message, start, end)
    message = failure.message
    near = ' at or near "'
    if near in message:
        # The grammar quotes what it read: a parameter's stand-in, or all the rest of an open string.
        written = text.sql[start:end].split("\n", 1)[0]
        message = message[: message.index(near)] + near + (written if len(written) <= 40 else written[:39] + "…") + '"'
    return SqlProblem(message, start, end)
