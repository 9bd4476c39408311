"""What an `sql` block does, as PostgreSQL's grammar reads it."""

from __future__ import annotations

from atl.postgres.binder import Binder, Merged, Target
from atl.postgres.library import Failure, TooLarge, Tree, read
from atl.postgres.problems import SqlProblem, problem
from atl.postgres.scopes import Columns, Output, Reference, Resolver, TableSource, visible
from atl.postgres.text import Text
from atl.records import NamedTuple

__all__ = [
    "ColumnProblem",
    "Columns",
    "Forbidden",
    "Parsed",
    "Selected",
    "SqlProblem",
    "Table",
    "TableColumn",
    "column_uses",
    "parse",
    "qualifiers",
    "selected",
    "selected_names",
    "unknown_columns",
]


class Table(NamedTuple):
    """A table that a statement names: not a WITH name in its scope, a function, an alias of `FOR UPDATE OF`, or the
    target of SELECT INTO. Names are as PostgreSQL folds them. The span is that of the (qualified) name as written.

    written: the statement inserts into, updates, deletes from, merges into, truncates or locks it.
    """

    schema: str | None
    name: str
    start: int
    end: int
    written: bool


class Forbidden(NamedTuple):
    """A call or statement that no block, or no query, may hold. kind: `set_config`; `write` (INSERT, UPDATE, DELETE,
    MERGE, TRUNCATE, LOCK, NOTIFY, CALL, also in WITH); `explain`; `ddl` (SELECT INTO too); `session` (SET, DO, COPY,
    BEGIN, ...: what acts on more than the rows of this transaction). word: as in "the statement is `word`"."""

    kind: str
    word: str
    start: int
    end: int


class Parsed(NamedTuple):
    """A block. error: then the rest is empty. statements: how many; extra: where the second begins, or None.

    tree: what this package alone understands. None without an error: the block is too large or too deeply nested to
    be read, and nothing may be concluded from what is empty here.
    """

    error: SqlProblem | None
    statements: int = 0
    extra: tuple[int, int] | None = None
    tables: tuple[Table, ...] = ()
    forbidden: tuple[Forbidden, ...] = ()
    tree: object = None


class ColumnProblem(NamedTuple):
    """A column that certainly does not exist, or is `ambiguous`: then candidates are what would tell it apart, `t` for
    `t.x`.

    relation: it is not the column but what stands before it, `x` of `x.id`, that nothing in scope is called.
    tables: the tables in scope that were searched, as named in the SQL; candidates: all names it could have been.
    """

    name: str
    start: int
    end: int
    tables: tuple[tuple[str | None, str], ...]
    relation: bool = False
    candidates: tuple[str, ...] = ()
    ambiguous: bool = False


class TableColumn(NamedTuple):
    """A column of a table, named anywhere in a block. table: (schema, name) as in the SQL. The span is that of the
    column's own name."""

    name: str
    start: int
    end: int
    table: tuple[str | None, str]


class Selected(NamedTuple):
    """A selected column. name: None when PostgreSQL has no name for it (`?column?`). The span is the first token of
    its item in the select list (of `*`, for all that it stands for)."""

    name: str | None
    start: int
    end: int


class _Bound(NamedTuple):
    text: Text
    binder: Binder
    outputs: list[Output]


def parse(sql: str) -> Parsed:
    """Parse a block. Never raises, whatever the text (also NUL, lone surrogates, deep nesting)."""
    text = Text(sql)
    try:
        tree = read(text.plain)
        if isinstance(tree, Failure):
            return Parsed(problem(text, tree))
        statements = tree.get("stmts", ())
        binder = Binder()
        outputs = [binder.statement(statement["stmt"]) for statement in statements]
    except (TooLarge, RecursionError):
        return Parsed(None)
    starts = [text.token(text.at(statement.get("stmt_location", 0))) for statement in statements]
    return Parsed(
        None,
        len(statements),
        starts[1] if len(starts) > 1 else None,
        tuple(sorted((_table(text, *table) for table in binder.tables), key=lambda table: table.start)),
        tuple(sorted(_forbidden(text, binder, statements, starts), key=lambda found: found.start)),
        _Bound(text, binder, outputs),
    )


def _table(text: Text, schema: str | None, name: str, location: int, written: bool) -> Table:
    spans = text.names(text.at(location), 3)
    return Table(schema, name, spans[0][0], spans[-1][1], written)


# Statements by the name of their node, which are neither reads nor DDL.
_WRITES = {"TruncateStmt": "TRUNCATE", "LockStmt": "LOCK", "NotifyStmt": "NOTIFY", "CallStmt": "CALL"}
_READS = frozenset({"SelectStmt", "ExplainStmt", "VariableShowStmt"})
_BOUND_WRITES = frozenset({"InsertStmt", "UpdateStmt", "DeleteStmt", "MergeStmt"})
_SESSION = frozenset(
    {
        "CheckPointStmt",
        "ClosePortalStmt",
        "ConstraintsSetStmt",
        "CopyStmt",
        "DeallocateStmt",
        "DeclareCursorStmt",
        "DiscardStmt",
        "DoStmt",
        "ExecuteStmt",
        "FetchStmt",
        "ListenStmt",
        "LoadStmt",
        "PrepareStmt",
        "TransactionStmt",
        "UnlistenStmt",
        "VacuumStmt",
        "VariableSetStmt",
    }
)


def _forbidden(text: Text, binder: Binder, statements: list[Tree], starts: list[tuple[int, int]]) -> list[Forbidden]:
    found = []
    for call in binder.calls:
        if call.names in (("set_config",), ("pg_catalog", "set_config")):
            spans = text.names(text.at(call.location), 2)
            found.append(Forbidden("set_config", "set_config", spans[0][0], spans[-1][1]))
    for write in binder.writes:
        found.append(Forbidden("write", write.kind, *_keyword(text, write.kind, text.at(write.location))))
    for location in binder.into:
        found.append(Forbidden("ddl", "SELECT INTO", *_keyword(text, "INTO", text.at(location))))
    for statement, (start, end) in zip(statements, starts, strict=True):
        (kind,) = statement["stmt"]
        if kind == "ExplainStmt" and not found:
            found.append(Forbidden("explain", "EXPLAIN", start, end))
        if kind in _READS or kind in _BOUND_WRITES:
            continue
        if kind in _WRITES:
            found.append(Forbidden("write", _WRITES[kind], start, end))
        else:
            word = text.sql[start:end].upper()
            found.append(Forbidden("session" if kind in _SESSION else "ddl", word, start, end))
    return found


def _keyword(text: Text, word: str, offset: int) -> tuple[int, int]:
    """The span of the last such keyword before an offset."""
    at = text.index(offset)
    while at > 0 and text.word(at) != word.lower():
        at -= 1
    return text.tokens[at][1:3]


def unknown_columns(parsed: Parsed, columns: Columns) -> list[ColumnProblem]:
    """Columns named that no table, alias, WITH query, subquery or function in scope can have, or that several have.
    Where anything in scope is not known for certain, nothing is reported of it. System columns and whole-row
    references are known."""
    if not isinstance(parsed.tree, _Bound):
        return []
    text, binder, _ = parsed.tree
    resolver = Resolver(columns)
    try:
        found = [
            *(problem for r in binder.references if (problem := _judged(text, resolver, r)) is not None),
            *(p for target in binder.targets if (p := _unknown_target(text, resolver, target)) is not None),
            *(p for merged in binder.merged if (p := _unknown_merged(text, resolver, merged)) is not None),
        ]
    except RecursionError:
        return []
    return sorted(set(found), key=lambda problem: problem.start)


def _judged(text: Text, resolver: Resolver, reference: Reference) -> ColumnProblem | None:
    at = resolver.missing(reference)
    if at is not None:
        return _reference(text, resolver, reference, at)
    owners = resolver.ambiguous(reference)
    if owners is None:
        return None
    span = text.names(text.at(reference.location), len(reference.fields))[-1]
    return ColumnProblem(reference.fields[-1], *span, (), candidates=owners, ambiguous=True)


def _reference(text: Text, resolver: Resolver, reference: Reference, at: int) -> ColumnProblem:
    spans = text.names(text.at(reference.location), len(reference.fields))
    start, end = spans[min(at, len(spans) - 1)]
    fields = reference.fields
    is_relation = reference.star or at < len(fields) - 1
    if is_relation:
        names = sorted({relation.name for relation in visible(reference.level) if relation.name})
        return ColumnProblem(fields[at], start, end, (), True, tuple(names))
    if at > 0:
        relation = resolver.relation(fields[:at], reference.level)
        searched = [] if relation is None else [relation]
    else:
        searched = list(visible(reference.level))
    candidates = {name for relation in searched for name in resolver.columns(relation) or ()}
    if reference.outputs is not None:
        candidates |= {name for name in resolver.output(reference.outputs) or () if name}
    tables = tuple(dict.fromkeys(r.source for r in searched if type(r.source) is TableSource))
    return ColumnProblem(fields[at], start, end, tables, False, tuple(sorted(candidates)))


def _unknown_target(text: Text, resolver: Resolver, target: Target) -> ColumnProblem | None:
    names = resolver.source(target.table)
    if names is None or target.name in names:
        return None
    return ColumnProblem(target.name, *_target(text, target), (target.table,), False, names)


def _target(text: Text, target: Target) -> tuple[int, int]:
    at = text.index(text.at(target.after if target.location is None else target.location))
    if target.location is None:
        while at < len(text.tokens) - 1 and text.identifier(at) != target.name:
            at += 1
    return text.tokens[at][1:3]


def _unknown_merged(text: Text, resolver: Resolver, merged: Merged) -> ColumnProblem | None:
    for relation in (merged.left, merged.right):
        names = resolver.columns(relation)
        if names is not None and merged.name not in names:
            tables = (relation.source,) if type(relation.source) is TableSource else ()
            return ColumnProblem(merged.name, *_merged(text, merged), tables, False, names)
    return None


def _merged(text: Text, merged: Merged) -> tuple[int, int]:
    """The place of a column of USING, which the tree does not tell: the first `USING (these names)` behind the right
    side's start."""
    size = len(merged.all)
    for at in range(text.index(text.at(merged.after)), len(text.tokens)):
        if text.word(at) == "using" and tuple(text.identifier(at + 2 + 2 * n) for n in range(size)) == merged.all:
            return text.tokens[at + 2 + 2 * merged.all.index(merged.name)][1:3]
    return text.token(text.at(merged.after))


def column_uses(parsed: Parsed, columns: Columns) -> list[TableColumn]:
    """Where columns of tables are named, as far as it is certain whose they are. A column that a join merges stands
    here once for each of its tables."""
    if not isinstance(parsed.tree, _Bound):
        return []
    text, binder, _ = parsed.tree
    resolver = Resolver(columns)
    found: list[TableColumn] = []
    try:
        for reference in binder.references:
            for table in resolver.owners(reference):
                spans = text.names(text.at(reference.location), len(reference.fields))
                found.append(TableColumn(reference.fields[-1], *spans[-1], table))
        for target in binder.targets:
            names = resolver.source(target.table)
            if names is not None and target.name in names:
                found.append(TableColumn(target.name, *_target(text, target), target.table))
        for merged in binder.merged:
            for relation in (merged.left, merged.right):
                source, names = relation.source, resolver.columns(relation)
                if type(source) is TableSource and names is not None and merged.name in names:
                    found.append(TableColumn(merged.name, *_merged(text, merged), source))
    except RecursionError:
        return []
    return sorted(set(found), key=lambda use: use.start)


def qualifiers(parsed: Parsed, columns: Columns) -> list[TableColumn]:
    """Where a table that has no alias is named other than where it is read from or written to: before a column or
    `*`, or as a whole row. `name` is the table's, the span that of this name alone."""
    if not isinstance(parsed.tree, _Bound):
        return []
    text, binder, _ = parsed.tree
    resolver = Resolver(columns)
    found: list[TableColumn] = []
    try:
        for reference in binder.references:
            table, size = resolver.named_table(reference)
            if table is not None:
                spans = text.names(text.at(reference.location), len(reference.fields))
                found.append(TableColumn(table.name, *spans[min(size, len(spans)) - 1], table))
    except RecursionError:
        return []
    return sorted(set(found), key=lambda use: use.start)


def selected(parsed: Parsed, columns: Columns) -> list[Selected] | None:
    """What the (only) statement returns, stars expanded, RETURNING included; None when it is not certain."""
    found = _selected(parsed, columns)
    if found is None or not isinstance(parsed.tree, _Bound):
        return None
    text = parsed.tree.text
    return [Selected(name, *text.token(text.at(location))) for name, location in found]


def selected_names(parsed: Parsed, columns: Columns) -> list[str | None] | None:
    """The names of `selected` alone, which cost less than their places."""
    found = _selected(parsed, columns)
    return None if found is None else [name for name, _ in found]


def _selected(parsed: Parsed, columns: Columns) -> list[tuple[str | None, int]] | None:
    if not isinstance(parsed.tree, _Bound) or len(parsed.tree.outputs) != 1:
        return None
    try:
        return Resolver(columns).selected(parsed.tree.outputs[0])
    except RecursionError:
        return None
