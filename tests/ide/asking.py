"""A workspace from texts with a cursor `<|>` in one of them, and answers as text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from atl.ide.places import Location
from atl.source import Span
from atl.workspace.live import Workspace

CURSOR = "<|>"


def at(texts: Mapping[str, str] | str) -> tuple[Workspace, str, int]:
    """The workspace, the path and the offset of the cursor."""
    files = {"main.atl": texts} if isinstance(texts, str) else dict(texts)
    (path,) = (path for path, text in files.items() if CURSOR in text)
    offset = files[path].index(CURSOR)
    files[path] = files[path].replace(CURSOR, "", 1)
    return Workspace.in_memory(files), path, offset


def shown(workspace: Workspace, path: str, spans: Iterable[Span]) -> str:
    """A file's text with spans in `[...]`."""
    source = workspace.source(path)
    text = source.text if source is not None else ""
    for start, end in sorted(set(spans), reverse=True):
        text = f"{text[:start]}[{text[start:end]}]{text[end:]}"
    return text


def marked(workspace: Workspace, locations: Iterable[Location]) -> dict[str, str]:
    """The lines with spans in them, by path."""
    by_path: dict[str, list[Span]] = {}
    for location in locations:
        by_path.setdefault(location.path, []).append(location.span)
    return {
        path: " / ".join(line.strip() for line in shown(workspace, path, spans).splitlines() if "[" in line)
        for path, spans in sorted(by_path.items())
    }
