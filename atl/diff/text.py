"""Model values as people write them in a `.atl` file, and SQL in the form in which it is compared."""

from __future__ import annotations

from functools import lru_cache

from atl.postgres.expression import canonical_expression
from atl.schema import model as m
from atl.schema.facts import value_text

__all__ = [
    "argument_text",
    "canonical",
    "default_meaning",
    "default_text",
    "index_text",
    "reference_text",
]


@lru_cache(maxsize=1 << 14)
def canonical(sql: str) -> str:
    """SQL as it is compared: PostgreSQL's parse tree as text; "" stays "". The two sides of a comparison, and the
    objects made of them, ask for mostly the same texts."""
    return canonical_expression(sql) if sql else ""


def default_text(value: m.Value | None) -> str:
    """A default as written, "" without one."""
    return "" if value is None else value_text(value)


def default_meaning(value: m.Value | None) -> m.Value | None:
    """A default, equal for two that mean the same: SQL that a plain default would have been is that one."""
    return _plain(canonical(value.text)) if value is not None and value.kind == "raw" else value


def _plain(text: str) -> m.Value:
    """text: canonical."""
    import json

    if text == canonical("now()"):
        return m.Value("now", "")
    match json.loads(text) if text.startswith('{"A_Const"') else {}:
        case {"A_Const": {"sval": constant}}:
            return m.Value("string", constant.get("sval", ""))
        case {"A_Const": {"boolval": constant}}:
            return m.Value("boolean", "true" if constant else "false")
        case {"A_Const": {"ival": constant}}:
            return m.Value("integer", str(constant.get("ival", 0)))
        case {"A_Const": {"fval": {"fval": digits}}} if digits.lstrip("-").isdecimal():
            return m.Value("integer", digits)
        case _:
            return m.Value("raw", text)


def reference_text(reference: m.Reference | None) -> str:
    if reference is None:
        return ""
    text = f"references {reference.entity}.{reference.field}"
    if reference.on_delete:
        text += f" on delete {reference.on_delete}"
    if reference.on_update:
        text += f" on update {reference.on_update}"
    return text


def index_text(index: m.Index) -> str:
    """The columns or expressions of an index without direction, as a change's member."""
    return ", ".join(column.field or column.expression for column in index.columns)


def argument_text(arguments: tuple[m.Argument, ...]) -> str:
    """A call's arguments, by name."""
    parts = []
    for argument in sorted(arguments, key=lambda a: a.name):
        value = f"${argument.parameter}" if argument.parameter else default_text(argument.value)
        parts.append(f"{argument.name}: {value}")
    return ", ".join(parts)
