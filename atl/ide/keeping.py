"""What a rename has to add in SQL so that what is selected keeps its name, or takes the new one.

A column that is selected without `AS` gives its own name to the result. Where a query's declared outputs or the
statement around relies on that name, the renamed column is selected `as` the old one; where an output is renamed, the
select list has to give the new name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from atl.ide.places import span_in
from atl.ide.renamed import TextEdit
from atl.ide.selected_names import read_items
from atl.ide.spelling import respelled
from atl.ide.use_index import UnitUse
from atl.schema.targets import Target, Use
from atl.syntax import nodes as n
from atl.syntax.tree import Unit
from atl.syntax.walk import walk

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["keeping_names"]


def keeping_names(
    workspace: Workspace, target: Target, new_name: str, uses: Sequence[UnitUse]
) -> Iterator[tuple[str, TextEdit]]:
    """Further edits by path."""
    if target.kind == "field":
        for unit in {each.unit: None for each in uses if each.use.form == "column"}:
            inside = {each.use.start for each in uses if each.unit is unit and each.use.form == "column"}
            for decl in unit.chunk.declarations:
                for sql in _blocks(decl):
                    for edit in _aliased(unit, decl, sql, target, inside):
                        yield unit.anchor.file.path, edit
    elif target.kind == "output":
        for each in uses:
            for decl in each.unit.chunk.declarations:
                if decl.start <= each.use.start <= decl.end:
                    for sql in _blocks(decl):
                        for edit in _output(each, sql, target.member, new_name):
                            yield each.unit.anchor.file.path, edit


def _blocks(decl: n.Declaration) -> Iterator[n.RawSql]:
    for node in walk(decl):
        if type(node) is n.Sql:
            yield node.sql


def _outputs(decl: n.Declaration) -> set[str]:
    parts = decl.parts if type(decl) is n.QueryDecl else ()
    return {param.name.text for part in parts if type(part) is n.Output for param in part.params or ()}


def _aliased(unit: Unit, decl: n.Declaration, sql: n.RawSql, target: Target, columns: set[int]) -> Iterator[TextEdit]:
    """`as old` behind the items that give the old name where something relies on it."""
    if not any(sql.start <= start < sql.end for start in columns):
        return
    name = target.member
    reading = read_items(sql.text)
    declared = name in _outputs(decl)
    aliases = {item.start for item in reading.items if item.kind == "alias"}
    elsewhere = any(
        word == name and sql.start + start not in columns and start not in aliases
        for word, start, _, _ in reading.words
    )
    for item in reading.items:
        relied_on = declared if item.depth == 0 else elsewhere or (declared and "*" in sql.text)
        if relied_on and item.kind == "column" and item.name == name and sql.start + item.start in columns:
            end = sql.start + item.end
            yield TextEdit(span_in(unit, end, end), f" as {sql.text[item.start : item.end]}")


def _output(each: UnitUse, sql: n.RawSql, old: str, new_name: str) -> Iterator[TextEdit]:
    """The select list of a query one of whose outputs is renamed."""
    written = respelled(UnitUse(each.unit, Use(each.use.target, sql.start, sql.start, "column")), new_name)
    assert isinstance(written, str)
    reading = read_items(sql.text)
    replaced = False
    for item in reading.items:
        if item.depth == 0 and item.name == old:
            start, end = sql.start + item.start, sql.start + item.end
            if item.kind == "alias":
                replaced = True
                yield TextEdit(span_in(each.unit, start, end), written)
            else:
                yield TextEdit(span_in(each.unit, end, end), f" as {written}")
    for word, start, end, _ in reading.words:
        if replaced and word == old and start in reading.ordered:
            yield TextEdit(span_in(each.unit, sql.start + start, sql.start + end), written)
