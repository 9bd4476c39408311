"""Writes what is generated from `atl.lark`: `atl/syntax/_table.py` and `grammar/words.json`.

    python grammar/build.py            write both
    python grammar/build.py --check    write nothing, fail when one of them is stale

The table is Lark's LALR(1) table as one list of integers: a row for each state, in it a column for each symbol, the
terminals first. An entry is 0 (an error), a state's row offset (shift, or go there after a reduction), a negative
number (reduce by rule `-1 - entry`), `FUSED + rule` (shift or go, and reduce at once: the state has no other way on, so
it has no row), or `ACCEPT`.
"""

from __future__ import annotations

import json
import logging
import struct
import sys
import zlib
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from lark import Lark, logger
from lark.lexer import Lexer, PatternStr

HERE = Path(__file__).parent
GRAMMAR = HERE / "atl.lark"
TABLE = HERE.parent / "atl" / "syntax" / "_table.py"
WORDS = HERE / "words.json"

FUSED = 1 << 20
ACCEPT = 1 << 21
UNSETTLED = ("primary", "unique", "check", "ttl", "asc", "desc", "ttl_field")
"""Words, besides the column words, whose kind the driver settles: the lexer gives them kinds without entries."""
CUTTING = ("index", "partial", "where", "sql", "{", "}", ")")
"""Spellings, besides those that begin declarations, at which the lexer has something to do: they get the last kinds."""


class NoLexer(Lexer):
    """The tokens of .atl come from its own lexer."""

    def __init__(self, conf: Any) -> None:
        pass

    def lex(self, lexer_state: Any, parser_state: Any) -> Iterator[Any]:
        return iter(())


class _Refuse(logging.Handler):
    def emit(self, record: logging.LogRecord) -> None:
        raise SystemExit(f"{GRAMMAR.name}: {record.getMessage()}")


def load() -> Lark:
    """The grammar in Lark; a conflict of any kind ends the program."""
    handler = _Refuse()
    level = logger.level
    logger.setLevel(logging.WARNING)
    logger.addHandler(handler)
    try:
        return Lark(
            GRAMMAR.read_text("utf-8"),
            parser="lalr",
            lexer=NoLexer,
            keep_all_tokens=True,
            maybe_placeholders=False,
            debug=True,
        )
    finally:
        logger.removeHandler(handler)
        logger.setLevel(level)


class Table:
    """Lark's table, numbered."""

    def __init__(self, lark: Lark) -> None:
        self.spelling = {t.name: t.pattern.value for t in lark.terminals if isinstance(t.pattern, PatternStr)}
        """Terminal to its text, where it has one alone."""
        self.table: Any = lark.parser.parser._parse_table  # type: ignore[attr-defined]
        self.sets = self._word_sets(lark)
        self.begins = self._begins(lark)
        self.unsettled = {word: f"UNSETTLED_{word.upper()}" for word in (*UNSETTLED, *self.sets["column_word"])}
        self.kinds = self._kinds()
        nonterminals = sorted({r.origin.name for r in lark.rules})
        self.columns = {name: i for i, name in enumerate([*self.kinds, *nonterminals])}
        self.width = len(self.columns)
        self.rules = sorted(lark.rules, key=lambda r: (r.origin.name, r.order, [s.name for s in r.expansion]))
        self.rule_number = {rule: i for i, rule in enumerate(self.rules)}
        self.rows = self._number()

    def _word_sets(self, lark: Lark) -> dict[str, list[str]]:
        return {
            name: sorted(self.spelling[r.expansion[0].name] for r in lark.rules if r.origin.name == name)
            for name in ("free_word", "column_word", "reserved_word")
        }

    def _begins(self, lark: Lark) -> list[str]:
        """The words that begin a declaration."""
        kinds = {r.expansion[0].name for r in lark.rules if r.origin.name == "decl"}
        return sorted(self.spelling[r.expansion[0].name] for r in lark.rules if r.origin.name in kinds)

    def _kinds(self) -> list[str]:
        """Kinds of tokens by number: terminals, kinds that Lark's table lacks, those at which the lexer acts."""
        used = {name for actions in self.table.states.values() for name in actions if name.isupper() or name[0] == "$"}
        used |= set(self.spelling)
        cutting = {name for name in used if self.spelling.get(name) in (*CUTTING, *self.begins)}
        plain = sorted(used - cutting - {"$END", "NAME"})
        return ["$END", "NAME", *plain, "NAME_BOL", "NAME_RESERVED", *self.unsettled.values(), *sorted(cutting)]

    def _only_reduce(self, state: Any) -> Any:
        """The rule by which a state reduces whatever comes, or None."""
        actions = list(self.table.states[state].values())
        if actions and all(kind.name == "Reduce" and rule is actions[0][1] for kind, rule in actions):
            return actions[0][1]
        return None

    def _number(self) -> dict[Any, int]:
        """States that need a row, in the order in which they are reached."""
        start, end = self.table.start_states["start"], self.table.end_states["start"]
        rows = {start: 0}
        queue = [start]
        for state in queue:
            for name in sorted(self.table.states[state]):
                kind, target = self.table.states[state][name]
                if kind.name != "Shift" or target in rows or target == end:
                    continue
                if self._only_reduce(target) is None:
                    rows[target] = len(rows)
                    queue.append(target)
        return rows

    def flat(self) -> list[int]:
        end = self.table.end_states["start"]
        out = [0] * (self.width * len(self.rows))
        for state, row in self.rows.items():
            base = row * self.width
            for name, (kind, target) in self.table.states[state].items():
                if kind.name == "Reduce":
                    entry = -1 - self.rule_number[target]
                elif target == end:
                    entry = ACCEPT
                else:
                    only = self._only_reduce(target)
                    entry = FUSED + self.rule_number[only] if only is not None else self.rows[target] * self.width
                out[base + self.columns[name]] = entry
            out[base + self.columns["NAME_RESERVED"]] = out[base + self.columns["NAME"]]
            if not self._waits_for_field_type(state):
                out[base + self.columns["NAME_BOL"]] = out[base + self.columns["NAME"]]
        return out

    def _waits_for_field_type(self, state: Any) -> bool:
        """After a field's name. A word at a line's start is looked at twice there: the type may be missing."""
        return any(
            not p.is_satisfied and p.index == 2 and p.next.name == "type" and p.rule.origin.name.endswith("_body")
            for p in state
        )

    def declaring(self) -> list[int]:
        """Row offsets of the states in which a NAME declares something: a reserved word is reported there."""

        def declares(pointer: Any) -> bool:
            if pointer.is_satisfied or pointer.next.name != "NAME":
                return False
            rule, index = pointer.rule, pointer.index
            name = rule.origin.name
            if name.endswith("_body"):
                return bool(index == 1)
            if index and rule.expansion[0].name in ("HAS_MANY", "HAS_ONE", "STEP"):
                return bool(index == 1)
            return name in ("param", "out_param")

        return sorted(row * self.width for state, row in self.rows.items() if any(declares(p) for p in state))

    def states_after(self, wanted: Any) -> dict[int, str]:
        """Row offsets of the states that a symbol leads to, by `wanted(symbol)`, with the symbol."""
        found = {}
        for state in self.rows:
            for name, (kind, target) in self.table.states[state].items():
                if kind.name == "Shift" and wanted(name) and target in self.rows:
                    found[self.rows[target] * self.width] = name
        return dict(sorted(found.items()))

    def callback(self, rule: Any) -> str | None:
        if rule.alias is None and rule.options.expand1 and len(rule.expansion) == 1:
            return None
        return str(rule.alias or rule.origin.name)


def table_source(table: Table) -> str:
    """The text of `_table.py`."""
    flat = table.flat()
    packed = b64encode(zlib.compress(struct.pack(f"<{len(flat)}i", *flat), 9)).decode()
    names = table.spelling
    kinds = {spelling: table.columns[table.unsettled.get(spelling, name)] for name, spelling in names.items()}
    bodies = {k: v.removesuffix("_body") for k, v in table.states_after(lambda s: s.endswith("_body")).items()}
    braces = list(table.states_after(lambda s: s in ("LBRACE",)))
    first_cutting = min(table.columns[n] for n, s in names.items() if s in (*CUTTING, *table.begins))
    lines = [
        "# Generated by grammar/build.py from grammar/atl.lark. Do not edit.",
        '"""The LALR table of the language, its kinds of tokens and its words; `grammar/build.py` says the format."""',
        "",
        "from typing import Final",
        "",
        f"WIDTH: Final = {table.width}",
        f"FUSED: Final = {FUSED}",
        f"ACCEPT: Final = {ACCEPT}",
        f"FIRST_CUTTING: Final = {first_cutting}",
        "",
        "# Kinds of tokens: columns of the table.",
        *(f"{'END' if name == '$END' else name}: Final = {table.columns[name]}" for name in table.kinds),
        "",
        "# Nonterminals: columns too.",
        "NONTERMINALS: Final[dict[str, int]] = {",
        *(f'    "{name}": {column},' for name, column in table.columns.items() if name.islower()),
        "}",
        "",
        "# What is written, to its kind.",
        "SPELLINGS: Final[dict[str, int]] = {",
        *(f'    "{spelling}": {kind},' for spelling, kind in sorted(kinds.items())),
        "}",
        "",
        "# The kind that a word has in the table, where the lexer's kind is unsettled.",
        "SETTLED: Final[dict[int, int]] = {",
        *(
            f"    {table.columns[pseudo]}: {table.columns[name]},"
            for word, pseudo in table.unsettled.items()
            for name, spelling in names.items()
            if spelling == word
        ),
        "}",
        "",
    ]
    for name, words in (
        ("FREE_WORDS", table.sets["free_word"]),
        ("COLUMN_WORDS", table.sets["column_word"]),
        ("RESERVED_WORDS", table.sets["reserved_word"]),
        ("DECLARATION_WORDS", table.begins),
    ):
        lines += [f"{name}: Final = frozenset(", "    (", *(f'        "{word}",' for word in words), "    )", ")"]
    lines += [
        "",
        "# Length, column of the left side, action.",
        "RULES: Final[tuple[tuple[int, int, str | None], ...]] = (",
        *(
            f"    ({len(r.expansion)}, {table.columns[r.origin.name]}, {table.callback(r)!r}),".replace("'", '"')
            for r in table.rules
        ),
        ")",
        "",
        "# States in which a member may begin: row offset to the body's name.",
        "BODIES: Final[dict[int, str]] = {",
        *(f'    {state}: "{body}",' for state, body in bodies.items()),
        "}",
        "",
        "# States right behind a `{`.",
        *_states("BRACES", braces),
        "",
        "# States in which a NAME declares something.",
        *_states("DECLARING", table.declaring()),
        "",
        f"ROWS: Final = {len(table.rows)}",
        "PACKED: Final = (",
        *(f'    "{packed[i : i + 110]}"' for i in range(0, len(packed), 110)),
        ")",
        "",
    ]
    return "\n".join(lines)


def _states(name: str, states: list[int]) -> list[str]:
    line = f"{name}: Final = frozenset({states})"
    if len(line) <= 120:
        return [line]
    return [f"{name}: Final = frozenset(", "    [", *(f"        {state}," for state in states), "    ]", ")"]


def words_source(table: Table) -> str:
    """The word lists for a TextMate grammar, as JSON."""
    bodies = table.states_after(lambda s: s.endswith("_body"))
    keywords: dict[str, set[str]] = {body.removesuffix("_body"): set() for body in sorted(bodies.values())}
    for state, row in table.rows.items():
        body = bodies.get(row * table.width, "").removesuffix("_body")
        for name in table.table.states[state] if body else ():
            word = {"ROW_CHECK": "check", "KEY_PRIMARY": "primary", "KEY_UNIQUE": "unique"}.get(name)
            word = word or table.spelling.get(name, "")
            if word.isidentifier():
                keywords[body].add(word)
    everything = {
        "comment": "Generated by grammar/build.py from grammar/atl.lark. Do not edit.",
        "declarations": table.begins,
        "members": {body: sorted(words) for body, words in keywords.items()},
        "modifiers": sorted({"primary", "unique", "not", "null", "check", *table.sets["column_word"]}),
        "reserved": table.sets["reserved_word"],
        "free": table.sets["free_word"],
        "column": table.sets["column_word"],
    }
    return json.dumps(everything, indent=2) + "\n"


def main(arguments: list[str]) -> int:
    table = Table(load())
    stale = []
    for path, text in ((TABLE, table_source(table)), (WORDS, words_source(table))):
        if path.exists() and path.read_text("utf-8") == text:
            continue
        if "--check" in arguments:
            stale.append(path.name)
        else:
            path.write_text(text, "utf-8")
    if stale:
        print(f"stale: {', '.join(stale)}; run python grammar/build.py", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
