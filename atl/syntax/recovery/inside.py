"""Errors inside a member: what is missing or too many, and skipping to what fits again."""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.driver import TABLE, Run
from atl.syntax.recovery.clauses import member_kind, read
from atl.syntax.recovery.places import (
    NAMES,
    OPENING,
    feed_missing,
    fits,
    pop_at_brace,
    pop_for,
    pop_to_member,
    readings,
)
from atl.syntax.recovery.report import unexpected
from atl.syntax.words import begins_declaration, is_word

__all__ = ["delete", "insert", "panic"]

_INSERTABLE = (
    *(k.EQUAL, k.COLON, k.IN, k.FOR, k.BY, k.ON, k.VIA, k.OPS, k.TTL, k.NULL, k.SET, k.TOUCHES),
    *(k.COMMA, k.RPAR, k.LPAR, k.LBRACE),
)
"""What is read on without; a word before a sign."""


def insert(parse: Run, index: int) -> int:
    """One word or sign is missing: read on as if it were there. The token to go on at, or -1."""
    if TABLE[parse.states[-1] + k.NONTERMINALS["label"]]:
        return -1
    for missing in _INSERTABLE:
        if not TABLE[parse.states[-1] + missing]:
            continue
        for each in readings(parse, index):
            for behind in readings(parse, index + 1):
                if parse.viable_sequence((missing, each, behind)):
                    unexpected(parse, index)
                    if _in_clause(parse) and (missing != k.LBRACE or each == k.RAW_SQL):
                        return _drop_clause(parse, missing, index)
                    feed_missing(parse, missing, parse.tokens[index - 1][2])
                    return index
    return -1


def _in_clause(parse: Run) -> bool:
    """Whether a member other than a field is being read, and not one inside its braces."""
    level = parse.body()
    return parse.brace() < level < len(parse.states) - 1 and type(parse.values[level]) is not n.Name


def _drop_clause(parse: Run, missing: int, index: int) -> int:
    """Read the rest of a clause that lacks a word or sign, and leave it out: what it means is a guess."""
    level = parse.body()
    end = read(parse, index, [*parse.states[level:]], missing)
    if end < 0:
        return panic(parse, index)
    parse.cut(level)
    return end


def delete(parse: Run, index: int) -> int:
    """A sign too many: `, ,`, or `=` before a value."""
    kind = parse.tokens[index][0]
    if any(TABLE[parse.states[-1] + k.NONTERMINALS[each]] for each in ("param", "out_param", "arg", "set")):
        # Not a sign too many, but a name that is missing before it.
        return -1 if kind != k.COMMA else _doubled(parse, index)
    return _doubled(parse, index)


def _doubled(parse: Run, index: int) -> int:
    kind = parse.tokens[index][0]
    doubled = kind in (k.COMMA, k.DOT, k.COLON, k.EQUAL) and (
        parse.tokens[index - 1][0] == kind or kind in (k.EQUAL, k.COLON) or parse.tokens[index - 1][0] in OPENING
    )
    if doubled and not parse.first_on_line(index + 1) and fits(parse, index + 1):
        unexpected(parse, index)
        return index + 1
    return -1


def _begins_member(parse: Run, index: int) -> bool:
    return bool(TABLE[parse.states[parse.body()] + member_kind(parse, index)])


def panic(parse: Run, index: int) -> int:
    """Skip to the next token that fits somewhere in the open member, or begins the next one."""
    tokens = parse.tokens
    depth = 0
    while True:
        kind, _, _, text = tokens[index]
        if kind == k.END:
            return index
        if depth == 0:
            if kind == k.RBRACE:
                return pop_at_brace(parse, index)
            if kind in (k.COMMA, k.RPAR, k.RSQB):
                if pop_for(parse, index, kind):
                    return index
            elif is_word(text):
                if parse.first_on_line(index) or begins_declaration(parse, index):
                    member = parse.brace() < parse.body() and (kind in NAMES or _begins_member(parse, index))
                    if member or not pop_for(parse, index, *readings(parse, index)):
                        pop_to_member(parse)
                    return index
                if kind not in NAMES and pop_for(parse, index, member_kind(parse, index), k.SETTLED.get(kind, kind)):
                    return index
        if kind in (k.LBRACE, k.LPAR):
            depth += 1
        elif kind in (k.RBRACE, k.RPAR):
            depth = max(depth - 1, 0)
        index += 1
