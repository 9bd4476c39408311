"""What a rule sees."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from atl.findings import Edit, Finding, Fix, Label
from atl.records import NamedTuple
from atl.schema.index import Scope
from atl.schema.symbols import EntitySymbol, EnumSymbol, JobSymbol, Symbol
from atl.source import Place
from atl.syntax import nodes
from atl.syntax.tree import Unit

__all__ = ["Context", "Settings"]


class Settings(NamedTuple):
    """What of the workspace's configuration rules read. caller: who the repository is, None when `tide.yaml` does not
    say. names_only: only what cannot be read, and names, are looked at."""

    caller: str | None = None
    names_only: bool = False


class Context:
    """One declaration under check.

    decl: its tree. symbol: what others see of it. scope: look-ups from where it stands.
    field: the field, argument, input or output that the type or modifier at hand belongs to.
    memo: shared by the rules of this declaration, for what several of them need (keyed by the helper that fills it).
    """

    __slots__ = ("decl", "field", "memo", "scope", "settings", "symbol", "unit")

    def __init__(
        self, unit: Unit, decl: nodes.Declaration, symbol: Symbol | None, scope: Scope, settings: Settings
    ) -> None:
        self.unit = unit
        self.decl = decl
        self.symbol = symbol
        self.scope = scope
        self.settings = settings
        self.memo: dict[Any, Any] = {}
        self.field: nodes.Field | nodes.Param | None = None

    @property
    def entity(self) -> EntitySymbol:
        """The symbol of this declaration, when it is an entity."""
        assert isinstance(self.symbol, EntitySymbol)
        return self.symbol

    @property
    def enum(self) -> EnumSymbol:
        assert isinstance(self.symbol, EnumSymbol)
        return self.symbol

    @property
    def job(self) -> JobSymbol:
        assert isinstance(self.symbol, JobSymbol)
        return self.symbol

    def at(self, start: int, end: int) -> Place:
        """A place in this declaration."""
        return Place(self.unit.anchor, start, end)

    def place(self, node: nodes.Node) -> Place:
        return Place(self.unit.anchor, node.start, node.end)

    def source(self, start: int, end: int) -> str:
        """The text of this chunk between two relative offsets."""
        return self.unit.chunk.text[start:end]

    def finding(
        self,
        code: str,
        where: nodes.Node | Place,
        message: str,
        *,
        primary: str = "",
        labels: Iterable[tuple[nodes.Node | Place, str]] = (),
        help: str = "",
        fixes: Iterable[Fix] = (),
        weaker: bool = False,
    ) -> Finding:
        return Finding(
            code,
            self._place(where),
            message,
            primary,
            tuple(Label(self._place(at), text) for at, text in labels),
            help,
            tuple(fixes),
            weaker,
        )

    def fix(self, title: str, *edits: tuple[nodes.Node | Place, str], safe: bool = True) -> Fix:
        """A fix of edits (what to replace, new text)."""
        return Fix(title, tuple(Edit(self._place(at), text) for at, text in edits), safe)

    def insertion(self, offset: int) -> Place:
        """The empty place at an offset of this declaration."""
        return Place(self.unit.anchor, offset, offset)

    def _place(self, where: nodes.Node | Place) -> Place:
        return where if isinstance(where, Place) else self.place(where)
