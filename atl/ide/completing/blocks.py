"""A query in SQL as completion sees it: what it reads, what it gives, and the queries around and in it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

__all__ = ["Block", "Item", "Source"]


class Item(NamedTuple):
    """What a select list gives. name: "" for an expression without one. star: of `t.*` what stands before the point,
    "" for `*` alone, None for anything else."""

    name: str
    star: str | None = None


class Source(NamedTuple):
    """What a query reads. alias: what its columns are qualified by. schema, name: of a table or WITH name. block: of a
    subquery. columns: the names that the query's author gives its columns, () when none."""

    alias: str
    schema: str | None = None
    name: str = ""
    block: Block | None = None
    columns: tuple[str, ...] = ()


class Block:
    """One SELECT, INSERT, UPDATE or DELETE. start, end: offsets of its text. outer: the query around it. named: what
    its WITH gives, by name. inner: the queries in it. apart: it does not see what the query around it reads, as in FROM
    and WITH."""

    __slots__ = ("apart", "end", "inner", "items", "named", "outer", "sources", "start")

    def __init__(self, start: int, outer: Block | None, apart: bool = False) -> None:
        self.start = self.end = start
        self.outer = outer
        self.apart = apart
        self.sources: list[Source] = []
        self.named: dict[str, Source] = {}
        self.items: list[Item] = []
        self.inner: list[Block] = []

    def around(self) -> Iterator[Block]:
        """This query and those around it, the innermost first."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.outer

    def seen(self) -> Iterator[Block]:
        """Those of them whose sources can be named here."""
        block: Block | None = self
        while block is not None:
            yield block
            block = block.outer.outer if block.apart and block.outer is not None else block.outer

    def with_name(self, name: str) -> Source | None:
        return next((block.named[name] for block in self.around() if name in block.named), None)
