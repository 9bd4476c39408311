"""Lark as the driver's oracle.

Lark's own LALR parser runs over our tokens. What each word is, is decided here a second time, by trying: a word is the
keyword it spells where Lark takes that, else a name; the column rule is as the language's page states it. Lark's tree
is then turned into nodes by the same actions, after the fact.
"""

from __future__ import annotations

import importlib.util
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from lark import Lark, Token, Tree, UnexpectedInput

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.actions import BY_NAME, MAKERS, Values
from atl.syntax.lexer import Lexer, LexToken

__all__ = ["build", "declarations"]

GRAMMAR = Path(__file__).parents[2] / "grammar"
NAMES = (k.NAME, k.NAME_BOL)


def build() -> ModuleType:
    """`grammar/build.py`, which is in no package."""
    spec = importlib.util.spec_from_file_location("grammar_build", GRAMMAR / "build.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@cache
def grammar() -> tuple[Lark, dict[str, str]]:
    """The grammar, and the terminal that each spelling is."""
    lark: Lark = build().load()
    return lark, {t.pattern.value: t.name for t in lark.terminals if t.pattern.type == "str"}


def declarations(text: str) -> list[n.Node]:
    """The declarations of a text without errors, as Lark reads them. Raises where Lark finds an error."""
    lexer, at, found = Lexer(text), 0, []
    while at < len(text):
        chunk = lexer.chunk(at)
        found += _Reading(text[at : at + chunk.end], chunk.tokens).nodes()
        at += chunk.end
    return found


class _Reading:
    def __init__(self, text: str, tokens: list[LexToken]) -> None:
        self.lark, self.terminals = grammar()
        self.text = text
        self.tokens = tokens
        self.parser = self.lark.parse_interactive("")
        self.field = -1

    def nodes(self) -> list[n.Node]:
        for index in range(len(self.tokens) - 1):
            self.read(index)
        tree = self.parser.feed_eof()  # type: ignore[no-untyped-call]
        values = Values(self.text)
        self.build(tree, values)
        return values[0]  # type: ignore[no-any-return]

    def read(self, index: int) -> None:
        """Feed the first reading of a token that Lark takes, and remember whether it names a field."""
        token = self.tokens[index]
        for reading in self.readings(index):
            parser = self.parser.copy()  # type: ignore[no-untyped-call]
            try:
                for kind in reading:
                    parser.feed_token(Token(kind, token))
            except UnexpectedInput:
                continue
            self.parser = parser
            break
        else:
            raise AssertionError(f"Lark takes no reading of {token}")
        state = self.parser.parser_state.state_stack[-1]
        items = [(p.rule.origin.name.endswith("_body"), p.index) for p in state]
        if (True, 2) in items and reading[-1] == "NAME":
            self.field = token[1]
        elif token[3] in ("{", "}") or any(
            p.rule.origin.name in ("member", "clause", "ttl", "chunk_interval") and p.index == 1 for p in state
        ):
            self.field = -1

    def readings(self, index: int) -> list[tuple[str, ...]]:
        kind, start, _, text = self.tokens[index]
        following = self.tokens[index + 1][3]
        spelled = self.terminals.get(text)
        if kind == k.RAW_SQL:
            return [("RAW_SQL",)]
        if kind == k.PREDICATE:
            return [("PREDICATE",)]
        if spelled is None:
            values = {k.INT: "INT", k.DECIMAL: "DECIMAL", k.DURATION: "DURATION", k.STRING: "STRING", k.PARAM: "PARAM"}
            if kind not in NAMES:
                return [(values[kind],)]
            new_line = "\n" in self.text[self.tokens[index - 1][2] : start] if index else True
            return [("NAME",), ("COMMA", "NAME")] if new_line else [("NAME",), ("BARE",)]
        name = [("NAME",), ("COMMA", "NAME")] if following == ":" else [("NAME",)]
        if text == "null":
            name.append(("BARE",))
        if text in ("primary", "unique") and following == "by":
            return [("KEY_" + spelled,), *name]
        if text == "unique" and following == "index" and not self.modifies(start):
            return [("UNIQUE_INDEX",)]
        if text == "check" and not self.modifies(start):
            return [("ROW_CHECK",), ("CHECK",)]
        if text in k.COLUMN_WORDS and self.field >= 0 and not self.modifies(start):
            return [*name, (spelled,)]
        if (text == "default" and following == ":") or (text == "ttl" and following != "="):
            return [*name, (spelled,)]
        return [(spelled,), *name]

    def modifies(self, start: int) -> bool:
        """The column rule, for a word at `start` behind the current field."""
        if self.field < 0:
            return False
        lines = self.text[:start].encode().split(b"\n")
        field = self.text[: self.field].encode().split(b"\n")
        return len(lines) == len(field) or len(lines[-1]) > len(field[-1])

    def build(self, tree: Tree[Any] | Token, values: Values) -> int:
        """Leave a tree's value on the stack; the end of its last token."""
        if isinstance(tree, Token):
            kind, start, end, text = tree.value
            make = MAKERS[{"NAME": k.NAME, "BARE": k.BARE}.get(tree.type, kind)]
            values.append(start if (tree.type == "COMMA" and text != ",") or make is None else make(start, end, text))
            return int(end)
        end = 0
        for child in tree.children:
            end = max(end, self.build(child, values))
        BY_NAME[str(tree.data)](values, end)
        return end
