"""What other declarations can see of a declaration.

A symbol is a small immutable tuple, made from one declaration's tree alone (`symbol_of`), comparable by value and made
of nothing but strings, numbers, None and tuples: it goes through JSON unchanged (`symbol_to_json`,
`symbol_from_json`), which is how the cache on disk and worker processes hand it on. Cross-declaration checks read
symbols and never another declaration's tree; so a change that leaves a symbol equal needs no other check again.

Spans in a symbol are relative to its declaration's anchor.
"""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from atl.source import Span
from atl.syntax import nodes

__all__ = ["ArgSymbol", "EntitySymbol", "EnumSymbol", "FieldSymbol", "JobSymbol", "OtherSymbol", "Symbol", "Type"]


class Type(NamedTuple):
    """A type as far as one declaration alone can tell.

    base: a builtin's name (`varchar`), or "" for an enum or a name that may be one.
    params: of a builtin, as declared: `varchar(20)` has (20,), `numeric(8, 2)` has (8, 2), `char` has (1,), `bit` (1,).
    dims: array dimensions, 0 or 1 (more is reported as ATL202 and kept as 1).
    enum: the id `ns.Name` when base is "".
    known: False when the type is certainly in error (an unknown builtin-like word is still an enum candidate);
    nothing may be concluded from it.
    """

    base: str
    params: tuple[int, ...] = ()
    dims: int = 0
    enum: str = ""
    known: bool = True


class FieldSymbol(NamedTuple):
    """A field, argument, input, output or state field. `span`: its name. `not_null`: as it holds (primary, identity and
    serial imply it). `filled`: has a default, identity or serial, so an insert or a call may leave it out."""

    name: str
    span: Span
    type: Type
    not_null: bool
    filled: bool
    primary: bool = False
    unique: bool = False
    generated: str = ""  # "identity", "serial" or ""


ArgSymbol: TypeAlias = FieldSymbol


class EntitySymbol(NamedTuple):
    """key: the key's fields in order, () when there is none. uniques: field sets that are unique, the key included.
    table: (schema, table) as it is in PostgreSQL. lost: fields may be missing here (nodes.Decl.lost)."""

    namespace: str
    name: str
    span: Span
    hyper: bool
    fields: tuple[FieldSymbol, ...]
    key: tuple[str, ...]
    uniques: tuple[tuple[str, ...], ...]
    table: tuple[str, str]
    lost: bool

    def field(self, name: str) -> FieldSymbol | None:
        for field in self.fields:
            if field.name == name:
                return field
        return None


class EnumSymbol(NamedTuple):
    """type_name: (schema, name) of the PostgreSQL type."""

    namespace: str
    name: str
    span: Span
    labels: tuple[str, ...]
    type_name: tuple[str, str]
    lost: bool


class JobSymbol(NamedTuple):
    """visible_to: "*" when left out."""

    namespace: str
    name: str
    span: Span
    args: tuple[ArgSymbol, ...]
    visible_to: str
    lost: bool

    def arg(self, name: str) -> ArgSymbol | None:
        for arg in self.args:
            if arg.name == name:
                return arg
        return None


class OtherSymbol(NamedTuple):
    """A query, procedure, workflow, ephemeral, or `broken`: a declaration of no known kind.

    A query's or procedure's `namespace` is "" while `owner` (namespace or "", name) has to be resolved first.
    """

    kind: str
    namespace: str
    name: str
    span: Span
    owner: tuple[str, str] | None = None


Symbol: TypeAlias = EntitySymbol | EnumSymbol | JobSymbol | OtherSymbol


def symbol_of(decl: nodes.Declaration) -> Symbol | None:
    """The symbol of a declaration; None when it has no name to be found by."""
    raise NotImplementedError
