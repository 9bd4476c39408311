"""Parsing: the entry points of the syntax room."""

from __future__ import annotations

from atl.source import Anchor, SourceFile
from atl.syntax.lexer import Lexer
from atl.syntax.reading import parse_chunk
from atl.syntax.tree import FileTree, Unit

__all__ = ["parse", "reparse"]


def parse(file: SourceFile) -> FileTree:
    """The tree of a file. Any text gives one, in time linear in its length; nothing is raised."""
    return FileTree(file, _units(file, Lexer(file.text), 0))


def _units(file: SourceFile, lexer: Lexer, at: int) -> list[Unit]:
    text = file.text
    units = []
    while at < len(text):
        lexed = lexer.chunk(at)
        end = at + lexed.end
        units.append(Unit(Anchor(file, at), parse_chunk(text[at:end], lexed), lexed.reach))
        at = end
    return units


def reparse(old: FileTree, file: SourceFile, start: int, old_end: int, new_end: int) -> FileTree:
    """The tree of `file`, which is the old text with [start, old_end) replaced by [start, new_end) of the new one.

    Units outside the edit are the old objects, their anchors moved (`anchor.start`, `anchor.file`). The result equals
    `parse(file)` in all but object identity.
    """
    text = file.text
    shift = new_end - old_end
    units = old.units
    first = next((i for i, unit in enumerate(units) if unit.anchor.start + unit.reach >= start), len(units))
    kept = units[:first]
    behind = {unit.anchor.start + shift: i for i, unit in enumerate(units) if unit.anchor.start >= old_end}
    before = {unit.anchor.start: unit for unit in units[first:] if unit.anchor.start + len(unit.chunk.text) <= start}
    at = kept[-1].anchor.start + len(kept[-1].chunk.text) if kept else 0
    lexer = Lexer(text)
    fresh: list[Unit] = []
    rest: list[Unit] = []
    while at < len(text):
        if at >= new_end and at in behind:
            rest = units[behind[at] :]
            break
        lexed = lexer.chunk(at)
        end = at + lexed.end
        chunk_text = text[at:end]
        same = before.get(at)
        if same is not None and same.chunk.text == chunk_text:
            # What follows it is another text now: when it had a look at that, its findings may be others.
            alone = same.reach == lexed.reach <= len(chunk_text)
            fresh.append(same if alone else Unit(same.anchor, same.chunk, lexed.reach))
        else:
            fresh.append(Unit(Anchor(file, at), parse_chunk(chunk_text, lexed), lexed.reach))
        at = end
    for unit in kept:
        unit.anchor.file = file
    for unit in fresh:
        unit.anchor.file = file
    for unit in rest:
        unit.anchor.file = file
        unit.anchor.start += shift
    return FileTree(file, [*kept, *fresh, *rest])
