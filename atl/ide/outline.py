"""The shape of a file: symbols, folding, selection, links."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from atl.closed import assert_never
from atl.ide.places import Cursor, cursor, included, span_in
from atl.schema.symbols import EntitySymbol, EnumSymbol, JobSymbol, Symbol
from atl.schema.types import spelled, type_of
from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.tree import Unit
from atl.syntax.walk import walk

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = [
    "DocumentLink",
    "Fold",
    "OutlineSymbol",
    "WorkspaceSymbol",
    "document_links",
    "document_symbols",
    "folding",
    "selection",
    "workspace_symbols",
]


class OutlineSymbol(NamedTuple):
    """kind: as `schema.targets.Target`, and `index`, `clause`. span: the name, inside `full`."""

    name: str
    kind: str
    detail: str
    span: Span
    full: Span
    children: tuple[OutlineSymbol, ...] = ()


class WorkspaceSymbol(NamedTuple):
    """container: the namespace, or a member's declaration."""

    name: str
    kind: str
    container: str
    path: str
    span: Span


class Fold(NamedTuple):
    """From behind an opening brace to before its closing one, or a run of comment lines. kind: `region`, `comment`."""

    span: Span
    kind: str


class DocumentLink(NamedTuple):
    """path: of a file or folder, absolute; it need not exist."""

    span: Span
    path: str


@included
def document_symbols(workspace: Workspace, path: str) -> list[OutlineSymbol]:
    """The declarations of a file with their members, in the order of the text."""
    tree = workspace.tree(path)
    found: list[OutlineSymbol] = []
    for unit in tree.units if tree is not None else ():
        for decl in unit.chunk.declarations:
            head = _head(decl)
            if head is None:
                continue
            kind, detail = head
            children = tuple(_symbol(unit, member) for member in _members(decl))
            name = decl.name
            span = span_in(unit, name.start, name.end) if name is not None else span_in(unit, decl.start, decl.start)
            full = span_in(unit, decl.start, decl.end)
            found.append(OutlineSymbol(name.text if name is not None else kind, kind, detail, span, full, children))
    return found


def _head(decl: n.Declaration) -> tuple[str, str] | None:
    """Kind and detail."""
    match decl:
        case n.QueryDecl() | n.ProcedureDecl():
            kind = "query" if type(decl) is n.QueryDecl else "procedure"
            return kind, f"for {_ref(decl.owner)}" if decl.owner is not None else ""
        case n.BrokenDecl() if decl.name is None:
            return None
        case _:
            return _KINDS[type(decl)], f"in {decl.namespace.text}" if decl.namespace is not None else ""


_KINDS: dict[type[n.Node], str] = {
    n.EntityDecl: "entity",
    n.EnumDecl: "enum",
    n.JobDecl: "job",
    n.WorkflowDecl: "workflow",
    n.EphemeralDecl: "ephemeral",
    n.BrokenDecl: "entity",
}


class _Member(NamedTuple):
    name: str
    kind: str
    detail: str
    node: n.Node
    where: tuple[int, int]


def _symbol(unit: Unit, member: _Member) -> OutlineSymbol:
    full = span_in(unit, member.node.start, max(member.node.end, member.where[1]))
    return OutlineSymbol(member.name, member.kind, member.detail, span_in(unit, *member.where), full)


def _ref(ref: n.Ref) -> str:
    return ref.name.text if ref.namespace is None else f"{ref.namespace.text}.{ref.name.text}"


def _named(name: n.Name, kind: str, detail: str, node: n.Node) -> _Member:
    return _Member(name.text, kind, detail, node, (name.start, name.end))


def _members(decl: n.Declaration) -> Iterator[_Member]:
    match decl:
        case n.EntityDecl():
            for member in decl.members:
                match member:
                    case n.Field():
                        yield _named(member.name, "field", _type(member.type), member)
                    case n.Relation():
                        yield _named(member.name, "relation", f"{member.kind} {member.target.text}", member)
                    case n.EntityCheck():
                        name = member.name
                        where = (name.start, name.end) if name is not None else (member.sql.start, member.sql.end)
                        yield _Member(
                            name.text if name is not None else "check", "check", member.sql.value, member, where
                        )
                    case n.Index():
                        columns = [
                            column.field.text if column.field is not None else "expr" for column in member.columns
                        ]
                        text = f"{'unique ' if member.unique else ''}index {', '.join(columns)}"
                        yield _Member(
                            text, "index", "partial" if member.predicate else "", member, (member.start, member.end)
                        )
                    case n.HnswIndex() | n.GinIndex():
                        kind = "hnsw" if type(member) is n.HnswIndex else "gin"
                        yield _Member(f"index {member.field.text}", "index", kind, member, (member.start, member.end))
                    case _:
                        pass
        case n.EphemeralDecl():
            for part in decl.members:
                if type(part) is n.Field:
                    yield _named(part.name, "field", _type(part.type), part)
        case n.EnumDecl():
            for label in decl.labels:
                yield _Member(label.text or '""', "label", "", label, (label.start, label.end))
        case n.JobDecl():
            for clause in decl.clauses:
                if type(clause) is n.Args:
                    for field in clause.fields:
                        yield _named(field.name, "argument", _type(field.type), field)
        case n.WorkflowDecl():
            for piece in decl.parts:
                match piece:
                    case n.State():
                        for field in piece.fields:
                            yield _named(field.name, "state", _type(field.type), field)
                    case n.Step():
                        yield _named(piece.name, "step", _job(piece), piece)
                    case n.Compensate():
                        yield _named(piece.step, "compensation", _job(piece), piece)
        case n.QueryDecl() | n.ProcedureDecl():
            for each in decl.parts:
                if type(each) is n.Input or type(each) is n.Output:
                    kind = "input" if type(each) is n.Input else "output"
                    for param in each.params or ():
                        yield _named(param.name, kind, _type(param.type), param)
        case n.BrokenDecl():
            pass
        case _:
            assert_never(decl)


def _type(ref: n.TypeRef | None) -> str:
    return "" if ref is None else spelled(type_of(ref, "")) or ref.name.text


def _job(step: n.Step | n.Compensate) -> str:
    return next((_ref(part.job) for part in step.parts if type(part) is n.JobUse), "")


# ---------------------------------------------------------------- the workspace


def workspace_symbols(workspace: Workspace, query: str, limit: int = 200) -> list[WorkspaceSymbol]:
    """Declarations and fields whose name has the query's letters in their order, the best first. A query with a point
    is compared with `namespace.Name`."""
    from heapq import nsmallest

    wanted = [char for char in query.lower() if not char.isspace()]
    matches = re.compile(".*?".join(map(re.escape, wanted)), re.S).search
    typed, qualified = "".join(wanted), "." in query
    found: list[tuple[int, int, str, str, int, str, str]] = []
    for each in workspace.index:
        base, path = each.anchor.start, each.anchor.file.path
        for name, kind, container, start in _names(each.symbol):
            text = f"{container}.{name}" if qualified else name
            if matches(text.lower()) is not None:
                found.append((_rank(text, typed), len(text), name, path, base + start, kind, container))
    return [
        WorkspaceSymbol(name, kind, container, path, Span(start, start + len(name)))
        for _, _, name, path, start, kind, container in nsmallest(limit, found)
    ]


def _names(symbol: Symbol) -> Iterator[tuple[str, str, str, int]]:
    """Name, kind, container and start of the declaration and its members."""
    match symbol:
        case EntitySymbol():
            kind, members, member_kind = "entity", symbol.fields, "field"
        case JobSymbol():
            kind, members, member_kind = "job", symbol.args, "argument"
        case EnumSymbol():
            kind, members, member_kind = "enum", (), ""
        case _:
            kind, members, member_kind = symbol.kind, (), ""
    if symbol.name and kind != "broken":
        yield symbol.name, kind, symbol.namespace, symbol.span.start
    id = f"{symbol.namespace}.{symbol.name}" if members else ""
    for field in members:
        yield field.name, member_kind, id, field.span.start


def _rank(text: str, query: str) -> int:
    """How well a text that has the letters fits, the best being 0."""
    lowered = text.lower()
    if not query:
        return 0
    if lowered == query:
        return 0
    if lowered.startswith(query):
        return 1
    starts = "".join(char for at, char in enumerate(text) if at == 0 or char.isupper() or text[at - 1] in "_.").lower()
    if starts.startswith(query):
        return 2
    return 3 if query in lowered else 4


# ---------------------------------------------------------------- folding and selection


@included
def folding(workspace: Workspace, path: str) -> list[Fold]:
    """Blocks and runs of comment lines that take more than a line, by where they begin."""
    tree = workspace.tree(path)
    found: list[Fold] = []
    comments: list[Span] = []
    for unit in tree.units if tree is not None else ():
        text = unit.chunk.text
        for start, end in _pairs(text, "{", "}"):
            if "\n" in text[start + 1 : end - 1]:
                found.append(Fold(span_in(unit, start + 1, end - 1), "region"))
        comments += [span_in(unit, c.start, c.end) for c in unit.chunk.comments if c.own_line]
    run: list[Span] = []
    for span in [*comments, None]:
        assert tree is not None or span is None
        text = tree.file.text if tree is not None else ""
        if run and (span is None or text[run[-1].end : span.start].count("\n") != 1):
            whole = Span(run[0].start, run[-1].end)
            if "\n" in text[whole.start : whole.end]:
                found.append(Fold(whole, "comment"))
            run = []
        if span is not None:
            run.append(span)
    return sorted(found)


def _pairs(text: str, opening: str, closing: str) -> Iterator[tuple[int, int]]:
    """Brackets that belong together, from the opening one to behind the closing one; not those inside SQL."""
    from atl.syntax.lexer import tokens

    waiting: list[int] = []
    for token in tokens(text):
        if token.text == opening:
            waiting.append(token.start)
        elif token.text == closing and waiting:
            yield waiting.pop(), token.end


@included
def selection(workspace: Workspace, path: str, offset: int) -> list[Span]:
    """Spans around an offset, each inside the next one; the last is the whole text. Of very many the innermost."""
    source = workspace.source(path)
    if source is None:
        return []
    whole = Span(0, len(source.text))
    here = cursor(workspace, path, offset)
    if here is None:
        return [whole]
    around = {span_in(here.unit, start, end) for start, end in _around(here) if start <= here.at <= end}
    around.add(span_in(here.unit, 0, len(here.unit.chunk.text)))
    found: list[Span] = []
    for span in sorted(around, key=lambda span: (span.end - span.start, span.start)):
        if span.end > span.start and (not found or (span.start <= found[-1].start and found[-1].end <= span.end)):
            found.append(span)
    return [*[span for span in found if span != whole][:_DEEPEST], whole]


_DEEPEST = 100
"""Spans; the protocol nests each in the one inside it."""


def _around(here: Cursor) -> Iterator[tuple[int, int]]:
    """What may be selected at the cursor, in any order."""
    from atl.postgres import scan
    from atl.syntax.lexer import tokens

    text = here.unit.chunk.text
    for token in tokens(text):
        if not token.start <= here.at <= token.end:
            continue
        yield token.start, token.end
        if token.kind == "string" and len(token.text) > 1:
            yield token.start + 1, token.end - 1
        if token.kind in ("sql", "predicate"):
            stripped = token.text.strip()
            begin = token.start + token.text.find(stripped)
            yield begin, begin + len(stripped)
            waiting: list[int] = []
            for word in scan.tokens(token.text):
                yield token.start + word.start, token.start + word.end
                sign = token.text[word.start]
                if word.kind == "symbol" and sign == "(":
                    waiting.append(word.start)
                elif word.kind == "symbol" and sign == ")" and waiting:
                    start = waiting.pop()
                    yield token.start + start, token.start + word.end
                    yield token.start + start + 1, token.start + word.start
    for opening, closing in ("{}", "()"):
        for start, end in _pairs(text, opening, closing):
            yield start, end
            yield start + 1, end - 1
    if here.decl is not None:
        for node in walk(here.decl):
            yield node.start, node.end


# ---------------------------------------------------------------- tide.yaml


def document_links(root: str, text: str) -> list[DocumentLink]:
    """The folders that a `tide.yaml` in `root` names."""
    import yaml

    try:
        top = yaml.compose(text, yaml.SafeLoader)
    except (yaml.YAMLError, ValueError, RecursionError):
        return []
    found: list[DocumentLink] = []
    for key, value in top.value if isinstance(top, yaml.MappingNode) else ():
        if not isinstance(key, yaml.ScalarNode) or key.value not in ("schema_paths", "output_dir"):
            continue
        for each in value.value if isinstance(value, yaml.SequenceNode) else [value]:
            if isinstance(each, yaml.ScalarNode) and each.value:
                span = Span(each.start_mark.index, each.end_mark.index)
                found.append(DocumentLink(span, posixpath.normpath(posixpath.join(root, each.value))))
    return found
