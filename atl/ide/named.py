"""What is named at the cursor."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from atl.ide.places import cursor
from atl.ide.use_index import UnitUse, use_index
from atl.schema.index import Scope
from atl.schema.symbols import EntitySymbol, symbol_of
from atl.schema.targets import Target, Use
from atl.syntax import nodes as n
from atl.syntax.tree import Unit
from atl.syntax.walk import walk

if TYPE_CHECKING:
    from atl.postgres.scan import Token
    from atl.workspace.live import Workspace

__all__ = ["declared", "holder", "named_at", "raw_sql"]


def named_at(workspace: Workspace, path: str, offset: int) -> list[UnitUse]:
    """The uses at an offset, or right before it: none, one, or several of one place (a merged column, a bare name of
    entities in several namespaces). Inside SQL that cannot be read, what its words mean by themselves."""
    here = cursor(workspace, path, offset)
    if here is None:
        return []
    touching = [use for use in use_index(workspace).of_unit(here.unit) if _begin(use) <= here.at <= use.end]
    inside = [use for use in touching if here.at < use.end]
    if not touching and here.decl is not None:
        found = list(_loosely(workspace, here.unit, here.decl, here.at))
        found = found or list(_candidates(workspace, here.unit, here.decl, here.at))
        found = found or list(_unread(workspace, path, here.unit, offset))
        return [UnitUse(here.unit, use) for use in found]
    best = (inside or touching)[0] if touching else None
    return [UnitUse(here.unit, use) for use in touching if best and (use.start, use.end) == (best.start, best.end)]


def _begin(use: Use) -> int:
    """A parameter's dollar belongs to it, for the cursor."""
    return use.start - 1 if use.form == "parameter" else use.start


def declared(workspace: Workspace, target: Target) -> list[UnitUse]:
    """Where a target is declared: once, or several times in error."""
    return [each for each in use_index(workspace).of_target(target) if each.use.declares]


_PARTS = (n.TypeRef, n.Flag, n.Default, n.References, n.FieldCheck, n.Backfill)


def holder(unit: Unit, use: Use) -> n.Node | None:
    """The smallest member, step, parameter or declaration that a use stands in."""
    found: n.Node | None = None
    for decl in unit.chunk.declarations:
        if decl.start <= use.start <= decl.end:
            for node in walk(decl):
                if node.start <= use.start and use.end <= node.end and not isinstance(node, _PARTS):
                    found = node
    return found


def raw_sql(decl: n.Declaration) -> Iterator[n.RawSql]:
    """The SQL blocks and predicates of a declaration."""
    for node in walk(decl):
        if type(node) is n.Sql:
            yield node.sql
        elif type(node) is n.Index and node.predicate is not None:
            yield node.predicate


def _unread(workspace: Workspace, path: str, unit: Unit, offset: int) -> Iterator[Use]:
    """In a declaration with a syntax error what the text before the word makes of it."""
    from atl.ide.unread import meant_at

    tree = workspace.tree(path)
    if tree is not None and unit.chunk.raw:
        targets, start, end = meant_at(workspace, tree, offset)
        base = unit.anchor.start
        form = "parameter" if tree.file.text[start - 1 : start] == "$" else "name"
        yield from (Use(target, start - base, end - base, form) for target in targets if start >= base)


def _candidates(workspace: Workspace, unit: Unit, decl: n.Declaration, at: int) -> Iterator[Use]:
    """What a name that is not settled may mean: a bare one of several entities, one of `references` without its
    namespace."""
    from atl.check.context import Context, Settings
    from atl.check.entity_uses import USERS, EntityUse, entity_uses

    symbol = symbol_of(decl)
    scope = Scope.of(workspace.index, symbol)
    ctx = Context(unit, decl, symbol, scope, Settings())
    for node in walk(decl):
        if not isinstance(node, USERS):
            continue
        named = list(entity_uses(node, ctx))
        if type(node) is n.References and len(node.path) == 2:
            named = [EntityUse(None, node.path[0])]
        for each in named:
            if each.name.start <= at <= each.name.end:
                namespace = each.namespace.text if each.namespace is not None else None
                for found in scope.entity_candidates(namespace, each.name.text):
                    target = Target("entity", f"{found.symbol.namespace}.{found.symbol.name}")
                    yield Use(target, each.name.start, each.name.end, "name")
                return


# ---------------------------------------------------------------- SQL that cannot be read


def _loosely(workspace: Workspace, unit: Unit, decl: n.Declaration, at: int) -> Iterator[Use]:
    scope = Scope.of(workspace.index, symbol_of(decl))
    for node in walk(decl):
        match node:
            case n.Sql() if node.sql.start <= at <= node.sql.end:
                from atl.postgres.statement import parse

                if parse(node.sql.text).error is not None:
                    yield from _in_block(node, scope, at)
            case n.Index() if node.predicate is not None and node.predicate.start <= at <= node.predicate.end:
                yield from _own_field(decl, unit, node.predicate, at)
            case n.FieldCheck() | n.Backfill() | n.EntityCheck() if node.sql.start < at < node.sql.end:
                yield from _own_field(decl, unit, node.sql, at)
            case _:
                pass


def _own_field(decl: n.Declaration, unit: Unit, text: n.Node, at: int) -> Iterator[Use]:
    """The word at the cursor as a field of the entity itself, where the expression around it has an error."""
    from atl.postgres.expression import expression

    symbol = symbol_of(decl)
    start, end = _word(unit.chunk.text, at)
    name = unit.chunk.text[start:end].lower()
    if not isinstance(symbol, EntitySymbol) or start < text.start or symbol.field(name) is None:
        return
    value = text.value if isinstance(text, n.Str) else unit.chunk.text[text.start : text.end]
    if expression(value).error is not None:
        yield Use(Target("field", f"{symbol.namespace}.{symbol.name}", name), start, end, "column")


def _word(text: str, at: int) -> tuple[int, int]:
    start = end = at
    while start > 0 and (text[start - 1].isalnum() or text[start - 1] == "_"):
        start -= 1
    while end < len(text) and (text[end].isalnum() or text[end] == "_"):
        end += 1
    return start, end


def _in_block(block: n.Sql, scope: Scope, at: int) -> Iterator[Use]:
    from atl.postgres.scan import tokens
    from atl.schema.sql_uses import entity_of_table

    sql, base = block.sql.text, block.sql.start
    words = [token for token in tokens(sql) if token.kind not in ("comment", "line comment")]
    entities: dict[str, EntitySymbol] = {}
    aliases: dict[str, EntitySymbol] = {}
    for ref in block.touches:
        entity = scope.entity(ref.namespace.text if ref.namespace is not None else None, ref.name.text)
        if entity is not None:
            entities[f"{entity.namespace}.{entity.name}"] = entity
    index = 0
    while index < len(words):
        chain = _chain(sql, words, index)
        index += max(len(chain) * 2 - 1, 1)
        names = [_name(sql, token) for token in chain]
        if not names:
            continue
        entity = entity_of_table(scope, names[-2] if len(names) > 1 else None, names[-1])
        start, end = chain[0].start, chain[-1].end
        if entity is not None:
            entities[f"{entity.namespace}.{entity.name}"] = entity
            alias = words[index] if index < len(words) else None
            if alias is not None and _name(sql, alias) == "as":
                alias = words[index + 1] if index + 1 < len(words) else None
            if alias is not None and alias.kind in ("word", "quoted"):
                aliases[_name(sql, alias)] = entity
            aliases[names[-1]] = entity
            if base + start <= at <= base + end:
                yield Use(Target("entity", f"{entity.namespace}.{entity.name}"), base + start, base + end, "table")
                return
    for index in range(len(words)):
        token = words[index]
        if token.kind in ("word", "quoted") and base + token.start <= at <= base + token.end:
            name = _name(sql, token)
            owner = _name(sql, words[index - 2]) if index > 1 and sql[words[index - 1].start] == "." else ""
            within = [aliases[owner]] if owner in aliases else list(entities.values())
            having = [entity for entity in within if entity.field(name) is not None]
            if len(having) == 1:
                target = Target("field", f"{having[0].namespace}.{having[0].name}", name)
                yield Use(target, base + token.start, base + token.end, "column")
                return


def _chain(sql: str, words: list[Token], index: int) -> list[Token]:
    """The names of `a.b.c` that begins at a token."""
    found: list[Token] = []
    while index < len(words) and words[index].kind in ("word", "quoted"):
        found.append(words[index])
        if index + 1 >= len(words) or sql[words[index + 1].start] != ".":
            break
        index += 2
    return found


def _name(sql: str, token: Token) -> str:
    text = sql[token.start : token.end]
    return text[1:-1].replace('""', '"') if token.kind == "quoted" else text.lower()
