"""Runs the rules over a declaration, a file, a set of files."""

from __future__ import annotations

from collections.abc import Sequence

from atl.check.context import Context, Settings
from atl.check.registry import CHECKS, NAMES
from atl.findings import Finding
from atl.records import NamedTuple
from atl.schema.index import Index, Key, Scope
from atl.schema.symbols import Symbol, symbol_of
from atl.syntax.nodes import Field, Param
from atl.syntax.tree import Unit
from atl.syntax.walk import walk

__all__ = ["UnitResult", "check_unit"]


class UnitResult(NamedTuple):
    """A unit's findings, the parser's among them, before silences; and the keys its rules asked the index for: it
    need not be checked again while its text and their answers stay."""

    findings: tuple[Finding, ...]
    asked: frozenset[Key]


def check_unit(unit: Unit, index: Index, settings: Settings, symbols: Sequence[Symbol] | None = None) -> UnitResult:
    """Run the rules over what the unit declares. symbols: of its declarations in their order, when they are known."""
    findings = unit.findings()
    asked: set[Key] = set()
    checks, extend = NAMES if settings.names_only else CHECKS, findings.extend
    for position, decl in enumerate(unit.chunk.declarations):
        symbol = symbol_of(decl) if symbols is None else symbols[position]
        scope = Scope.of(index, symbol)
        context = Context(unit, decl, symbol, scope, settings)
        for node in walk(decl):
            if type(node) is Field or type(node) is Param:
                context.field = node
            for check in checks[type(node)]:
                extend(check(node, context))
        asked |= scope.asked
    return UnitResult(tuple(findings), frozenset(asked))
