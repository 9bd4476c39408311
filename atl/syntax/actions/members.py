"""The clauses of entities and hypertables, and caches."""

from __future__ import annotations

from collections.abc import Callable

from atl.syntax import nodes as n
from atl.syntax.actions.declarations import reserved
from atl.syntax.actions.stack import Action, Values


def primary_by(v: Values, end: int) -> None:
    start, _, fields = v[-3:]
    v[-3:] = (n.PrimaryBy(start, fields[-1].end, fields),)


def unique_by(v: Values, end: int) -> None:
    start, _, fields = v[-3:]
    v[-3:] = (n.UniqueBy(start, fields[-1].end, fields, None),)


def unique_by_deferrable(v: Values, end: int) -> None:
    start, _, fields, word = v[-4:]
    v[-4:] = (n.UniqueBy(start, end, fields, n.Name(word, end, "deferrable")),)


def column_field(v: Values, end: int) -> None:
    name = v[-1]
    v[-1] = n.IndexColumn(name.start, name.end, name, None, None)


def column_field_directed(v: Values, end: int) -> None:
    name, direction = v[-2:]
    v[-2:] = (n.IndexColumn(name.start, end, name, None, direction),)


def column_expr(v: Values, end: int) -> None:
    start, sql = v[-2:]
    v[-2:] = (n.IndexColumn(start, sql.end, None, sql, None),)


def column_expr_directed(v: Values, end: int) -> None:
    start, sql, direction = v[-3:]
    v[-3:] = (n.IndexColumn(start, end, None, sql, direction),)


def index(v: Values, end: int) -> None:
    start, _, columns = v[-3:]
    v[-3:] = (n.Index(start, columns[-1].end, columns, False, None),)


def partial_index(v: Values, end: int) -> None:
    start, _, _, columns, _, predicate = v[-6:]
    v[-6:] = (n.Index(start, end, columns, False, predicate),)


def unique_partial_index(v: Values, end: int) -> None:
    start, _, _, _, columns, _, predicate = v[-7:]
    v[-7:] = (n.Index(start, end, columns, True, predicate),)


def hnsw_index(v: Values, end: int) -> None:
    start, _, _, name, _, ops = v[-6:]
    v[-6:] = (n.HnswIndex(start, end, name, ops),)


def gin_index(v: Values, end: int) -> None:
    start, _, _, name = v[-4:]
    v[-4:] = (n.GinIndex(start, end, name),)


def _relation(kind: str) -> Action:
    def build(v: Values, end: int) -> None:
        start, name, _, target, _, via = v[-6:]
        if name.reserved:
            reserved(v, name)
        v[-6:] = (n.Relation(start, end, kind, name, target, via),)

    return build


def _field_clause(word: str, symbols: int) -> Action:
    def build(v: Values, end: int) -> None:
        v[-symbols:] = (n.FieldClause(v[-symbols], end, word, v[-1]),)

    return build


def with_string(node: Callable[[int, int, n.Str], n.Node]) -> Action:
    def build(v: Values, end: int) -> None:
        start, text = v[-2:]
        v[-2:] = (node(start, end, text),)

    return build


def with_duration(node: Callable[[int, int, n.Duration], n.Node], symbols: int) -> Action:
    def build(v: Values, end: int) -> None:
        v[-symbols:] = (node(v[-symbols], end, v[-1]),)

    return build


def keyless(v: Values, end: int) -> None:
    v[-1] = n.Keyless(v[-1], end)


def entity_check(v: Values, end: int) -> None:
    start, sql = v[-2:]
    v[-2:] = (n.EntityCheck(start, sql.end, sql, None),)


def entity_check_named(v: Values, end: int) -> None:
    start, sql, _, name = v[-4:]
    v[-4:] = (n.EntityCheck(start, end, sql, name),)


def cache(v: Values, end: int) -> None:
    start, _, parts, _ = v[-4:]
    v[-4:] = (n.Cache(start, end, parts),)


def read_through(v: Values, end: int) -> None:
    start, _, _, ttl = v[-4:]
    v[-4:] = (n.ReadThrough(start, ttl.end, ttl, None),)


def read_through_tagged(v: Values, end: int) -> None:
    start, _, _, ttl, _, _, tag = v[-7:]
    v[-7:] = (n.ReadThrough(start, end, ttl, tag),)


def invalidate_on(v: Values, end: int) -> None:
    start, _, writes = v[-3:]
    v[-3:] = (n.InvalidateOn(start, writes[-1].end, writes),)


def consistency(v: Values, end: int) -> None:
    start, _, value = v[-3:]
    v[-3:] = (n.Consistency(start, end, value),)


def write_self(v: Values, end: int) -> None:
    v[-4:] = (n.Write(v[-4], end, None, None, None),)


def write_entity(v: Values, end: int) -> None:
    start, _, entity, _ = v[-4:]
    v[-4:] = (n.Write(start, end, entity, None, None),)


def write_where(v: Values, end: int) -> None:
    start, _, entity, _, name, _, _, _, own, _ = v[-10:]
    v[-10:] = (n.Write(start, end, entity, name, own),)


has_many = _relation("has_many")
has_one = _relation("has_one")
soft_delete = _field_clause("soft_delete", 3)
touch_on_update = _field_clause("touch_on_update", 3)
partition = _field_clause("partition", 3)
ttl_field = _field_clause("ttl_field", 2)
table = with_string(n.TableClause)
query_timeout = with_duration(n.QueryTimeout, 3)
chunk_interval = with_duration(n.ChunkInterval, 2)
