"""Which columns can be named at a place in SQL: the tables, subqueries and WITH names of the query around it, and of
the queries around that. Read token by token, so that a statement that is still being written has them too."""

from __future__ import annotations

from collections.abc import Iterator

from atl.ide.completing.blocks import Block, Item, Source
from atl.postgres.scan import Token, tokens

__all__ = ["CURSOR", "block_at", "folded", "tables_in", "words_in"]

CURSOR = "_cursor_"
"""Stands for the word that is being written."""

_DEEPEST = 60


def words_in(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(text.split()))


_BEGINS = frozenset(("select", "values", "with", "insert", "update", "delete", "table"))
_SOURCES = frozenset(("from", "join", "into", "update", "using"))
_CLAUSES = frozenset(
    words_in(
        "where on group order having limit offset fetch for window set values returning select left right inner outer "
        "full cross natural default overriding conflict do lateral only"
    )
)
_COMPOUNDS = frozenset(("union", "intersect", "except"))
_NO_ALIAS = _CLAUSES | _SOURCES | _COMPOUNDS | frozenset(("as", "and", "or", "when", "then", "end", "tablesample"))
_ENDS = _CLAUSES | _SOURCES | _COMPOUNDS
_NOT_BEHIND = frozenset("=<>+-*/%|&^~!.,(:")


def folded(sql: str, token: Token) -> str:
    """An identifier as PostgreSQL reads it."""
    text = sql[token.start : token.end]
    return text[1:].removesuffix('"').replace('""', '"') if token.kind == "quoted" else text.lower()


def tables_in(sql: str) -> Iterator[tuple[str | None, str]]:
    """Schema and name of what may be a table, all over a text."""
    waiting = [_Reader(sql).read()]
    while waiting:
        block = waiting.pop()
        waiting += reversed(block.inner)
        yield from ((source.schema, source.name) for source in block.sources if source.name)


def block_at(sql: str, start: int, end: int) -> Block:
    """The innermost query around the word at [start, end)."""
    text = f"{sql[:start]}{CURSOR}{sql[end:]}"
    best = _Reader(text).read()
    while (inner := next((each for each in best.inner if each.start <= start <= each.end), None)) is not None:
        best = inner
    return best


class _Reader:
    def __init__(self, sql: str) -> None:
        self.sql = sql
        self.found = [token for token in tokens(sql) if token.kind not in ("comment", "line comment")]
        self.texts = [folded(sql, token) for token in self.found]
        self.at = 0

    def read(self) -> Block:
        whole = Block(0, None)
        whole.end = len(self.sql)
        while self.at < len(self.found):
            self._query(whole, 0)
            self.at += 1  # a `)` too many
        return whole

    # ------------------------------------------------------------ tokens

    def _text(self, ahead: int = 0) -> str:
        at = self.at + ahead
        return self.texts[at] if at < len(self.texts) else ""

    def _names(self, ahead: int = 0) -> bool:
        """Whether a word that is no clause's stands there, or a quoted name."""
        at = self.at + ahead
        if at >= len(self.found):
            return False
        kind = self.found[at].kind
        return kind == "quoted" or (kind == "word" and self.texts[at] not in _NO_ALIAS)

    def _skip(self) -> None:
        """What is in brackets, from the opening one to behind the closing one."""
        depth = 0
        while self.at < len(self.found):
            text = self.texts[self.at]
            depth += (text == "(") - (text == ")")
            self.at += 1
            if depth <= 0:
                return

    # ------------------------------------------------------------ queries

    def _query(self, outer: Block, depth: int, apart: bool = False, inserted: bool = False) -> Block:
        """From a query's first token to the `)` that ends it, or the end. Each arm of a UNION is one of its own; the
        first gives the names. inserted: it is what an INSERT takes, which goes on behind it."""
        first: Block | None = None
        block = self._begin(outer, apart)
        clause = ""
        while self.at < len(self.found) and self._text() != ")":
            word = self._text() if self.found[self.at].kind == "word" else ""
            if inserted and (word == "returning" or (word == "on" and self._text(1) == "conflict")):
                break
            if word in _COMPOUNDS:
                self._finish(block)
                first = first or block
                self.at += 1
                named = block.named
                block, clause = self._begin(outer, apart), ""
                block.named = named
            elif word == "select" and clause == "into" and depth <= _DEEPEST:
                self._query(block, depth + 1, True, True)
                clause = word
            elif word == "update" and clause == "for":
                self.at += 1  # FOR UPDATE names no table
            elif word == "with" and not clause:
                self.at += 1
                self._with(block, depth)
            elif word in ("select", "returning"):
                self.at += 1
                clause = word
                self._items(block, depth)
            elif word in _SOURCES:
                self.at += 1
                clause = word
                self._sources(block, depth, word in ("from", "using"))
            elif self._text() == "(":
                self._bracket(block, depth)
            else:
                clause = word if word in _CLAUSES else clause or word
                self.at += 1
        self._finish(block)
        return first or block

    def _begin(self, outer: Block, apart: bool) -> Block:
        start = self.found[self.at].start if self.at < len(self.found) else len(self.sql)
        block = Block(start, outer, apart)
        outer.inner.append(block)
        return block

    def _finish(self, block: Block) -> None:
        """Up to what follows, blanks with it: what is written there belongs to this query."""
        block.end = self.found[self.at].start if self.at < len(self.found) else len(self.sql)

    def _bracket(self, block: Block, depth: int, apart: bool = False) -> Block | None:
        """A bracket in a query: a query of its own, or a part of this one."""
        if depth > _DEEPEST:
            self._skip()
            return None
        self.at += 1
        inner: Block | None = None
        if self._text() in _BEGINS:
            inner = self._query(block, depth + 1, apart)
        else:
            while self.at < len(self.found) and self._text() != ")":
                if self._text() == "(":
                    self._bracket(block, depth + 1)
                else:
                    self.at += 1
        self.at += 1
        return inner

    def _with(self, block: Block, depth: int) -> None:
        while self.at < len(self.found):
            if self._text() == "recursive":
                self.at += 1
            if not self._names():
                return
            name = self._text()
            self.at += 1
            columns = self._column_names()
            if self._text() != "as":
                return
            self.at += 1
            while self._text() in ("not", "materialized"):
                self.at += 1
            if self._text() != "(":
                return
            inner = self._bracket(block, depth, True)
            block.named[name] = Source(name, None, "", inner, columns)
            if self._text() != ",":
                return
            self.at += 1

    def _column_names(self) -> tuple[str, ...]:
        if self._text() != "(":
            return ()
        first = self.at + 1
        self._skip()
        between = range(first, min(self.at, len(self.found)) - 1)
        return tuple(self.texts[at] for at in between if self.found[at].kind in ("word", "quoted"))

    # ------------------------------------------------------------ what is read

    def _sources(self, block: Block, depth: int, listed: bool) -> None:
        """What stands behind FROM, JOIN, INTO, UPDATE, USING."""
        while self.at < len(self.found):
            lateral = False
            while self._text() in ("only", "lateral"):
                lateral = self._text() == "lateral"
                self.at += 1
            if self._text() == "(":
                if self._text(1) in _BEGINS:
                    inner = self._bracket(block, depth, not lateral)
                    self._alias(block, Source("", None, "", inner))
                elif depth > _DEEPEST:
                    self._skip()
                else:
                    # `(a join b on ...)`: its tables are this query's.
                    self.at += 1
                    self._joined(block, depth + 1)
            elif self._names():
                schema: str | None = None
                name = self._text()
                self.at += 1
                if self._text() == "." and self.at + 1 < len(self.found):
                    schema, name = name, self._text(1)
                    self.at += 2
                if self._text() == "(" and listed:
                    self._skip()  # a function
                self._alias(block, Source(name, schema, name))
            if not listed or self._text() != ",":
                return
            self.at += 1

    def _joined(self, block: Block, depth: int) -> None:
        self._sources(block, depth, True)
        while self.at < len(self.found) and self._text() != ")":
            word = self._text() if self.found[self.at].kind == "word" else ""
            if word in _SOURCES:
                self.at += 1
                self._sources(block, depth, False)
            elif self._text() == "(":
                self._bracket(block, depth)
            else:
                self.at += 1
        self.at += 1

    def _alias(self, block: Block, source: Source) -> None:
        if self._text() == "as":
            self.at += 1
        if self._names():
            source = source._replace(alias=self._text())
            self.at += 1
            if self._text() == "(" and source.block is not None:
                source = source._replace(columns=self._column_names())
        block.sources.append(source)

    # ------------------------------------------------------------ what is given

    def _items(self, block: Block, depth: int) -> None:
        """A select list, up to the clause behind it."""
        if self._text() == "distinct":
            self.at += 1
            if self._text() == "on" and self._text(1) == "(":
                self.at += 1
                self._bracket(block, depth)
        elif self._text() == "all":
            self.at += 1
        first = self.at
        while self.at <= len(self.found):
            text = self._text()
            word = self.at < len(self.found) and self.found[self.at].kind == "word"
            ended = self.at >= len(self.found) or text == ")"
            ended = ended or (word and text in _ENDS and not self._goes_on(first))
            if ended or text == ",":
                if self.at > first:
                    block.items.append(self._item(first, self.at))
                if ended:
                    return
                self.at += 1
                first = self.at
            elif text == "(":
                self._bracket(block, depth)
            else:
                self.at += 1

    def _goes_on(self, first: int) -> bool:
        """Whether a clause's word is none here: `is distinct from`, `left(a, 2)`, `t.only`."""
        before = self.texts[self.at - 1] if self.at > first else ""
        text = self._text()
        called = text in ("left", "right") and self._text(1) == "("
        return called or before == "." or (before == "distinct" and text == "from")

    def _item(self, first: int, end: int) -> Item:
        last = end - 1
        text = self.texts[last]
        if text == "*":
            return Item("", self.texts[last - 2] if last - 2 >= first and self.texts[last - 1] == "." else "")
        if self.found[last].kind not in ("word", "quoted") or text == CURSOR:
            if text == ")" and self.found[first].kind == "word" and first + 1 < end and self.texts[first + 1] == "(":
                return Item(self.texts[first])  # a function gives its name
            return Item("")
        before = self.texts[last - 1] if last > first else ""
        if last == first or before in (".", "as"):
            return Item(text)
        if before == ":":
            casted = last - 3  # `a::text` goes by `a`
            return Item(self.texts[casted] if casted >= first and self.found[casted].kind == "word" else "")
        return Item("" if before in _NOT_BEHIND or text == "end" else text)
