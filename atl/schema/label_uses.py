"""Constants in SQL that are certainly labels of an enum, by the column that they are compared with or written to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from atl.postgres import scan
from atl.schema.index import Scope
from atl.schema.symbols import EnumSymbol
from atl.schema.targets import Target, Use

__all__ = ["label_uses", "significant"]

Tokens = list[tuple[scan.Token, str]]
"""Tokens that are no comments, each with its text in lower case."""


def significant(sql: str) -> Tokens:
    found = [token for token in scan.tokens(sql) if token.kind not in ("comment", "line comment")]
    return [(token, sql[token.start : token.end].lower()) for token in found]


# What may stand around `column = 'label'` so that nothing else takes one of the two: words, and these signs.
_BEFORE = frozenset("(,")
_BEHIND = frozenset("),;:")


def label_uses(sql: str, enums: Mapping[int, str], scope: Scope) -> Iterator[Use]:
    """`c = 'label'`, in a condition or a SET; `c in ('label', ...)`; `case c when 'label' then`; the values of an
    INSERT with its columns.

    enums: the enum's id by where a column's name starts. Spans are relative to `sql`.
    """
    if enums and "'" in sql:
        yield from _Reader(sql, enums, scope).labels()


class _Reader:
    def __init__(self, sql: str, enums: Mapping[int, str], scope: Scope) -> None:
        self.sql = sql
        self.tokens = significant(sql)
        found = {at: scope.enum(id) for at, id in enums.items()}
        self.enums = {at: enum for at, enum in found.items() if enum is not None}

    def labels(self) -> Iterator[Use]:
        # What a `when` of the innermost CASE is compared with; brackets have nothing.
        around: list[EnumSymbol | None] = []
        for at, (token, text) in enumerate(self.tokens):
            enum = self.enums.get(token.start)
            if enum is not None:
                yield from self.compared(at, enum)
            elif text == "insert":
                yield from self.inserted(at)
            elif text == "case" or text == "(":
                around.append(self.operand(at + 1) if text == "case" else None)
            elif (text == "end" or text == ")") and around:
                around.pop()
            elif text == "when" and around and around[-1] is not None and self.text(at + 2) == "then":
                yield from self.label(at + 1, around[-1])

    def operand(self, at: int) -> EnumSymbol | None:
        """The enum of `a.c` in `case a.c when`."""
        while self.text(at + 1) == ".":
            at += 2
        alone = at < len(self.tokens) and self.text(at + 1) == "when"
        return self.enums.get(self.tokens[at][0].start) if alone else None

    def text(self, at: int) -> str:
        return self.tokens[at][1] if 0 <= at < len(self.tokens) else ""

    def is_string(self, at: int) -> bool:
        return 0 <= at < len(self.tokens) and self.tokens[at][0].kind == "string"

    def edge(self, at: int, signs: frozenset[str]) -> bool:
        inside = 0 <= at < len(self.tokens)
        return not inside or self.tokens[at][0].kind in ("word", "quoted") or self.text(at) in signs

    def label(self, at: int, enum: EnumSymbol) -> Iterator[Use]:
        if self.is_string(at) and self.text(at)[0] == "'":
            token = self.tokens[at][0]
            value = self.sql[token.start + 1 : token.end - 1].replace("''", "'")
            if not token.open and value in enum.labels:
                yield Use(Target("label", f"{enum.namespace}.{enum.name}", value), token.start, token.end, "literal")

    # ------------------------------------------------------------ conditions

    def compared(self, at: int, enum: EnumSymbol) -> Iterator[Use]:
        first, behind = at, at + 1
        while self.text(first - 1) == "." and first > 1:
            first -= 2
        if self.edge(first - 1, _BEFORE):
            right = self.operator(behind, 1)
            if right >= 0 and self.edge(right + 1, _BEHIND):
                yield from self.label(right, enum)
            listed = behind + 1 if self.text(behind) == "not" else behind
            if self.text(listed) == "in" and self.text(listed + 1) == "(":
                each = listed + 2
                while self.is_string(each):
                    yield from self.label(each, enum)
                    each += 2 if self.text(each + 1) == "," else len(self.tokens)
        if self.edge(behind, _BEHIND):
            left = self.operator(first - 1, -1)
            if left >= 0 and self.edge(left - 1, _BEFORE):
                yield from self.label(left, enum)

    def operator(self, at: int, step: int) -> int:
        """Where `=`, `<>` or `!=` at `at` leads in that direction; -1 when it is none of them."""
        pair = self.text(at) + self.text(at + 1) if step > 0 else self.text(at - 1) + self.text(at)
        if pair in ("<>", "!="):
            return at + 2 * step
        beyond = self.text(at + step)
        return at + step if self.text(at) == "=" and beyond not in ("<", ">", "!", "=") else -1

    # ------------------------------------------------------------ INSERT

    def inserted(self, at: int) -> Iterator[Use]:
        """`insert into t (c, ...) values ('label', ...), ...`."""
        while at < len(self.tokens) and self.text(at) != "(":
            if self.text(at) in ("values", "select", ";"):
                return
            at += 1
        columns: list[EnumSymbol | None] = []
        at += 1
        while at < len(self.tokens) and self.text(at) != ")":
            columns.append(self.enums.get(self.tokens[at][0].start))
            if self.text(at + 1) not in (",", ")"):
                return
            at += 2 if self.text(at + 1) == "," else 1
        at += 1
        if self.text(at) != "values":
            return
        while self.text(at) in ("values", ",") and self.text(at + 1) == "(":
            at += 2
            column = depth = 0
            while at < len(self.tokens) and depth >= 0:
                text = self.text(at)
                enum = columns[column] if column < len(columns) else None
                alone = depth == 0 and self.text(at - 1) in ("(", ",") and self.text(at + 1) in (",", ")", ":")
                if enum is not None and alone:
                    yield from self.label(at, enum)
                depth += (text == "(") - (text == ")")
                column += depth == 0 and text == ","
                at += 1
