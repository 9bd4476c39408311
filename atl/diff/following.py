"""The old side's SQL as it would read had it always used the new names.

What follows a rename is no change of its own: a check, an index or a query that names a renamed thing by its new name
means what it meant. Two texts are compared by what these functions give.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cached_property
from itertools import pairwise

from atl.diff.renames import Renames
from atl.diff.text import canonical
from atl.postgres.expression import canonical_expression, canonical_statement, expression
from atl.postgres.scan import quote_identifier, quote_literal, tokens
from atl.schema import model as m
from atl.schema.index import Scope
from atl.schema.model_symbols import index_of_model
from atl.schema.naming import clip, default_physical, snake_case
from atl.schema.sql_uses import entity_of_table

__all__ = ["Following"]


class Following:
    """Ids are those of the new side; where nothing is renamed, SQL is compared as it stands."""

    def __init__(self, old: m.Schema, followed: m.Schema, renames: Renames) -> None:
        self._old = old
        self._followed = followed
        self._renames = renames

    def expression(self, id: str, sql: str) -> str:
        """An expression over an entity's columns, in the form in which it is compared; "" stays ""."""
        if not sql:
            return ""
        renamed = self._renames.of_fields(id)
        text = canonical_expression(sql, renamed) if renamed else canonical(sql)
        entity = self._followed.entities.get(id)
        if entity is None or not self._renames.labels:
            return text
        read = {renamed.get(column.name, column.name) for column in expression(sql).columns}
        return _with_labels(text, self._labels(f for f in entity.fields.values() if f.name in read))

    def text(self, id: str, sql: str) -> str:
        """An expression over an entity's columns, written with the new names."""
        renamed = self._renames.of_fields(id)
        if not renamed and not self._renames.labels:
            return sql
        read = expression(sql)
        edits = {
            (column.start, column.end): quote_identifier(renamed[column.name])
            for column in read.columns
            if column.name in renamed
        }
        entity = self._followed.entities.get(id)
        if entity is not None and self._renames.labels:
            names = {renamed.get(column.name, column.name) for column in read.columns}
            labels = self._labels(f for f in entity.fields.values() if f.name in names)
            spelled = {quote_literal(a): quote_literal(b) for a, b in labels.items()}
            for token in tokens(sql) if labels else ():
                text = sql[token.start : token.end]
                if text in spelled:
                    edits[token.start, token.end] = spelled[text]
        return _edited(sql, edits)

    def value(self, kind_of: m.Field, sql: str) -> str:
        """A check of an argument or state field."""
        return _with_labels(canonical_expression(sql), self._labels([kind_of])) if sql else ""

    def statement(self, step: m.SqlStep) -> str:
        """A block, in the form in which it is compared. step: of the followed side, whose SQL has the old names."""
        renames = self._renames
        sql = self._renamed(step.sql) if renames.entities or renames.fields else step.sql
        text = canonical_statement(sql)
        if not renames.labels:
            return text
        touched = (self._followed.entities[id] for id in step.touches if id in self._followed.entities)
        return _with_labels(text, self._labels(f for entity in touched for f in entity.fields.values()))

    def _labels(self, fields: Iterable[m.Field]) -> dict[str, str]:
        found: dict[str, str] = {}
        for field in fields:
            found |= self._renames.labels.get(field.type.enum, {})
        return found

    @cached_property
    def _scope(self) -> Scope:
        return Scope(index_of_model(self._old), "")

    def _renamed(self, sql: str) -> str:
        """A block with its tables, and the columns that are certain, under their new names."""
        from atl.postgres.statement import column_uses, parse
        from atl.postgres.text import fold

        parsed = parse(sql)
        edits: dict[tuple[int, int], str] = {}
        tables: dict[str, str] = {}
        for table in parsed.tables:
            entity = entity_of_table(self._scope, table.schema, table.name)
            id = f"{entity.namespace}.{entity.name}" if entity is not None else ""
            if id in self._renames.entities:
                name = _table(table.schema, table.name, self._old.entities[id], self._renames.entities[id])
                tables[table.name] = name
                edits[table.start, table.end] = f"{table.schema}.{name}" if table.schema else name

        def columns(schema: str | None, name: str) -> list[str] | None:
            found = entity_of_table(self._scope, schema, name)
            return None if found is None else [field.name for field in found.fields]

        for column in column_uses(parsed, columns):
            entity = entity_of_table(self._scope, *column.table)
            if entity is not None:
                id = f"{entity.namespace}.{entity.name}"
                new = self._renames.of_fields(self._renames.entities.get(id, id)).get(column.name)
                if new is not None:
                    edits[column.start, column.end] = new
        if tables:
            # A table's own name may stand before its columns.
            words = [token for token in tokens(sql) if token.kind not in ("comment", "line comment")]
            for word, dot in pairwise(words):
                name = fold(sql[word.start : word.end])
                if name in tables and sql[dot.start] == "." and not any(a <= word.start < b for a, b in edits):
                    edits[word.start, word.end] = tables[name]
        return _edited(sql, edits)


def _edited(sql: str, edits: Mapping[tuple[int, int], str]) -> str:
    out, at = [], 0
    for (start, end), text in sorted(edits.items()):
        out += [sql[at:start], text]
        at = end
    return "".join([*out, sql[at:]])


def _table(schema: str | None, name: str, old: m.Entity, new_id: str) -> str:
    """A table's name in SQL, in the spelling in which it stands there."""
    namespace, bare = old.id.split(".", 1)
    new_namespace, new_bare = new_id.split(".", 1)
    if (schema or "") == namespace.lower() and name == clip(snake_case(bare)):
        return clip(snake_case(new_bare))
    if old.table == default_physical(namespace, bare):
        return clip(f"{new_namespace}_{snake_case(new_bare)}".lower())
    return name


def _with_labels(text: str, labels: Mapping[str, str]) -> str:
    """Canonical text with string constants that are renamed labels under their new names, all at once."""
    if not labels:
        return text
    import re
    from json import dumps

    spelled = {
        _CONSTANT % dumps(a, ensure_ascii=False): _CONSTANT % dumps(b, ensure_ascii=False) for a, b in labels.items()
    }
    return re.sub("|".join(map(re.escape, spelled)), lambda found: spelled[found[0]], text)


_CONSTANT = '{"A_Const":{"sval":{"sval":%s}}}'
