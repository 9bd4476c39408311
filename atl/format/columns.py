"""Items to lines: indentation, columns, line breaks, comments that line up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from atl.closed import assert_never
from atl.format.items import LIMIT, Block, Item, Kind, Part, Remark, Row, is_directive

__all__ = ["lines"]

_NAME_LIMIT = 32
_TYPE_LIMIT = 24
"""A wider name or type stands in its column, but does not widen it for the others."""
_UNPADDED_CLAUSE = "visible_to"


class _Line(NamedTuple):
    """A line of a run; with a comment but no code it is the comment's own."""

    code: str
    comment: str


class _Widths(NamedTuple):
    """What a run's rows have in common. name and type are a field's, word is that of a job's clause, each without the
    space behind it; 0 where nothing lines up."""

    name: int
    type: int
    word: int


def lines(block: Block, level: int = 0) -> Iterator[str]:
    """The lines of a block, without their ends. Comments and raw SQL hold line ends of their own."""
    indent = 2 * level
    first, *further = block.head
    head = list(_filled(" " * indent + first.atoms[0], first.atoms[1:], first.comment, indent + 4))
    head += [line for part in further for line in _part(part, indent + 4)]
    *others, last = map(_commented, head)
    yield from others
    if block.verbatim is None:
        yield last
        yield from _body(block.body, level + 1)
        foot = " " * indent + block.foot
    else:
        foot = last + block.verbatim + block.foot
    yield _commented(_Line(foot, block.foot_comment))


def _body(items: Sequence[Item], level: int) -> Iterator[str]:
    run: list[Row] = []
    for k, item in enumerate(items):
        if item.blank and k:
            yield from _run(run, 2 * level)
            run = []
            yield ""
        if type(item) is Row:
            run.append(item)
            if all(part.atoms for part in item.parts):
                continue
        yield from _run(run, 2 * level)
        run = []
        if type(item) is Remark:
            yield " " * (2 * level) + item.text
        elif type(item) is Block:
            yield from lines(item, level)
    yield from _run(run, 2 * level)


def _run(rows: list[Row], indent: int) -> Iterator[str]:
    """Rows that stand together: no blank line, comment line or block between them."""
    widths = _widths(rows)
    found = [line for row in rows for line in _row(row, widths, indent)]
    column = max((len(line.code) for line in found if line.code and line.comment), default=0)
    for line in found:
        yield f"{line.code:<{column}}  {line.comment}" if line.code and line.comment else line.code or line.comment


def _widths(rows: list[Row]) -> _Widths:
    names: list[int] = []
    types: list[int] = []
    words: list[int] = []
    for row in rows:
        atoms = row.parts[0].atoms
        if row.kind is Kind.FIELD:
            names.append(len(atoms[0]))
            if len(atoms) > 1:
                types.append(len(atoms[1]))
        elif row.kind is Kind.CLAUSE and not atoms[0].endswith(_UNPADDED_CLAUSE):
            words.append(len(atoms[0]))
    return _Widths(
        max((width for width in names if width <= _NAME_LIMIT), default=0),
        max((width for width in types if width <= _TYPE_LIMIT), default=0),
        max(words) + 1 if len(words) > 1 else 0,
    )


def _row(row: Row, widths: _Widths, indent: int) -> Iterator[_Line]:
    first = row.parts[0]
    start, atoms = " " * indent + first.atoms[0], first.atoms[1:]
    further = indent + 4
    match row.kind:
        case Kind.PLAIN:
            pass
        case Kind.CLAUSE:
            start, atoms = f"{start:<{indent + widths.word}} {atoms[0]}", atoms[1:]
        case Kind.FIELD:
            start = f"{start:<{indent + widths.name}}"
            # Right of the name, wherever a comment has pushed it: further left a modifier would be a member.
            further = max(len(start) + 3, indent + row.before + 2)
            if atoms:
                start, atoms = f"{start} {atoms[0]}", atoms[1:]
            if atoms:
                start = f"{start:<{indent + widths.name + 1 + widths.type}}"
        case _:
            assert_never(row.kind)
    yield from _filled(start, atoms, first.comment, further)
    for part in row.parts[1:]:
        yield from _part(part, further)


def _part(part: Part, indent: int) -> Iterator[_Line]:
    if part.atoms:
        yield from _filled(" " * indent + part.atoms[0], part.atoms[1:], part.comment, indent)
    else:
        yield _Line("", " " * indent + part.comment)


def _filled(line: str, atoms: Sequence[str], comment: str, further: int) -> Iterator[_Line]:
    """Atoms after the beginning of a line, on as many lines as they need."""
    for atom in atoms:
        if len(line) + 1 + len(atom) <= LIMIT or is_directive(comment):
            line += " " + atom
        else:
            yield _Line(line.rstrip(" "), "")
            line = " " * further + atom
    yield _Line(line.rstrip(" "), comment)


def _commented(line: _Line) -> str:
    return f"{line.code}  {line.comment}" if line.code and line.comment else line.code or line.comment
