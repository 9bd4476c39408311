"""Errors in headers, between declarations, and at the end."""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import is_word
from atl.syntax.messages import any_of, found, home_phrases
from atl.syntax.recovery.clauses import homes_of, member_kind
from atl.syntax.recovery.places import NAMES, close, feed_missing, finish, fits, pop_for_brace, token_at
from atl.syntax.recovery.report import report, unexpected, unknown
from atl.syntax.tree import RawFinding
from atl.syntax.words import begins_declaration

__all__ = ["at_end", "at_top", "in_header", "nested_declaration"]

_DECLARATIONS = frozenset(k.SPELLINGS[word] for word in k.DECLARATION_WORDS)
_IN_HEADER = (k.IN, k.FOR, k.LBRACE)


def nested_declaration(parse: Run, index: int) -> int:
    """A declaration's header where a member may begin."""
    if parse.unclosed > 0:
        while parse.brace() >= 0:
            close(parse, index, "the next declaration begins here")
        return index
    unexpected(parse, index, help="a declaration cannot stand inside another; is a `}` missing before it?")
    level = parse.body()
    finish(parse, level)
    parse.values.lost = True
    return _skip_block(parse, index)


def _skip_block(parse: Run, index: int) -> int:
    """Behind the block that a header opens; or the next declaration, when it opens none."""
    tokens = parse.tokens
    depth = 0
    begin = index
    while tokens[index][0] != k.END:
        kind = tokens[index][0]
        if kind == k.LBRACE:
            depth += 1
        elif kind == k.RBRACE:
            depth -= 1
            if depth <= 0:
                return index + 1
        elif depth == 0 and index > begin and _starts(parse, index):
            return index
        index += 1
    return index


def _starts(parse: Run, index: int) -> bool:
    """Whether a declaration may begin at the token, as far as skipping is concerned."""
    if parse.tokens[index][0] not in _DECLARATIONS:
        return False
    return parse.first_on_line(index) or begins_declaration(parse, index)


def at_top(parse: Run, index: int) -> int:
    """What begins no declaration, between two of them."""
    tokens = parse.tokens
    kind, start, end, text = tokens[index]
    following = tokens[index + 1] if kind != k.END else tokens[index]
    homes = homes_of(member_kind(parse, index))
    if parse.values[0]:
        # Perhaps its `}` came too early, and this belongs to it.
        parse.values[0][-1].lost = True
    if is_word(text) and following[0] in (k.IN, k.FOR) and is_word(tokens[index + 2][3]):
        return _unknown_declaration(parse, index, index)
    if is_word(text) and is_word(following[3]) and following[0] not in (k.IN, k.FOR, k.BY):
        second = tokens[index + 2][0] if following[0] != k.END else k.END
        if second in (k.IN, k.FOR, k.LBRACE):
            return _unknown_declaration(parse, index, index + 1)
    if homes and text not in k.DECLARATION_WORDS:
        where = any_of(home_phrases(homes))
        report(
            parse,
            index,
            RawFinding("ATL013", start, end, f"`{text}` is a clause of {where}, and no declaration is open here"),
        )
    elif is_word(text):
        unknown(parse, index, "no declaration", sorted(k.DECLARATION_WORDS))
    elif kind == k.RBRACE:
        message = "expected a declaration, found a `}` that closes nothing"
        report(parse, index, RawFinding("ATL001", start, end, message))
    else:
        report(parse, index, RawFinding("ATL001", start, end, f"expected a declaration, found {found(parse, index)}"))
    return _skip_to_declaration(parse, index + 1)


def _skip_to_declaration(parse: Run, index: int) -> int:
    tokens = parse.tokens
    while tokens[index][0] != k.END:
        if _starts(parse, index):
            return index
        index += 1
    return index


def _unknown_declaration(parse: Run, index: int, at: int) -> int:
    """A declaration whose word is unknown, or left out; its name is the token `at`."""
    tokens = parse.tokens
    unknown(parse, index, "no declaration", sorted(k.DECLARATION_WORDS))
    namespace = None
    if tokens[at + 1][0] == k.IN and is_word(tokens[at + 2][3]):
        namespace = n.Name(*tokens[at + 2][1:])
    return _broken(parse, index, index + 1, n.Name(*tokens[at][1:]), namespace)


def _broken(parse: Run, begin: int, index: int, name: n.Name | None, namespace: n.Name | None) -> int:
    """Leave a declaration of no known kind, from token `begin` on, and go on behind its block."""
    tokens = parse.tokens
    after = _skip_to_declaration(parse, _skip_block(parse, index))
    last = tokens[after - 1]
    opening = next((t[1] for t in tokens[index:after] if t[0] == k.LBRACE), -1)
    closing = last[1] if last[0] == k.RBRACE and opening >= 0 else -1
    parse.values[0].append(n.BrokenDecl(tokens[begin][1], last[2], name, opening, closing, True, namespace))
    parse.values.lost = False
    return after


def in_header(parse: Run, index: int) -> int:
    """A token that does not fit between a declaration's word and its `{`."""
    tokens = parse.tokens
    kind, _, _, text = tokens[index]
    if not begins_declaration(parse, index):
        if (
            len(parse.states) == 4
            and is_word(text)
            and tokens[index + 1][0] in (k.IN, k.FOR)
            and kind not in _IN_HEADER
        ):
            # Two names: which one is meant cannot be known.
            unexpected(parse, index)
            parse.values[-1] = None
            return _broken_header(parse, index)
        clause = kind not in NAMES and parse.viable_sequence((k.LBRACE, member_kind(parse, index)))
        if is_word(text) and not clause and tokens[index + 1][0] in _IN_HEADER and fits(parse, index + 1):
            unexpected(parse, index)
            if len(parse.states) == 6:
                # Two namespaces, or two owners.
                parse.values[-1] = None
                return _broken_header(parse, index)
            return index + 1
        for missing in _IN_HEADER:
            kinds = [kind, k.NAME] if is_word(text) else [kind]
            if TABLE[parse.states[-1] + missing] and any(parse.viable_sequence((missing, e)) for e in kinds):
                unexpected(parse, index)
                feed_missing(parse, missing, -1)
                return index
        if kind == k.LBRACE and TABLE[parse.states[-1] + k.ON]:
            unexpected(parse, index, help="a hypertable names its time field: `on field`")
            parse.feed(k.ON, -1)
            parse.feed(k.NAME, None)
            return index
    unexpected(parse, index)
    return _broken_header(parse, index)


def _broken_header(parse: Run, index: int) -> int:
    values = parse.values[1:]
    begin = token_at(parse, index, values[0])
    name = values[1] if len(values) > 1 and type(values[1]) is n.Name else None
    namespace = values[3] if len(values) > 3 and type(values[3]) is n.Name and values[3] is not None else None
    if parse.tokens[begin][0] in (k.QUERY, k.PROCEDURE):
        namespace = None
    del parse.states[2:]
    del parse.values[1:]
    return _broken(parse, begin, index, name, namespace)


def at_end(parse: Run, index: int) -> int:
    """The chunk ends while something is open."""
    if parse.brace() < 0:
        unexpected(parse, index)
        return _broken_header(parse, index)
    if parse.lexed.swallowed:
        parse.values.lost = True
    else:
        _report_unclosed(parse)
    if TABLE[parse.states[-1] + k.NONTERMINALS["type"]]:
        parse.push("type", None)
        parse.values.lost = True
    while parse.brace() >= 0:
        pop_for_brace(parse)
        if parse.brace() < 0:
            break
        if not parse.viable(k.RBRACE):
            return _drop_declaration(parse, index)
        parse.feed(k.RBRACE, -1)
    return index


def _drop_declaration(parse: Run, index: int) -> int:
    """A declaration whose body cannot be ended in any way."""
    return _broken_header(parse, index)


def _report_unclosed(parse: Run) -> None:
    opened = [parse.values[i - 1] for i, state in enumerate(parse.states) if state in k.BRACES]
    missing = parse.unclosed - parse.silent
    if missing <= 0:
        return
    end = parse.lexed.end
    for opening in opened[-missing:]:
        if opening >= 0:
            parse.values.raw.append(
                RawFinding(
                    "ATL002",
                    opening,
                    opening + 1,
                    "this `{` is never closed",
                    labels=((end, end, "the next declaration begins here"),),
                    help="add the missing `}`",
                )
            )
