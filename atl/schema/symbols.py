"""What other declarations can see of a declaration.

A symbol is a small immutable tuple, made from one declaration's tree alone (`symbol_of`), comparable by value and made
of nothing but strings, numbers, None and tuples: it goes through JSON unchanged (`symbol_to_json`,
`symbol_from_json`), which is how the cache on disk and worker processes hand it on. Cross-declaration checks read
symbols and never another declaration's tree; so a change that leaves a symbol equal needs no other check again.

Spans in a symbol are relative to its declaration's anchor.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

from atl.closed import assert_never
from atl.records import NamedTuple
from atl.schema.naming import default_physical, table_parts
from atl.schema.types import UNREAD, Type, parse_type, spelled, type_of
from atl.source import Span
from atl.syntax import nodes
from atl.syntax.tree import Chunk

__all__ = [
    "ArgSymbol",
    "EntitySymbol",
    "EnumSymbol",
    "FieldSymbol",
    "JobSymbol",
    "OtherSymbol",
    "Symbol",
    "Type",
    "fields_of",
    "params_of",
    "symbol_from_json",
    "symbol_of",
    "symbol_to_json",
    "symbols_of",
]


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
    table: (schema, table) as it is in PostgreSQL. lost: fields may be missing here (nodes.Decl.lost). renamed_from:
    what its hint says it was called, as for enums and jobs."""

    namespace: str
    name: str
    span: Span
    hyper: bool
    fields: tuple[FieldSymbol, ...]
    key: tuple[str, ...]
    uniques: tuple[tuple[str, ...], ...]
    table: tuple[str, str]
    lost: bool
    renamed_from: str = ""

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
    renamed_from: str = ""


class JobSymbol(NamedTuple):
    """visible_to: "*" when left out."""

    namespace: str
    name: str
    span: Span
    args: tuple[ArgSymbol, ...]
    visible_to: str
    lost: bool
    renamed_from: str = ""

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


def symbol_of(decl: nodes.Declaration) -> Symbol:
    """The symbol of a declaration, always of its kind. A name or namespace that could not be read is "": the index
    then counts it among the broken ones, and no look-up finds it."""
    match decl:
        case nodes.EntityDecl():
            return _entity(decl)
        case nodes.EnumDecl():
            namespace, name = _text(decl.namespace), _text(decl.name)
            labels = tuple([label.text for label in decl.labels])
            type_name = default_physical(namespace, name) if namespace and name else ("", "")
            return EnumSymbol(namespace, name, _span(decl), labels, type_name, decl.lost)
        case nodes.JobDecl():
            return _job(decl)
        case nodes.QueryDecl():
            return _owned("query", decl, decl.owner)
        case nodes.ProcedureDecl():
            return _owned("procedure", decl, decl.owner)
        case nodes.WorkflowDecl():
            return OtherSymbol("workflow", _text(decl.namespace), _text(decl.name), _span(decl))
        case nodes.EphemeralDecl():
            return OtherSymbol("ephemeral", _text(decl.namespace), _text(decl.name), _span(decl))
        case nodes.BrokenDecl():
            return OtherSymbol("broken", _text(decl.namespace), _text(decl.name), _span(decl))
        case _:
            assert_never(decl)


def symbols_of(chunk: Chunk) -> tuple[Symbol, ...]:
    """The symbols of a chunk's declarations in their order, with what hints say that these were called."""
    symbols = [symbol_of(decl) for decl in chunk.declarations]
    if "renamed-from" in chunk.text:
        from atl.schema.hints import hints

        old = {id(hint.target): hint.old_name for hint in hints(chunk) if hint.target is hint.declaration}
        for at, decl in enumerate(chunk.declarations):
            symbol = symbols[at]
            if id(decl) in old and not isinstance(symbol, OtherSymbol):
                symbols[at] = symbol._replace(renamed_from=old[id(decl)])
    return tuple(symbols)


def fields_of(fields: Iterable[nodes.Field], namespace: str) -> tuple[FieldSymbol, ...]:
    """Fields, arguments or state fields of a declaration in `namespace`, as it shows them."""
    return tuple([_field(field, namespace) for field in fields])


def params_of(params: Iterable[nodes.Param], namespace: str) -> tuple[FieldSymbol, ...]:
    """Inputs or outputs of a query or procedure whose owner is in `namespace`. An input is never null."""
    return tuple(
        [
            FieldSymbol(
                param.name.text,
                Span(param.name.start, param.name.end),
                UNREAD if param.type is None else type_of(param.type, namespace),
                True,
                param.default is not None,
            )
            for param in params
        ]
    )


def _text(name: nodes.Name | None) -> str:
    return "" if name is None else name.text


def _span(decl: nodes.Decl) -> Span:
    """The name, or the declaration's first character where there is none."""
    name = decl.name
    return Span(decl.start, min(decl.start + 1, decl.end)) if name is None else Span(name.start, name.end)


def _owned(kind: str, decl: nodes.QueryDecl | nodes.ProcedureDecl, owner: nodes.Ref | None) -> OtherSymbol:
    namespace = "" if owner is None else _text(owner.namespace)
    owner_name = ("", "") if owner is None else (namespace, owner.name.text)
    return OtherSymbol(kind, namespace, _text(decl.name), _span(decl), owner_name)


def _field(field: nodes.Field, namespace: str) -> FieldSymbol:
    primary = unique = not_null = filled = False
    generated = ""
    for modifier in field.modifiers:
        if type(modifier) is nodes.Flag:
            word = modifier.word
            if word == "not null":
                not_null = True
            elif word == "primary":
                primary = True
            elif word == "unique":
                unique = True
            else:
                generated = generated or word
        elif type(modifier) is nodes.Default:
            filled = True
    name = field.name
    return FieldSymbol(
        name.text,
        Span(name.start, name.end),
        UNREAD if field.type is None else type_of(field.type, namespace),
        not_null or primary or generated != "",
        filled or generated != "",
        primary,
        unique,
        generated,
    )


def _entity(decl: nodes.EntityDecl) -> EntitySymbol:
    namespace, name = _text(decl.namespace), _text(decl.name)
    fields: list[FieldSymbol] = []
    primary_by: tuple[str, ...] = ()
    sets: list[tuple[str, ...]] = []
    table: tuple[str, str] | None = None
    table_clause = False
    for member in decl.members:
        if type(member) is nodes.Field:
            fields.append(_field(member, namespace))
        elif type(member) is nodes.UniqueBy:
            sets.append(tuple([field.text for field in member.fields]))
        elif type(member) is nodes.PrimaryBy:
            primary_by = primary_by or tuple([field.text for field in member.fields])
        elif type(member) is nodes.TableClause and not table_clause:
            table_clause = True
            table = table_parts(member.table.value)
    singles = {names[0] for names in sets if len(names) == 1}
    if singles:
        fields = [field._replace(unique=True) if field.name in singles else field for field in fields]
    flagged = [(field.name,) for field in fields if field.primary]
    key = primary_by or (flagged[0] if flagged else ())
    uniques = dict.fromkeys([key] if key else [])
    uniques.update(dict.fromkeys(flagged))
    uniques.update(dict.fromkeys((field.name,) for field in fields if field.unique))
    uniques.update(dict.fromkeys(sets))
    if not table_clause and namespace and name:
        table = default_physical(namespace, name)
    return EntitySymbol(
        namespace, name, _span(decl), decl.hyper, tuple(fields), key, tuple(uniques), table or ("", ""), decl.lost
    )


def _job(decl: nodes.JobDecl) -> JobSymbol:
    namespace = _text(decl.namespace)
    args: tuple[FieldSymbol, ...] = ()
    visible_to: str | None = None
    for clause in decl.clauses:
        if type(clause) is nodes.Args:
            args += fields_of(clause.fields, namespace)
        elif type(clause) is nodes.VisibleTo and visible_to is None:
            visible_to = clause.value.value
    return JobSymbol(
        namespace, _text(decl.name), _span(decl), args, "*" if visible_to is None else visible_to, decl.lost
    )


# ---------------------------------------------------------------- JSON


def symbol_to_json(symbol: Symbol) -> list[Any]:
    """The symbol as nested lists of strings and numbers; `symbol_from_json` gives an equal symbol back."""
    span = symbol.span
    head: list[Any] = [symbol.namespace, symbol.name, span.start, span.end]
    match symbol:
        case EntitySymbol():
            fields = [_field_to_json(field) for field in symbol.fields]
            uniques = [list(names) for names in symbol.uniques]
            table = list(symbol.table)
            return [
                "entity",
                *head,
                symbol.hyper,
                fields,
                list(symbol.key),
                uniques,
                table,
                symbol.lost,
                symbol.renamed_from,
            ]
        case EnumSymbol():
            return ["enum", *head, list(symbol.labels), list(symbol.type_name), symbol.lost, symbol.renamed_from]
        case JobSymbol():
            args = [_field_to_json(arg) for arg in symbol.args]
            return ["job", *head, args, symbol.visible_to, symbol.lost, symbol.renamed_from]
        case OtherSymbol():
            return [symbol.kind, *head, None if symbol.owner is None else list(symbol.owner)]
        case _:
            assert_never(symbol)


def symbol_from_json(data: Any) -> Symbol:
    """The symbol of which `symbol_to_json` made `data`. What it did not make raises ValueError, TypeError, IndexError
    or KeyError, or gives some symbol: the caller vouches for where the data comes from."""
    kind, namespace, name, start, end, *rest = data
    span = Span(start, end)
    match kind:
        case "entity":
            hyper, fields, key, uniques, (schema, table), lost, old = rest
            return EntitySymbol(
                namespace,
                name,
                span,
                hyper,
                tuple([_field_from_json(field) for field in fields]),
                tuple(key),
                tuple([tuple(names) for names in uniques]),
                (schema, table),
                lost,
                old,
            )
        case "enum":
            labels, (schema, type_name), lost, old = rest
            return EnumSymbol(namespace, name, span, tuple(labels), (schema, type_name), lost, old)
        case "job":
            args, visible_to, lost, old = rest
            fields = tuple([_field_from_json(arg) for arg in args])
            return JobSymbol(namespace, name, span, fields, visible_to, lost, old)
        case _:
            (owner,) = rest
            return OtherSymbol(kind, namespace, name, span, None if owner is None else (owner[0], owner[1]))


def _field_to_json(field: FieldSymbol) -> list[Any]:
    known = "" if field.type.known else "!"
    flags = field.not_null | field.filled << 1 | field.primary << 2 | field.unique << 3
    return [field.name, field.span.start, field.span.end, known + spelled(field.type), flags, field.generated]


_types: dict[str, Type] = {}


def _field_from_json(data: Any) -> FieldSymbol:
    name, start, end, text, flags, generated = data
    found = _types.get(text)
    if found is None:
        parsed = parse_type(text.removeprefix("!"))
        if parsed is None:
            raise ValueError(f"`{text}` is no type")
        found = _types[text] = parsed._replace(known=not text.startswith("!"))
    return FieldSymbol(
        name,
        Span(start, end),
        found,
        flags & 1 != 0,
        flags & 2 != 0,
        flags & 4 != 0,
        flags & 8 != 0,
        generated,
    )
