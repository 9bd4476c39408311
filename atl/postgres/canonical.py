"""One text for all SQL of one meaning, as far as PostgreSQL's parse tree tells."""

from __future__ import annotations

from typing import Any

from atl.postgres.fragment import expression_tree
from atl.postgres.library import Failure, TooLarge, Tree, read
from atl.postgres.text import Text

__all__ = ["canonical_expression", "canonical_statement"]

# What a tree tells of positions alone.
_POSITIONS = frozenset(
    {
        "location",
        "stmt_location",
        "stmt_len",
        "list_start",
        "list_end",
        "rexpr_list_start",
        "rexpr_list_end",
    }
)


def canonical_expression(sql: str, rename: dict[str, str] | None = None) -> str:
    """A text that is equal for two expressions with equal parse trees (positions apart); columns renamed first.
    The text itself when it does not parse."""
    text = Text(sql)
    try:
        tree = expression_tree(text)
        return sql if not isinstance(tree, dict) else _written(tree, text, rename or {})
    except (TooLarge, RecursionError):
        return sql


def canonical_statement(sql: str) -> str:
    """As `canonical_expression`, for a block; parameters count by name."""
    text = Text(sql)
    try:
        tree = read(text.plain)
        return sql if isinstance(tree, Failure) else _written({"stmts": tree.get("stmts", [])}, text, {})
    except (TooLarge, RecursionError):
        return sql


def _written(tree: Tree, text: Text, rename: dict[str, str]) -> str:
    from json import dumps

    return dumps(_bare(tree, text, rename), sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _bare(part: Any, text: Text, rename: dict[str, str]) -> Any:
    """A copy without positions, with parameters by name and columns by their new names."""
    if isinstance(part, list):
        return [_bare(item, text, rename) for item in part]
    if not isinstance(part, dict):
        return part
    if "ParamRef" in part:
        start, end = text.token(text.at(part["ParamRef"].get("location", 0)))
        return {"ParamRef": text.sql[start:end]}
    if "ColumnRef" in part:
        names = [field.get("String", {}).get("sval", "*") for field in part["ColumnRef"]["fields"]]
        return {"ColumnRef": [*names[:-1], rename.get(names[-1], names[-1])]}
    return {key: _bare(value, text, rename) for key, value in part.items() if key not in _POSITIONS}
