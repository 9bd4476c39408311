"""What the builders of all kinds of declarations share: where they are, fields, values, durations, caches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from atl.closed import assert_never
from atl.records import NamedTuple
from atl.schema import facts
from atl.schema import model as m
from atl.schema.hints import hints
from atl.schema.index import Index, Scope
from atl.schema.symbols import symbol_of
from atl.schema.types import UNREAD, Type, parse_type, spelled, type_of
from atl.syntax import nodes as n
from atl.syntax.tree import Unit

__all__ = ["Site", "cache", "fields", "first", "params", "site", "value", "value_text"]

_Part = TypeVar("_Part", bound=n.Node)


class Site(NamedTuple):
    """A declaration where it stands. renames: old names by the `id()` of the node that the hint is at."""

    id: str
    namespace: str
    scope: Scope
    unit: Unit
    renames: Mapping[int, str]

    def where(self, node: n.Node) -> m.Where:
        anchor = self.unit.anchor
        return anchor.file.path, anchor.file.lines.line(anchor.start + node.start) + 1

    def renamed_from(self, node: n.Node) -> str:
        return self.renames.get(id(node), "")

    def entity(self, ref: n.Ref | n.Name) -> str:
        """The id of the entity that is meant; as written where there is none, or more than one."""
        namespace, name = (None, ref.text) if isinstance(ref, n.Name) else (_text(ref.namespace), ref.name.text)
        found = self.scope.entity(namespace, name)
        if found is not None:
            return f"{found.namespace}.{found.name}"
        return f"{namespace}.{name}" if namespace else name

    def job(self, ref: n.Ref) -> str:
        namespace = _text(ref.namespace) or self.namespace
        return f"{namespace}.{ref.name.text}"


def site(unit: Unit, decl: n.Declaration, index: Index) -> Site | None:
    """None for a declaration without a name or namespace."""
    symbol = symbol_of(decl)
    scope = Scope.of(index, symbol)
    if not symbol.name or not scope.namespace:
        return None
    renames = {id(hint.target): hint.old_name for hint in hints(unit.chunk) if hint.target is not None}
    return Site(f"{scope.namespace}.{symbol.name}", scope.namespace, scope, unit, renames)


def first(parts: Iterable[n.Node], kind: type[_Part]) -> _Part | None:
    """The first part of a kind: of a clause given twice the first counts."""
    return next((part for part in parts if type(part) is kind), None)


def _text(name: n.Name | None) -> str | None:
    return None if name is None else name.text


def fields(nodes: Iterable[n.Field], here: Site, *, stored: bool = False, keyed: bool = False) -> dict[str, m.Field]:
    """Fields by name, in order. The modifiers for stored rows count only where rows are stored, and `primary` only
    where there are keys, for the first field that has it."""
    found: dict[str, m.Field] = {}
    for node in nodes:
        if node.name.text not in found:
            field = found[node.name.text] = _field(node, here, stored, keyed)
            keyed = keyed and not field.primary
    return found


def _field(node: n.Field, here: Site, stored: bool, keyed: bool) -> m.Field:
    flags: list[str] = []
    default: m.Value | None = None
    reference: m.Reference | None = None
    check = backfill = ""
    for modifier in reversed(node.modifiers):
        match modifier:
            case n.Flag():
                flags.append(modifier.word)
            case n.Default():
                default = value(modifier.value)
            case n.References():
                reference = _reference(modifier, here) if stored else None
            case n.FieldCheck():
                check = modifier.sql.value
            case n.Backfill():
                backfill = modifier.sql.value if stored else ""
            case _:
                assert_never(modifier)
    generated = "" if not stored else "identity" if "identity" in flags else "serial" if "serial" in flags else ""
    primary = keyed and "primary" in flags
    return m.Field(
        name=node.name.text,
        type=_type(node.type, here),
        not_null="not null" in flags or primary or generated != "",
        primary=primary,
        unique=stored and "unique" in flags,
        generated=generated,
        default=default,
        reference=reference,
        check=check,
        backfill=backfill,
        renamed_from=here.renamed_from(node),
        where=here.where(node),
    )


def params(nodes: Iterable[n.Param], here: Site, *, inputs: bool) -> dict[str, m.Field]:
    """Inputs or outputs by name, in order."""
    found: dict[str, m.Field] = {}
    for node in nodes:
        if node.name.text not in found:
            found[node.name.text] = m.Field(
                name=node.name.text,
                type=_type(node.type, here),
                not_null=inputs,
                default=None if node.default is None else value(node.default.value),
                where=here.where(node),
            )
    return found


def _type(ref: n.TypeRef | None, here: Site) -> Type:
    made = UNREAD if ref is None else type_of(ref, here.namespace)
    # A type in error is what its spelling says, so that JSON gives the same one back.
    return made if made.known else parse_type(spelled(made)) or UNREAD


def _reference(node: n.References, here: Site) -> m.Reference:
    actions = {action.event: action.action for action in reversed(node.actions)}
    names = [name.text for name in node.path]
    match node.path:
        case [_, _, _]:
            entity = f"{names[0]}.{names[1]}"
        case [name, _]:
            entity = here.entity(name)
        case _:
            entity = ".".join(names[:-1])
    return m.Reference(entity, names[-1] if names else "", actions.get("delete", ""), actions.get("update", ""))


# ---------------------------------------------------------------- values


def value(node: n.DefaultValue | n.Value | n.Expr) -> m.Value | None:
    """A literal or raw default; None for what is no value."""
    match node:
        case n.Str():
            return m.Value("string", node.value)
        case n.Int():
            return m.Value("integer", _digits(node.value))
        case n.Bool():
            return m.Value("boolean", "true" if node.value else "false")
        case n.Now():
            return m.Value("now", "")
        case n.Raw():
            return m.Value("raw", node.sql.value)
        case n.Decimal():
            return m.Value("raw", node.text)
        case n.Call() | n.Word() | n.Duration() | n.Parameter() | n.Column() | n.Expr():
            return None
        case _:
            assert_never(node)


def value_text(node: n.Value) -> str:
    """A value of a typed step in canonical text."""
    match node:
        case n.Parameter():
            return f"${node.name}"
        case n.Column():
            return node.name.text
        case n.Str():
            return facts.value_text(m.Value("string", node.value))
        case n.Int():
            return _digits(node.value)
        case n.Bool():
            return "true" if node.value else "false"
        case n.Now():
            return "now()"
        case n.Decimal() | n.Duration():
            return node.text
        case _:
            assert_never(node)


def _digits(number: int) -> str:
    """Decimal digits. No type has room for more than a thousand, and Python prints no more than 4300."""
    return str(max(-_MOST, min(number, _MOST)))


_MOST: int = 10**1000


def cache(node: n.Cache | None, here: Site) -> m.Cache | None:
    if node is None:
        return None
    read = first(node.parts, n.ReadThrough)
    invalidate, consistency = first(node.parts, n.InvalidateOn), first(node.parts, n.Consistency)
    writes: set[m.CacheWrite] = set()
    for write in () if invalidate is None else invalidate.writes:
        if write.entity is None:
            writes.add(m.CacheWrite("self"))
        else:
            writes.add(m.CacheWrite(here.entity(write.entity), _text(write.field) or "", _text(write.own) or ""))
    return m.Cache(
        ttl_ms=None if read is None else read.ttl.ms,
        tag=None if read is None or read.tag is None else read.tag.value,
        invalidate_on=tuple(sorted(writes, key=lambda write: (write.entity, write.field, write.own))),
        consistency="" if consistency is None else consistency.value,
    )
