"""Errors inside a member: what is missing or too many, and skipping to what fits again."""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import is_word
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
    skip_member,
)
from atl.syntax.recovery.report import unexpected
from atl.syntax.words import begins_declaration

__all__ = ["damaged_type", "delete", "insert", "panic", "surplus_name"]

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


def damaged_type(parse: Run, index: int) -> int:
    """An error between a type's brackets leaves the type unknown. The token behind them, or -1."""
    states, tokens = parse.states, parse.tokens
    lowest = max(parse.brace(), parse.body())
    type_ = k.NONTERMINALS["type"]
    level = next((i for i in range(len(states) - 2, lowest - 1, -1) if TABLE[states[i] + type_]), -1)
    if level < max(0, len(states) - _IN_TYPE) or states[level + 1] == TABLE[states[level] + type_]:
        return -1
    unexpected(parse, index)
    parse.cut(level)
    parse.push("type", None)
    while not parse.first_on_line(index) and tokens[index][0] not in (k.RBRACE, k.END):
        index += 1
        if tokens[index - 1][0] == k.RPAR:
            break
    return index


_IN_TYPE = 9
"""More states than a type that is being read can have: `namespace.name(parameters, -`."""


def delete(parse: Run, index: int) -> int:
    """A sign too many: `, ,`, or `=` before a value."""
    kind = parse.tokens[index][0]
    if any(TABLE[parse.states[-1] + k.NONTERMINALS[each]] for each in ("param", "out_param", "arg", "set")):
        # Not a sign too many, but a name that is missing before it.
        return -1 if kind != k.COMMA else _doubled(parse, index)
    return _doubled(parse, index)


def _doubled(parse: Run, index: int) -> int:
    kind = parse.tokens[index][0]
    doubled = kind in (k.COMMA, k.COLON, k.EQUAL) and (
        parse.tokens[index - 1][0] == kind or kind in (k.EQUAL, k.COLON) or parse.tokens[index - 1][0] in OPENING
    )
    if doubled and not parse.first_on_line(index + 1) and fits(parse, index + 1):
        unexpected(parse, index)
        # `= :id` is a parameter as SQL drivers spell it: the word behind is no column then.
        if kind == k.COLON and TABLE[parse.states[-1] + k.NONTERMINALS["value"]]:
            parse.values.lost = True
        return index + 1
    return -1


def surplus_name(parse: Run, index: int) -> int:
    """A name too many: the namespace of what takes a bare name, or `from` of SQL. The token to go on at, or -1."""
    if not index or type(parse.values[-1]) is not n.Name or not is_word(parse.tokens[index - 1][3]):
        return -1
    state, before = parse.states[-1], parse.tokens[index - 1][3]
    bare = TABLE[state + k.VIA] or (TABLE[state + k.RPAR] and TABLE[state + k.WHERE])
    if parse.tokens[index][0] == k.DOT and bare and is_word(parse.tokens[index + 1][3]):
        unexpected(parse, index, help=f"write the bare name `{parse.tokens[index + 1][3]}`")
        parse.states.pop()
        parse.values.pop()
        return index + 1
    step = parse.tokens[index - 2][0] in (k.DELETE, k.INSERT) if index > 1 else False
    if (
        step
        and before in ("from", "into")
        and is_word(parse.tokens[index][3])
        and not TABLE[state + member_kind(parse, index)]
    ):
        unexpected(parse, index, help=f"drop the `{before}`")
        parse.states.pop()
        parse.values.pop()
        return index
    return -1


def _in_insert(parse: Run) -> bool:
    """Whether the columns of an `insert` are being read: without one of them it would say something else."""
    level = parse.body()
    return level >= 0 and k.BODIES[parse.states[level]] == "steps" and parse.brace() > level


def _leave_out(parse: Run, index: int, kind: int) -> int:
    """Go on in a field or in a list between braces; the rest of any other member is passed over with it."""
    if not _in_clause(parse) and not _in_insert(parse):
        return index
    level = parse.body()
    end = read(parse, index, [*parse.states[level:]], k.SETTLED.get(kind, kind), 1)
    parse.cut(level)
    return end if end >= 0 else skip_member(parse, index)


def _begins_member(parse: Run, index: int) -> bool:
    return bool(TABLE[parse.states[parse.body()] + member_kind(parse, index)])


def panic(parse: Run, index: int) -> int:
    """Skip to the next token that fits somewhere in the open member, or begins the next one."""
    tokens = parse.tokens
    parse.values.lost = True
    depth = 0
    while True:
        kind, _, _, text = tokens[index]
        if kind == k.END:
            return index
        if depth == 0:
            if kind == k.RBRACE:
                if _in_insert(parse):
                    parse.cut(parse.body())
                    return index + 1
                return pop_at_brace(parse, index)
            if kind in (k.COMMA, k.RPAR, k.RSQB):
                if pop_for(parse, index, kind):
                    return _leave_out(parse, index, kind)
                if kind == k.COMMA and is_word(tokens[index + 1][3]) and pop_for(parse, index + 1, k.NAME):
                    return index + 1
            elif is_word(text):
                if parse.first_on_line(index) or begins_declaration(parse, index):
                    member = parse.brace() < parse.body() and (kind in NAMES or _begins_member(parse, index))
                    if member or not pop_for(parse, index, *readings(parse, index)):
                        pop_to_member(parse)
                    return index
                if kind not in NAMES and pop_for(parse, index, member_kind(parse, index), k.SETTLED.get(kind, kind)):
                    return _leave_out(parse, index, kind)
        if kind in (k.LBRACE, k.LPAR):
            depth += 1
        elif kind in (k.RBRACE, k.RPAR):
            depth = max(depth - 1, 0)
        index += 1
