"""What names mean at one place of a statement: relations, the levels they are visible in, and their columns.

The binder (`binder.py`) builds these from a parse tree once; nothing here asks which columns a table has until a
question comes with a `Columns` function, so one binding serves every state of the schema.

`None` for columns always means "not known": then nothing is said of any name that could be one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TypeAlias

from atl.postgres.functions import BOOLEAN, CASTS, RESULTS, ROW_FUNCTIONS, SYSTEM_COLUMNS
from atl.records import NamedTuple

__all__ = [
    "Chain",
    "Columns",
    "Cte",
    "Fixed",
    "Item",
    "Join",
    "Level",
    "Output",
    "Reference",
    "Relation",
    "Resolver",
    "Rows",
    "Source",
    "TableSource",
    "extend",
    "visible",
]

Columns: TypeAlias = Callable[["str | None", str], "Collection[str] | None"]
"""The columns of the table that SQL calls `[schema.]name`; None when nothing is known of it."""


class TableSource(NamedTuple):
    schema: str | None
    name: str


class Fixed(NamedTuple):
    """Columns that the statement alone tells; None when it does not."""

    names: tuple[str, ...] | None


class Cte:
    """A WITH query. `output` is set once its body is bound, so that a recursive one can be named inside itself.

    aliases: its column list. added: columns of SEARCH and CYCLE.
    """

    __slots__ = ("added", "aliases", "name", "output")

    def __init__(self, name: str, aliases: tuple[str, ...], added: tuple[str, ...]) -> None:
        self.name = name
        self.aliases = aliases
        self.added = added
        self.output: Output | None = None


class Rows(NamedTuple):
    """What a subquery returns."""

    output: Output


class Join(NamedTuple):
    """An item of FROM made of two. using: the merged columns; None: those that both have (NATURAL)."""

    left: Relation
    right: Relation
    using: tuple[str, ...] | None


Source: TypeAlias = "TableSource | Fixed | Cte | Rows | Join"


class Relation:
    """An item of FROM, or a target. name: what qualifies its columns, "" when nothing does. aliased: `name` is an
    alias, so the table's own name means nothing. aliases: new names of its first columns."""

    __slots__ = ("aliased", "aliases", "name", "source")

    def __init__(self, name: str, source: Source, aliased: bool = False, aliases: tuple[str, ...] = ()) -> None:
        self.name = name
        self.source = source
        self.aliased = aliased
        self.aliases = aliases


Chain: TypeAlias = "tuple[Relation, Chain] | None"
"""Relations that are visible, the last first. A chain is never changed, so that LATERAL can keep an earlier one."""


def extend(chain: Chain, relations: Sequence[Relation]) -> Chain:
    for relation in relations:
        chain = (relation, chain)
    return chain


class Level:
    """The FROM of one query: what names can mean there, then in the query around it.

    items: FROM's own items in order, for `*`, and the target of a write, for names that several of them have; none
    where these are not told apart.
    """

    __slots__ = ("chain", "items", "parent")

    def __init__(self, parent: Level | None, chain: Chain = None, items: list[Relation] | None = None) -> None:
        self.parent = parent
        self.chain = chain
        self.items = [] if items is None else items


def visible(level: Level | None) -> Iterator[Relation]:
    """The relations of a level and of those around it, innermost first."""
    while level is not None:
        chain = level.chain
        while chain is not None:
            yield chain[0]
            chain = chain[1]
        level = level.parent


class Item(NamedTuple):
    """One item of a select list. name: None for `?column?`. star: it is `*` or `t.*`, and has no name. location: in
    bytes. named: by `AS`."""

    name: str | None
    star: Reference | None
    location: int
    named: bool = False


class Output:
    """What a query returns; `items` is None when it cannot be told."""

    __slots__ = ("items",)

    def __init__(self, items: list[Item] | None) -> None:
        self.items = items


class Reference(NamedTuple):
    """`a`, `a.b`, `a.*`, ... as a value. location: of its first name, in bytes. outputs: the query whose output names
    it may mean too (ORDER BY, GROUP BY); they alone count when `level` is None, and come first when `outputs_first`."""

    fields: tuple[str, ...]
    star: bool
    location: int
    level: Level | None
    outputs: Output | None = None
    outputs_first: bool = False


class Resolver:
    """Answers for one `Columns` function; remembers the columns of each relation."""

    def __init__(self, columns: Columns) -> None:
        self.table = columns
        self._relations: dict[Relation, tuple[str, ...] | None] = {}
        self._outputs: dict[Output, tuple[str, ...] | None] = {}

    def columns(self, relation: Relation) -> tuple[str, ...] | None:
        """The columns of a relation in order; None when they are not known."""
        known = self._relations
        if relation in known:
            return known[relation]
        known[relation] = None  # what a relation that is defined by itself sees
        names = self.source(relation.source)
        if names is not None and relation.aliases:
            names = relation.aliases + names[len(relation.aliases) :]
        known[relation] = names
        return names

    def source(self, source: Source) -> tuple[str, ...] | None:
        if type(source) is TableSource:
            found = self.table(source.schema, source.name)
            return None if found is None else tuple(found)
        if type(source) is Fixed:
            return source.names
        if type(source) is Rows:
            return self.output(source.output)
        if type(source) is Join:
            return self._join(source)
        assert type(source) is Cte
        names = None if source.output is None else self.output(source.output)
        if names is None:
            return None
        return source.aliases + names[len(source.aliases) :] + source.added

    def _join(self, join: Join) -> tuple[str, ...] | None:
        left, right = self.columns(join.left), self.columns(join.right)
        if left is None or right is None:
            return None
        merged = tuple(name for name in left if name in set(right)) if join.using is None else join.using
        rest = set(merged)
        return merged + tuple(n for n in left if n not in rest) + tuple(n for n in right if n not in rest)

    def output(self, output: Output) -> tuple[str, ...] | None:
        """The names of what a query returns, stars expanded; None when they are not known."""
        known = self._outputs
        if output not in known:
            known[output] = None  # what a query that is defined by itself sees
            found = self.selected(output)
            known[output] = None if found is None else tuple(name or "?column?" for name, _ in found)
        return known[output]

    def selected(self, output: Output) -> list[tuple[str | None, int]] | None:
        """As `output`, None for a column that PostgreSQL calls `?column?`; each with its location in bytes."""
        found: list[tuple[str | None, int]] = []
        for item in output.items or ():
            if item.star is None:
                found.append((item.name, item.location))
                continue
            columns = self.star(item.star)
            if columns is None:
                return None
            found += [(name, item.location) for name in columns]
        return None if output.items is None else found

    def star(self, star: Reference) -> tuple[str, ...] | None:
        if not star.fields:
            assert star.level is not None
            found: tuple[str, ...] = ()
            for item in star.level.items:
                columns = self.columns(item)
                if columns is None:
                    return None
                found += columns
            return found
        relation = self.relation(star.fields, star.level)
        return None if relation is None else self.columns(relation)

    def relation(self, fields: tuple[str, ...], level: Level | None) -> Relation | None:
        """The relation that `[schema.]name` qualifies columns by."""
        name, schema = fields[-1], fields[-2] if len(fields) > 1 else None
        for relation in visible(level):
            if relation.name == name and (
                schema is None
                or (not relation.aliased and type(relation.source) is TableSource and relation.source.schema == schema)
            ):
                return relation
        return None

    def missing(self, reference: Reference) -> int | None:
        """Which of the reference's names certainly means nothing, by its position; None when all is well or nothing
        is certain."""
        fields = reference.fields
        if len(fields) > 3 or (len(fields) == 3 and reference.star):
            return None  # with the database's name in front
        if reference.star:
            return None if not fields or self._qualifier(fields, reference.level) else len(fields) - 1
        if len(fields) == 1:
            return None if self._bare(fields[0], reference) else 0
        if not self._qualifier(fields[:-1], reference.level):
            return len(fields) - 2
        relation = self.relation(fields[:-1], reference.level)
        if relation is None:
            return None
        columns, name = self.columns(relation), fields[-1]
        if columns is None or name in columns or name in ROW_FUNCTIONS or _has_system_column(relation, name):
            return None
        if (
            len(columns) == 1
            and type(relation.source) is Fixed
            and (name in CASTS or name in RESULTS or name in BOOLEAN)
        ):
            return None  # a function's value, of which `x.lower` is `lower(x)`
        return len(fields) - 1

    def ambiguous(self, reference: Reference) -> tuple[str, ...] | None:
        """Of a column that several in scope certainly have, as many as PostgreSQL would have to choose from: what
        qualifies each of them, as far as anything does. None for every other reference."""
        if reference.star or len(reference.fields) > 3 or reference.fields[-1] in SYSTEM_COLUMNS:
            return None
        name, level = reference.fields[-1], reference.level
        if len(reference.fields) > 1:
            relation = self.relation(reference.fields[:-1], level)
            columns = None if relation is None else self.columns(relation)
            return () if columns is not None and columns.count(name) > 1 else None
        if reference.outputs is not None and reference.outputs_first:
            outputs = self.output(reference.outputs)
            if outputs is None or name in outputs:
                return None
        while level is not None:
            known = [self.columns(item) for item in level.items]
            if sum(columns.count(name) for columns in known if columns is not None) > 1:
                having = [r for r in visible(Level(None, level.chain)) if name in (self.columns(r) or ())]
                return tuple(sorted({relation.name for relation in having if relation.name}))
            if (level.chain and not level.items) or any(columns is None or name in columns for columns in known):
                return None
            level = level.parent
        return None

    def owners(self, reference: Reference) -> list[TableSource]:
        """The tables that a column certainly belongs to: one, or several for a merged or ambiguous name; none when it
        is no column of a table itself (but of a subquery, say), or when that is not certain."""
        fields = reference.fields
        if reference.star or not fields or len(fields) > 3:
            return []
        if len(fields) > 1:
            relation = self.relation(fields[:-1], reference.level)
            return [] if relation is None else self._own([relation], fields[-1])
        if reference.outputs is not None and reference.outputs_first:
            items = reference.outputs.items
            if items is None or any(item.named and item.name == fields[0] for item in items):
                return []
        level = reference.level
        while level is not None:
            having = []
            for relation in visible(Level(None, level.chain)):
                columns = self.columns(relation)
                if columns is None:
                    return []
                if fields[0] in columns:
                    having.append(relation)
            if having:
                return self._own(having, fields[0])
            level = level.parent
        return []

    def named_table(self, reference: Reference) -> tuple[TableSource | None, int]:
        """The table that the reference names by its own name, and how many of the reference's names that takes."""
        fields = reference.fields if reference.star else reference.fields[:-1]
        if not fields and reference.outputs is None and reference.fields:
            known = [self.columns(relation) for relation in visible(reference.level)]
            if all(columns is not None and reference.fields[0] not in columns for columns in known):
                fields = reference.fields  # the whole row
        relation = self.relation(fields, reference.level) if 0 < len(fields) < 3 else None
        if relation is None or relation.aliased or type(relation.source) is not TableSource:
            return None, 0
        return relation.source, len(fields)

    def _own(self, relations: list[Relation], name: str) -> list[TableSource]:
        found: list[TableSource] = []
        for relation in relations:
            columns = self.columns(relation)
            if type(relation.source) is not TableSource or columns is None or name not in columns:
                return []
            if name not in relation.aliases:
                found.append(relation.source)
        return list(dict.fromkeys(found))

    def _bare(self, name: str, reference: Reference) -> bool:
        """Whether a name without qualifier may mean something."""
        if reference.outputs is not None:
            outputs = self.output(reference.outputs)
            if outputs is None or name in outputs:
                return True
        for relation in visible(reference.level):
            if relation.name == name:  # the whole row
                return True
            columns = self.columns(relation)
            if columns is None or name in columns or _has_system_column(relation, name):
                return True
        return False

    def _qualifier(self, fields: tuple[str, ...], level: Level | None) -> bool:
        """Whether `[schema.]name` may be a relation in scope. A table without an alias may also go by another of its
        spellings."""
        if self.relation(fields, level) is not None:
            return True
        bare = [r for r in visible(level) if not r.aliased and type(r.source) is TableSource]
        if len(fields) > 1:
            return bool(bare)
        meant = self.table(None, fields[0])
        return meant is not None and any(self.columns(relation) == tuple(meant) for relation in bare)


def _has_system_column(relation: Relation, name: str) -> bool:
    return name in SYSTEM_COLUMNS and type(relation.source) is TableSource
