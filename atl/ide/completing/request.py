"""One question: the place, the declaration around it and what that declaration sees."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, TypeAlias
from weakref import WeakKeyDictionary

from atl.ide.completing.position import Position, position
from atl.ide.places import unit_at
from atl.schema.index import Scope
from atl.schema.symbols import EntitySymbol, EnumSymbol, FieldSymbol, JobSymbol, Symbol, fields_of, params_of, symbol_of
from atl.schema.types import Type
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse
from atl.syntax.tree import FileTree, Unit

if TYPE_CHECKING:
    from atl.workspace.live import Workspace

__all__ = ["MOST", "Request", "quoted"]

MOST = 400
"""How many names of one kind are offered at once; a longer list is not read, and takes long to build and send."""

_BLANK_REST = re.compile(r"[ \t\r]*(?:\n|\Z|//|[})])")
_NEXT = re.compile(r"\s*(\S?)")


def quoted(value: str) -> str:
    """A string of the language with this value."""
    for char, escape in (("\\", "\\\\"), ('"', '\\"'), ("\n", "\\n"), ("\t", "\\t")):
        value = value.replace(char, escape)
    return f'"{value}"'


class Request:
    """decl: the declaration that the cursor is in, as it is with the word at the cursor; None between declarations.
    cut: some of the names there are were left out.
    bare_end: nothing else stands behind the word on its line, so that whole templates can be put there."""

    def __init__(self, workspace: Workspace, tree: FileTree, offset: int) -> None:
        self.workspace = workspace
        self.cut = False
        self.index = workspace.index
        self.tree = tree
        self.text = tree.file.text
        self.position: Position = position(tree, offset)
        self.unit: Unit | None = None
        self.decl: n.Declaration | None = None
        self._find(offset)
        self.symbol: Symbol | None = symbol_of(self.decl) if self.decl is not None else None
        self.scope: Scope = Scope(self.index, "") if self.symbol is None else Scope.of(self.index, self.symbol)
        behind = self.position.word_end
        self.bare_end = _BLANK_REST.match(self.text, behind) is not None
        found = _NEXT.match(self.text, behind)
        self.next = found[1] if found else ""

    def _find(self, offset: int) -> None:
        for at in (offset, self.position.start):
            unit = unit_at(self.tree, at)
            if unit is None:
                return
            inside = [decl for decl in unit.chunk.declarations if unit.anchor.start + decl.start < offset]
            if inside and (inside[-1].close < 0 or offset <= unit.anchor.start + inside[-1].end):
                self.unit, self.decl = unit, inside[-1]
                break
        if type(self.decl) is n.BrokenDecl and self.unit is not None:
            self.decl = self._read_on(self.unit, self.decl)

    def _read_on(self, unit: Unit, broken: n.BrokenDecl) -> n.Declaration:
        """The declaration as it is with a name at the cursor, where only that is missing in its header."""
        at = self.position.word_start - unit.anchor.start
        text = unit.chunk.text
        made = parse(SourceFile("", f"{text[:at]} _ {text[at:]}"))
        found = [decl for each in made.units for decl in each.chunk.declarations if decl.start == broken.start]
        return found[0] if len(made.units) == 1 and found else broken

    def relative(self, offset: int) -> int:
        """An offset of the file as the nodes of `decl` count."""
        return offset - (self.unit.anchor.start if self.unit is not None else 0)

    def around(self, node: n.Node) -> bool:
        """Whether the cursor's word is in the node or touches it."""
        at = self.relative(self.position.word_start)
        return node.start <= at <= node.end

    # ------------------------------------------------------------ what the declaration has

    @cached_property
    def own(self) -> EntitySymbol | None:
        """The entity around the cursor."""
        return self.symbol if isinstance(self.symbol, EntitySymbol) else None

    @cached_property
    def owner(self) -> EntitySymbol | None:
        """The entity that a query or procedure is for, or the entity itself."""
        if isinstance(self.decl, n.QueryDecl | n.ProcedureDecl) and self.decl.owner is not None:
            return self.entity(self.decl.owner)
        return self.own

    @cached_property
    def inputs(self) -> tuple[FieldSymbol, ...]:
        """What `$name` can mean: inputs or state fields."""
        namespace = self.scope.namespace
        found: list[FieldSymbol] = []
        for part in getattr(self.decl, "parts", ()):
            if type(part) is n.Input:
                found += params_of(part.params, namespace)
            elif type(part) is n.State:
                found += fields_of(part.fields, namespace)
        return tuple(found)

    @cached_property
    def members(self) -> tuple[FieldSymbol, ...]:
        """The fields, arguments or state fields that an expression at the cursor can name."""
        namespace = self.scope.namespace
        match self.decl:
            case n.EntityDecl():
                return self.own.fields if self.own is not None else ()
            case n.JobDecl():
                return fields_of((f for c in self.decl.clauses if type(c) is n.Args for f in c.fields), namespace)
            case n.EphemeralDecl():
                return fields_of((m for m in self.decl.members if type(m) is n.Field), namespace)
            case _:
                return self.inputs

    # ------------------------------------------------------------ names

    def entity(self, ref: Any) -> EntitySymbol | None:
        if isinstance(ref, n.Ref):
            return self.scope.entity(ref.namespace.text if ref.namespace is not None else None, ref.name.text)
        return self.scope.entity(None, ref.text) if isinstance(ref, n.Name) else None

    def job(self, ref: Any) -> JobSymbol | None:
        if not isinstance(ref, n.Ref):
            return None
        return self.scope.job(ref.namespace.text if ref.namespace is not None else None, ref.name.text)

    def enum(self, type_: Type | None) -> EnumSymbol | None:
        return self.scope.enum(type_.enum) if type_ is not None and type_.enum else None

    def names(self, kind: str) -> list[tuple[str, str]]:
        """(namespace, name) of all declarations of a kind: those of the own namespace first. Of very many only those
        that what is typed can mean, and no more than can be looked through; `cut` says so."""
        own = self.scope.namespace
        found: Sequence[tuple[str, str]] = self.index.names(kind)
        if len(found) > MOST:
            self.cut = True
            typed = self.position.typed
            if typed:
                could_be = re.compile(".*".join(map(re.escape, typed.replace("_", ""))), re.I).search
                found = [each for each in found if could_be(f"{each[0]}.{each[1]}")]
        here = [each for each in found if each[0] == own]
        if len(here) < MOST:
            here += islice((each for each in found if each[0] != own), MOST - len(here))
        return here[:MOST]

    @cached_property
    def entity_counts(self) -> Counter[str]:
        return Counter(name for _, name in self.index.names("entity"))

    @cached_property
    def namespaces(self) -> list[str]:
        """Every namespace, the one of this declaration and those of this file first, of a new file its folder's."""
        every = {each for kind in ("entity", "job", "enum") for each in _namespaces_of(self.index.names(kind))}
        here = self._namespaces_in([self.tree.file.path]) or self._namespaces_in(self._neighbours())
        first = [name for name, _ in here.most_common()]
        own = [self.scope.namespace] if self.scope.namespace in every else []
        return list(dict.fromkeys([*own, *first, *sorted(every)]))

    def _namespaces_in(self, paths: Iterable[str]) -> Counter[str]:
        found = (each.symbol for path in paths for each in self.index.in_file(path))
        return Counter(namespace for symbol in found if (namespace := Scope.of(self.index, symbol).namespace))

    def _neighbours(self) -> list[str]:
        """Files of the same folder."""
        folder = self.tree.file.path.rpartition("/")[0]
        return [path for path in self.workspace.paths() if path.rpartition("/")[0] == folder][:MOST]

    def strings_of(self, pick: type[n.Node]) -> list[str]:
        """The values of a job's clause (`n.Queue`, `n.VisibleTo`) all over the workspace but for the one at the cursor,
        the most common first."""
        known = _strings.setdefault(self.workspace, {})
        counts: Counter[str] = Counter()
        for path, tree in self.workspace.trees().items():
            found = known.get(path)
            if found is None or found[0] is not tree:
                found = known[path] = (tree, tuple(_job_strings(tree)))
            for kind, value in found[1]:
                if kind is pick:
                    counts[value] += 1
        for clause in self.decl.clauses if isinstance(self.decl, n.JobDecl) else ():
            if isinstance(clause, n.Queue | n.VisibleTo) and type(clause) is pick and self.around(clause.value):
                counts[clause.value.value] -= 1
        return [value for value, count in counts.most_common() if value and count > 0]


def _namespaces_of(names: Sequence[tuple[str, str]]) -> Iterator[str]:
    """Of sorted names the namespaces, each once."""
    at = 0
    while at < len(names):
        namespace = names[at][0]
        yield namespace
        at = bisect_left(names, (f"{namespace}\0",), at)


# By workspace and path: what a tree's jobs have, until the file has another tree.
_Strings: TypeAlias = "dict[str, tuple[FileTree, tuple[tuple[type[n.Node], str], ...]]]"
_strings: WeakKeyDictionary[Workspace, _Strings] = WeakKeyDictionary()


def _job_strings(tree: FileTree) -> Iterator[tuple[type[n.Node], str]]:
    for unit in tree.units:
        for decl in unit.chunk.declarations:
            for clause in decl.clauses if type(decl) is n.JobDecl else ():
                if isinstance(clause, n.Queue | n.VisibleTo):
                    yield type(clause), clause.value.value
