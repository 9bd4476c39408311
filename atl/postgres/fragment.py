"""A text that is to be one expression: its parse tree, or why it is none."""

from __future__ import annotations

import re
from typing import Any

from atl.postgres.library import Failure, Tree, read
from atl.postgres.problems import SqlProblem, problem
from atl.postgres.scan import tokens
from atl.postgres.text import Text

__all__ = ["expression_tree"]

# The grammar's own place for an expression in brackets. The line end keeps the bracket out of a comment.
_BEFORE, _AFTER = "ALTER TABLE t ADD CHECK (", "\n)"


def expression_tree(text: Text) -> Tree | SqlProblem:
    """The parse tree of a text that is one expression, and nothing that could end it early or swallow what follows.
    Raises TooLarge, RecursionError."""
    problem_ = _shape(text)
    if problem_ is not None:
        return problem_
    wrapped = _BEFORE + text.plain + _AFTER
    tree = read(wrapped)
    if isinstance(tree, Failure):
        position = tree.position - len(_BEFORE)
        if position >= len(text.plain):  # at the bracket that we closed
            return problem(text, Failure("syntax error at end of input", len(text.plain)))
        return problem(text, Failure(tree.message, max(position, 0)))
    found = _only_check(tree)
    if found is None:
        return SqlProblem("this is not one expression", *text.token(0))
    return _shift(found, -len(_BEFORE))


# Without brackets and comments nothing can go wrong there; most fragments are such.
_PLAIN = re.compile(r"(?:[^()/$-]|-(?!-))*")


def _shape(text: Text) -> SqlProblem | None:
    """What the grammar would not mind inside brackets of ours, but must not stand in a fragment."""
    if not text.sql.strip(" \t\n\r\f\v"):
        return SqlProblem("there is no expression", 0, len(text.sql))
    if _PLAIN.fullmatch(text.sql):
        return None
    depth, last = 0, None
    for token in tokens(text.sql):
        letter = text.sql[token.start]
        if token.kind == "symbol":
            depth += (letter == "(") - (letter == ")")
            if depth < 0:
                return SqlProblem('syntax error at or near ")"', token.start, token.end)
        last = token
    if not text.tokens:
        return SqlProblem("there is no expression", 0, len(text.sql))
    if last is not None and last.kind == "line comment" and last.end == len(text.sql):
        return SqlProblem("a comment ends the expression", last.start, last.end)
    return None


def _only_check(tree: Tree) -> Tree | None:
    """The expression, when the text did not break out of the statement around it."""
    match tree.get("stmts"):
        case [{"stmt": {"AlterTableStmt": {"cmds": [{"AlterTableCmd": {"def": {"Constraint": check}}}]}}}]:
            found: Tree | None = check.get("raw_expr")
            return None if check.get("is_no_inherit") or check.get("skip_validation") else found
    return None


def _shift(tree: Tree, by: int) -> Tree:
    """Moves the locations of a tree in place."""
    waiting: list[Any] = [tree]
    while waiting:
        part = waiting.pop()
        if isinstance(part, list):
            waiting += part
        elif isinstance(part, dict):
            if type(part.get("location")) is int:
                part["location"] += by
            waiting += part.values()
    return tree
