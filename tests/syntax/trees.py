"""Trees and findings as plain data, to compare and to print."""

from __future__ import annotations

from typing import Any

from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse
from atl.syntax.tree import FileTree

__all__ = ["as_data", "everything", "marked", "outline", "tree"]


def tree(text: str) -> FileTree:
    return parse(SourceFile("main.atl", text))


def fields_of(node: n.Node) -> list[str]:
    return list(type(node).__match_args__)


def as_data(value: object) -> Any:
    """A node as (class, (field, value), ...), lists and tuples as tuples."""
    if isinstance(value, n.Node):
        return (type(value).__name__, *((name, as_data(getattr(value, name))) for name in fields_of(value)))
    if isinstance(value, (list, tuple)):
        return tuple(as_data(each) for each in value)
    return value


def everything(file: FileTree) -> list[Any]:
    """All that parsing gives: for each unit its place, reach, text, trees, comments and findings."""
    return [
        (unit.anchor.start, unit.reach, unit.chunk.text, *(as_data(part) for part in unit.chunk[1:]))
        for unit in file.units
    ]


def outline(value: object) -> str:
    """A node in one line without spans, for tests that say what is read as what."""
    match value:
        case n.Name():
            return value.text
        case n.Node():
            skipped = ("start", "end", "open", "close", "args_end", "lost", "word")
            if isinstance(value, n.Flag):
                return value.word
            parts = [outline(getattr(value, name)) for name in fields_of(value) if name not in skipped]
            return f"{type(value).__name__}({', '.join(parts)})"
        case list():
            return f"[{', '.join(outline(each) for each in value)}]"
        case _:
            return repr(value)


def marked(file: FileTree) -> set[tuple[int, str]]:
    """The parser's findings as (line, code)."""
    found = [finding for unit in file.units for finding in unit.findings()]
    return {(file.file.lines.position(f.place.span.start)[0], f.code) for f in found}
