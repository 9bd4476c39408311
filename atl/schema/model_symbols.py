"""What other declarations see of a resolved model, for sides of a comparison that have no trees."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from atl.schema import model as m
from atl.schema.index import Index
from atl.schema.symbols import EntitySymbol, EnumSymbol, FieldSymbol, JobSymbol, Symbol
from atl.source import Anchor, SourceFile, Span

__all__ = ["index_of_model"]

_NOWHERE = Span(0, 0)


def index_of_model(schema: m.Schema) -> Index:
    """An index of the entities, enums and jobs; they stand in a file without a name."""
    index = Index()
    index.add("", [(symbol, Anchor(SourceFile("", ""))) for symbol in _symbols(schema)])
    return index


def _symbols(schema: m.Schema) -> Iterator[Symbol]:
    for entity in schema.entities.values():
        namespace, name = entity.id.split(".", 1)
        uniques = (entity.key, *((f.name,) for f in entity.fields.values() if f.unique), *entity.unique_by)
        fields = _fields(entity.fields.values())
        yield EntitySymbol(
            namespace, name, _NOWHERE, entity.hyper, fields, entity.key, uniques, entity.table, lost=False
        )
    for enum in schema.enums.values():
        namespace, name = enum.id.split(".", 1)
        yield EnumSymbol(namespace, name, _NOWHERE, enum.labels, enum.type_name, lost=False)
    for job in schema.jobs.values():
        namespace, name = job.id.split(".", 1)
        yield JobSymbol(namespace, name, _NOWHERE, _fields(job.args.values()), job.visible_to, lost=False)


def _fields(fields: Iterable[m.Field]) -> tuple[FieldSymbol, ...]:
    return tuple(
        FieldSymbol(f.name, _NOWHERE, f.type, f.not_null, f.default is not None or f.generated != "") for f in fields
    )
