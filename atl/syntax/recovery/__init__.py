"""Going on after a syntax error.

One error gives one finding. What was built is kept: the parser drops at most the member in which the error stands, and
of that only what comes behind the error, and goes on at the next token that fits. Whenever text is dropped, the
declaration is marked `lost`.
"""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax.driver import TABLE, Run
from atl.syntax.recovery.declarations import at_end, at_top, in_header, nested_declaration
from atl.syntax.recovery.inside import damaged_type, delete, insert, panic, surplus_name
from atl.syntax.recovery.members import at_member, missing_field_type, missing_type, reserved_name
from atl.syntax.recovery.places import close_unclosed
from atl.syntax.recovery.report import unexpected
from atl.syntax.words import begins_declaration

__all__ = ["recover"]


def recover(parse: Run, index: int) -> int:
    """Report the error at a token, mend the stacks, and say at which token to go on."""
    kind = parse.tokens[index][0]
    if kind == k.END:
        return at_end(parse, index)
    if parse.brace() < 0:
        return in_header(parse, index) if len(parse.states) > 2 else at_top(parse, index)
    if kind == k.LBRACE and parse.unclosed > 0:
        # One `{` too many: the braces come out even without it.
        unexpected(parse, index)
        parse.unclosed -= 1
        return index + 1
    if close_unclosed(parse, index):
        return index
    level = parse.body()
    if level >= 0 and parse.brace() < level:
        renamed = reserved_name(parse, index, level)
        if renamed >= 0:
            return renamed
        if begins_declaration(parse, index):
            return nested_declaration(parse, index)
        if TABLE[parse.states[-1] + k.NONTERMINALS["type"]] and parse.states[-2] in k.BODIES:
            return missing_field_type(parse, index, level)
        if level == len(parse.states) - 1 or parse.viable(k.RBRACE):
            return at_member(parse, index, level)
    if TABLE[parse.states[-1] + k.NONTERMINALS["type"]]:
        return missing_type(parse, index)
    behind = surplus_name(parse, index)
    if behind >= 0:
        return behind
    inserted = insert(parse, index)
    if inserted >= 0:
        return inserted
    behind = damaged_type(parse, index)
    if behind >= 0:
        return behind
    repeated = delete(parse, index)
    if repeated >= 0:
        return repeated
    unexpected(parse, index)
    return panic(parse, index)
