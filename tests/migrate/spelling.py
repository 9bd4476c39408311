"""Schemas whose every name is one that a careless quoting would trip over. The language forbids most of them; the JSON
of a schema may carry them all."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from atl.postgres.expression import expression
from atl.postgres.scan import quote_identifier, quote_literal, tokens
from atl.schema import model as m

__all__ = ["SPELLINGS", "respell", "spell"]

_RESERVED = {"id": "user", "a": "select", "b": "table", "n": "order", "v": "all", "x": "null", "tenant": "current_user"}
SPELLINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda name: name,
    "double quote": lambda name: f'{name}"x',
    "single quote": lambda name: f"{name}'x",
    "backslash": lambda name: f"{name}\\",
    "dollar": lambda name: f"$do${name}$touch$",
    "percent": lambda name: f"%s{name}%I%%",
    "comment": lambda name: f"{name};--/*",
    "blank": lambda name: f"{name} a.b",
    "upper": lambda name: name.upper(),
    "longest": lambda name: name + "x" * (63 - len(name)),
    "multibyte": lambda name: name + "ß" * ((63 - len(name)) // 2),
    "braces": lambda name: f"{{{name}}}{{",
    "parameter": lambda name: f"{name} $1 :x",
    "newline": lambda name: f"{name}\n\\! false\r",
    "control": lambda name: f"\x01{name}\x7f\ufeff",
    "reserved": lambda name: _RESERVED.get(name, f"{name}_" if name in _RESERVED.values() else name),
}


def spell(how: str, name: str) -> str:
    return SPELLINGS[how](name) if name else name


def respell(schema: m.Schema, how: str) -> m.Schema:
    """The schema with all names of columns, tables, types, labels and checks spelled in a way; ids stay."""

    def label(text: str) -> str:
        return spell(how, text)

    def sql(entity: m.Entity, text: str) -> str:
        if not text:
            return text
        edits = {(c.start, c.end): quote_identifier(spell(how, c.name)) for c in expression(text).columns}
        labels = {quote_literal(x) for e in schema.enums.values() for x in e.labels}
        read = {c.name for c in expression(text).columns}
        of_enum = any(entity.fields[n].type.enum for n in read if n in entity.fields)
        for token in tokens(text):
            literal = text[token.start : token.end]
            if literal in labels and (of_enum or not read):
                edits[token.start, token.end] = quote_literal(spell(how, literal[1:-1]))
        for (start, end), new in sorted(edits.items(), reverse=True):
            text = text[:start] + new + text[end:]
        return text

    def field(entity: m.Entity, f: m.Field) -> m.Field:
        default = f.default
        if default is not None and f.type.enum:
            default = replace(default, text=label(default.text))
        reference = f.reference and replace(f.reference, field=spell(how, f.reference.field))
        return replace(
            f,
            name=spell(how, f.name),
            renamed_from=spell(how, f.renamed_from),
            default=default,
            reference=reference,
            check=sql(entity, f.check),
            backfill=sql(entity, f.backfill),
        )

    def index(entity: m.Entity, i: m.Index) -> m.Index:
        columns = tuple(replace(c, field=spell(how, c.field), expression=sql(entity, c.expression)) for c in i.columns)
        return replace(i, columns=columns, predicate=sql(entity, i.predicate))

    def entity(e: m.Entity) -> m.Entity:
        where, table = e.table
        return replace(
            e,
            fields={spell(how, n): field(e, f) for n, f in e.fields.items()},
            key=tuple(spell(how, n) for n in e.key),
            unique_by=tuple(sorted(tuple(sorted(spell(how, n) for n in names)) for names in e.unique_by)),
            indexes=tuple(sorted((index(e, i) for i in e.indexes), key=m.index_order)),
            checks=tuple(replace(c, name=spell(how, c.name), expression=sql(e, c.expression)) for c in e.checks),
            touch_on_update=spell(how, e.touch_on_update),
            partition=spell(how, e.partition),
            # A default table follows its entity's name only when it has the default name.
            table=(where, table) if where == "atlantis" else (spell(how, where), spell(how, table)),
        )

    def enum(e: m.Enum) -> m.Enum:
        renames: Mapping[str, str] = {label(a): label(b) for a, b in e.label_renames.items()}
        return replace(e, labels=tuple(map(label, e.labels)), label_renames=renames)

    return replace(
        schema,
        entities={id: entity(e) for id, e in schema.entities.items()},
        enums={id: enum(e) for id, e in schema.enums.items()},
    )
