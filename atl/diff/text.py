"""Model values as people write them in a `.atl` file, and SQL in the form in which it is compared."""

from __future__ import annotations

from atl.postgres.expression import canonical_expression
from atl.schema import model as m
from atl.schema.symbols import Type
from atl.schema.types import spelled

__all__ = ["argument_text", "canonical", "default_text", "duration_text", "index_text", "reference_text", "type_text"]


def type_text(kind: Type) -> str:
    return spelled(kind)


def canonical(sql: str, renamed: dict[str, str] | None = None) -> str:
    """SQL as it is compared: PostgreSQL's parse tree as text, columns under their new names; "" stays ""."""
    return canonical_expression(sql, renamed) if sql else ""


def default_text(value: m.Value | None) -> str:
    """A default as written; equal for two that mean the same."""
    if value is None:
        return ""
    match value.kind:
        case "string":
            return '"' + value.text.replace("\\", "\\\\").replace('"', '\\"') + '"'
        case "now":
            return "now()"
        case "raw":
            return f'raw "{canonical(value.text)}"'
        case _:
            return value.text


def reference_text(reference: m.Reference | None) -> str:
    if reference is None:
        return ""
    text = f"references {reference.entity}.{reference.field}"
    if reference.on_delete:
        text += f" on delete {reference.on_delete}"
    if reference.on_update:
        text += f" on update {reference.on_update}"
    return text


def duration_text(ms: int | None) -> str:
    """A duration in its largest whole unit; `none` for None."""
    if ms is None:
        return "none"
    for unit, size in (("d", 86_400_000), ("h", 3_600_000), ("m", 60_000), ("s", 1_000)):
        if ms and ms % size == 0:
            return f"{ms // size}{unit}"
    return f"{ms}ms"


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
