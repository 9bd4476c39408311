"""The registry of rules.

Each area's `__init__` lists its rules as rows: code, module, and the node types that the module's `check(node, ctx)`
is called for. A module is imported when the first node of its types is met, so a file pays for the rules it needs.
Rows without node types document a code that the parser or the runner reports. One `grep -r 'Row("ATL' atl/check` shows
all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from typing import Any

from atl.findings import CODES, Finding
from atl.records import NamedTuple
from atl.syntax import nodes

__all__ = ["CHECKS", "NAMES", "Row", "documentation", "rows"]

AREAS = ("text", "names", "values", "entities", "jobs", "workflows", "queries", "fragments")

CheckFunction = Callable[[Any, Any], Iterator[Finding]]


class Row(NamedTuple):
    """One rule. module: below `atl.check.rules.<area>`. also: other codes that it reports."""

    code: str
    module: str
    on: tuple[type[nodes.Node], ...] = ()
    also: tuple[str, ...] = ()


class _Checks(dict[type[nodes.Node], tuple[CheckFunction, ...]]):
    """The rule functions of a node type that report codes of these blocks, imported at its first use. A dictionary,
    since every node asks."""

    def __init__(self, blocks: tuple[str, ...]) -> None:
        self._blocks = blocks

    def __missing__(self, kind: type[nodes.Node]) -> tuple[CheckFunction, ...]:
        rows()
        found = self[kind] = tuple(
            import_module(f"atl.check.rules.{area}.{row.module}").check
            for area, row in _by_type.get(kind, ())
            if any(code.startswith(self._blocks) for code in (row.code, *row.also))
        )
        return found


CHECKS: dict[type[nodes.Node], tuple[CheckFunction, ...]] = _Checks(("ATL",))
NAMES: dict[type[nodes.Node], tuple[CheckFunction, ...]] = _Checks(("ATL0", "ATL1"))
"""Those alone that say what cannot be read, or names nothing (and what else the same modules find)."""

_by_type: dict[type[nodes.Node], list[tuple[str, Row]]] = {}
_rows: dict[str, tuple[str, Row]] = {}


def _read() -> None:
    for area in AREAS:
        for row in import_module(f"atl.check.rules.{area}").RULES:
            if row.code in _rows or row.code not in CODES:
                raise ValueError(f"{row.code} is registered twice or stands in no table")
            _rows[row.code] = (area, row)
            for kind in row.on:
                _by_type.setdefault(kind, []).append((area, row))


def rows() -> dict[str, tuple[str, Row]]:
    """Every registered rule with its area, by code."""
    if not _rows:
        _read()
    return _rows


def documentation(code: str) -> str:
    """The rule's page: its module's docstring (Markdown)."""
    area, row = rows()[code]
    return import_module(f"atl.check.rules.{area}.{row.module}").__doc__ or ""
