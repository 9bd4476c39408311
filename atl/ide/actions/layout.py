"""One member a line, or all on one: what the formatter then keeps."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from atl.check.mending import indentation
from atl.ide.actions.model import Action, Spot
from atl.ide.places import span_in
from atl.ide.rename import TextEdit
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse
from atl.syntax.tree import Unit
from atl.syntax.walk import walk

__all__ = ["joined", "wrapped"]

_WIDEST = 100
"""Columns of a line, as the formatter has them."""


_PIECE = re.compile(r"\w+|[^\w\s,]")


class _Block(NamedTuple):
    """open, close: offsets of the brackets. comma: what stands between two items. whole: a declaration's, which the
    formatter never puts on one line."""

    open: int
    close: int
    items: Sequence[n.Node]
    comma: str
    whole: bool = False


def wrapped(spot: Spot) -> Iterator[Action]:
    block = _block(spot)
    if block is None or spot.unit is None:
        return
    text = spot.unit.chunk.text
    if "\n" in text[block.open : block.close]:
        return
    outer = indentation(text, block.open)
    line = f"{spot.newline}{outer}  "
    yield from _action(
        spot, spot.unit, block, "put each of these on a line of its own", line, block.comma + line, spot.newline + outer
    )


def joined(spot: Spot) -> Iterator[Action]:
    block = _block(spot)
    if block is None or spot.unit is None or block.whole:
        return
    text = spot.unit.chunk.text
    if "\n" not in text[block.open : block.close] or any("\n" in text[i.start : i.end] for i in block.items):
        return
    edge = "" if text[block.open] == "(" else " "
    between = f"{block.comma} " if block.comma else "  "
    start = text.rfind("\n", 0, block.open) + 1
    width = block.open + 2 - start + sum(i.end - i.start for i in block.items) + len(between) * (len(block.items) - 1)
    if width + 2 * len(edge) <= _WIDEST:
        yield from _action(spot, spot.unit, block, "join into one line", edge, between, edge)


def _action(spot: Spot, unit: Unit, block: _Block, title: str, first: str, between: str, last: str) -> Iterator[Action]:
    """Comments stay where they are, so there must be none between the items; and nothing may come to mean another
    thing, such as a check that begins its line."""
    text = unit.chunk.text
    edges = [block.open + 1, *(offset for item in block.items for offset in (item.start, item.end)), block.close]
    gaps = list(zip(edges[::2], edges[1::2], strict=True))
    if any(text[start:end].replace(",", " ").strip() for start, end in gaps):
        return
    new = [first, *[between] * (len(gaps) - 2), last]
    edits = [
        TextEdit(span_in(unit, start, end), piece)
        for (start, end), piece in zip(gaps, new, strict=True)
        if text[start:end] != piece
    ]
    after = text
    for (start, end), piece in reversed(list(zip(gaps, new, strict=True))):
        after = after[:start] + piece + after[end:]
    if edits and _shape(after) == _shape(text):
        yield Action(title, "refactor.rewrite", {spot.path: edits})


def _shape(text: str) -> list[tuple[object, ...]]:
    """What a declaration says, without where."""
    found: list[tuple[object, ...]] = []
    for unit in parse(SourceFile("", text)).units:
        found += [(finding.code,) for finding in unit.chunk.raw]
        for decl in unit.chunk.declarations:
            for node in walk(decl):
                name = getattr(node, "name", None)
                leaf = not isinstance(node, n.Decl | n.Args | n.State | n.Input | n.Output | n.Steps | n.Step)
                written = _PIECE.findall(unit.chunk.text, node.start, node.end) if leaf else ()
                found.append((type(node), name.text if isinstance(name, n.Name) else "", *written))
    return found


def _block(spot: Spot) -> _Block | None:
    """The innermost list of members around the cursor that has several."""
    if spot.unit is None or spot.decl is None:
        return None
    text = spot.unit.chunk.text
    best = _body(spot.decl, spot.at)
    for node in walk(spot.decl):
        if not spot.touches(node):
            continue
        items: Sequence[n.Node]
        match node:
            case n.Args() | n.State():
                items, comma, bracket = node.fields, "", "{"
            case n.Input():
                items, comma, bracket = node.params, ",", "{"
            case n.Output() if node.params is not None:
                items, comma, bracket = node.params, ",", "{"
            case n.StepArgs():
                items, comma, bracket = node.args, ",", "{"
            case n.Insert():
                items, comma, bracket = node.sets, ",", "{"
            case n.Enqueue():
                items, comma, bracket = node.args, ",", "("
            case _:
                continue
        opened = text.find(bracket, node.start, items[0].start) if items else -1
        if opened >= 0 and len(items) > 1 and text[node.end - 1] in "})":
            best = _Block(opened, node.end - 1, items, comma)
    return best


def _body(decl: n.Declaration, at: int) -> _Block | None:
    """The members of the declaration itself."""
    items: Sequence[n.Node]
    match decl:
        case n.EntityDecl() | n.EphemeralDecl():
            items, comma = decl.members, ""
        case n.EnumDecl():
            items, comma = decl.labels, ","
        case n.JobDecl():
            items, comma = decl.clauses, ""
        case _:
            return None
    closed = 0 <= decl.open < decl.close and len(items) > 1
    return _Block(decl.open, decl.close, items, comma, True) if closed else None
