"""Runs the rules over a declaration, a file, a set of files."""

from __future__ import annotations

from collections.abc import Sequence

from atl.check.context import Context, Settings
from atl.check.registry import CHECKS, NAMES
from atl.findings import Finding
from atl.records import NamedTuple
from atl.schema.index import Index, Key, Scope
from atl.schema.symbols import Symbol, symbols_of
from atl.schema.types import BUILTINS
from atl.syntax.nodes import Field, Param, TypeRef
from atl.syntax.tree import Unit
from atl.syntax.walk import walk

__all__ = ["UnitResult", "check_unit"]


class UnitResult(NamedTuple):
    """A unit's findings, the parser's among them, before silences; and the keys its rules asked the index for: it
    need not be checked again while its text and their answers stay."""

    findings: tuple[Finding, ...]
    asked: frozenset[Key]


# Spellings of builtin types in which nothing was found (at all, or of names alone). What the rules of types say of them
# follows from the spelling, and a workspace has many fields of few types.
_SOUND: tuple[set[str], set[str]] = (set(), set())
_MOST = 10_000


def check_unit(unit: Unit, index: Index, settings: Settings, symbols: Sequence[Symbol] | None = None) -> UnitResult:
    """Run the rules over what the unit declares. symbols: of its declarations in their order, when they are known."""
    findings = unit.findings()
    asked: set[Key] = set()
    checks, extend = NAMES if settings.names_only else CHECKS, findings.extend
    text, sound = unit.chunk.text, _SOUND[settings.names_only]
    known = symbols_of(unit.chunk) if symbols is None else symbols
    for position, decl in enumerate(unit.chunk.declarations):
        symbol = known[position]
        scope = Scope.of(index, symbol)
        context = Context(unit, decl, symbol, scope, settings)
        for node in walk(decl):
            kind = type(node)
            if type(node) is Field or type(node) is Param:
                context.field = node
            elif type(node) is TypeRef and node.namespace is None and node.name.text in BUILTINS:
                spelling = text[node.start : node.end]
                if spelling in sound:
                    continue
                found = [finding for check in checks[kind] for finding in check(node, context)]
                if found:
                    extend(found)
                elif len(sound) < _MOST:
                    sound.add(spelling)
                continue
            for check in checks[kind]:
                extend(check(node, context))
        asked |= scope.asked
    return UnitResult(tuple(findings), frozenset(asked))
