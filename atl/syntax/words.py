"""What a word is where it stands: a keyword, a name, the next member's beginning.

The column rule: at or left of the column in which the field's name starts, a word that may modify a field begins the
next member; right of it, or on the field's own line, it modifies the field. Columns count bytes.
"""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import is_word
from atl.syntax.type_words import TYPE_WORDS

__all__ = ["among_params", "begins_declaration", "begins_field", "begins_type", "misplaced_in", "settle"]

_NAMES = (k.NAME, k.NAME_BOL)
_BARE_WORDS = frozenset(("null", "none"))
_DIRECTIONS = (k.UNSETTLED_ASC, k.UNSETTLED_DESC)
_MODIFIES = frozenset(k.SETTLED) - {k.UNSETTLED_TTL} | {k.NOT}


def settle(parse: Run, index: int) -> bool:
    """Give the token, for which the table has no entry, a kind for which it has one. False: it is an error here."""
    kind, start, end, text = parse.tokens[index]
    if kind in k.SETTLED:
        settled = _unsettled(parse, index, kind)
        if settled >= 0 and not TABLE[parse.states[-1] + settled]:
            name = _keyword(parse, index)
            settled = name if name >= 0 else settled
    elif kind in _NAMES:
        if _comma_left_out(parse, index):
            return True
        settled = _name(parse, index, kind)
    elif is_word(text):
        settled = _keyword(parse, index)
    else:
        return False
    if settled < 0:
        return False
    if not TABLE[parse.states[-1] + settled] and not (settled in _NAMES and _comma_left_out(parse, index)):
        return False
    parse.tokens[index] = (settled, start, end, text)
    return True


def _name(parse: Run, index: int, kind: int) -> int:
    state = parse.states[-1]
    if kind == k.NAME_BOL and TABLE[state + k.NAME]:
        return -1 if begins_field(parse, index) else k.NAME
    if TABLE[state + k.BARE] and not parse.first_on_line(index):
        return k.BARE
    return -1


def begins_field(parse: Run, index: int) -> bool:
    """Whether the first word of a line, where a field's type is due, is a field's name itself.

    Names and types alternate in the words that stand together from it on, so both readings are tried: which one has
    words in the types' places that look like types, and leaves none over.
    """
    if not begins_type(parse, index + 1):
        return False
    last = index + 1
    while parse.tokens[last][0] != k.LSQB and begins_type(parse, last + 1):
        last += 1
    as_type = all(_looks_like_type(parse, each) for each in range(index, last + 1, 2))
    as_name = all(_looks_like_type(parse, each) for each in range(index + 1, last + 1, 2))
    if (last - index) % 2 == 0:
        return as_name and not as_type
    # One word is left over if the first is a type: a field's name, whose type is then on the next line.
    type_behind = parse.tokens[last + 1][0] in (k.NAME_BOL, k.LSQB) and _looks_like_type(parse, last + 1)
    return not as_type or (as_name and not type_behind)


def _looks_like_type(parse: Run, index: int) -> bool:
    kind, _, _, text = parse.tokens[index]
    return kind == k.LSQB or text in TYPE_WORDS or text[0].isupper() or parse.tokens[index + 1][0] == k.DOT


def begins_type(parse: Run, index: int) -> bool:
    """Whether the token begins a type, and stands on the line of the one before it."""
    return parse.tokens[index][0] in (k.NAME, k.LSQB) and not parse.first_on_line(index)


def _comma_left_out(parse: Run, index: int) -> bool:
    """Between two params at a line's end the comma may be left out: put it there."""
    if not parse.first_on_line(index) or not among_params(parse):
        return False
    parse.feed(k.COMMA, parse.tokens[index - 1][2])
    return True


def among_params(parse: Run) -> bool:
    """Whether a param has just been read: a comma may follow, then a name, a colon and a type."""
    return parse.viable_sequence((k.COMMA, k.NAME, k.COLON, k.LSQB))


def _keyword(parse: Run, index: int) -> int:
    """A word with a meaning of its own that it does not have here."""
    text = parse.tokens[index][3]
    state = parse.states[-1]
    reserved = text in k.RESERVED_WORDS
    if TABLE[state + k.BARE] and text in _BARE_WORDS:
        return k.BARE
    if parse.tokens[index + 1][0] == k.COLON and _comma_left_out(parse, index):
        return k.NAME_RESERVED if reserved else k.NAME
    if not parse.viable(k.NAME):
        return -1
    if text == "args" and _job_without_name(parse, index):
        return -1
    if _may_begin_member(parse):
        if begins_declaration(parse, index):
            return -1
        if begins_type(parse, index + 1) and not _begins_block(parse, index):
            type_ = parse.tokens[index + 1][0] == k.LSQB or parse.tokens[index + 1][3] in TYPE_WORDS
            clause = (
                text in ("primary", "unique") or misplaced_in(parse, index) >= 0 if reserved and not type_ else False
            )
            if clause:
                return -1
            if text == "null" and parse.states[-1] not in k.BODIES and not parse.first_on_line(index):
                return -1
            return k.NAME_RESERVED if reserved else k.NAME
        if reserved or (not parse.first_on_line(index + 1) and misplaced_in(parse, index) >= 0):
            return -1
        return k.NAME
    waits_for_type = state + k.NONTERMINALS["type"]
    if TABLE[waits_for_type]:
        return -1 if reserved or (parse.first_on_line(index) and begins_type(parse, index + 1)) else k.NAME
    if not reserved:
        return k.NAME
    if text == "null" and TABLE[state + k.NONTERMINALS["value"]]:
        return -1
    if parse.first_on_line(index) or not _follows(parse, k.NAME, index + 1):
        return -1
    return k.NAME_RESERVED if state in k.DECLARING else k.NAME


def _job_without_name(parse: Run, index: int) -> bool:
    """`job args {` in a step: the arguments of a job that is not named."""
    level, tokens = parse.body(), parse.tokens
    step = level >= 0 and k.BODIES[parse.states[level]] == "step"
    return step and tokens[index - 1][0] == k.JOB and tokens[index + 1][0] == k.LBRACE


def _begins_block(parse: Run, index: int) -> bool:
    """`step name {`, `compensate name {`, `enqueue name(argument:`."""
    kind = parse.tokens[index][0]
    behind = [token[0] for token in parse.tokens[index + 2 : index + 5]] + [k.END] * 3
    if kind in (k.STEP, k.COMPENSATE):
        return behind[0] == k.LBRACE
    return kind == k.ENQUEUE and behind[0] == k.LPAR and (behind[1] == k.RPAR or behind[2] == k.COLON)


def begins_declaration(parse: Run, index: int) -> bool:
    """`word name in`, `word name for`."""
    tokens = parse.tokens
    if tokens[index][3] not in k.DECLARATION_WORDS or index + 2 >= len(tokens):
        return False
    return is_word(tokens[index + 1][3]) and tokens[index + 2][0] in (k.IN, k.FOR)


def _follows(parse: Run, kind: int, index: int) -> bool:
    """Whether the next token can be read behind one of this kind."""
    following = parse.tokens[index][0]
    kinds = (following, k.SETTLED.get(following, following), k.NAME)
    return any(parse.viable_sequence((kind, each)) for each in kinds[: 3 if is_word(parse.tokens[index][3]) else 1])


def _may_begin_member(parse: Run) -> bool:
    """Whether a NAME read now would begin a member, or the reductions before it would end one."""
    level = parse.body()
    if level < 0:
        return False
    if level == len(parse.states) - 1:
        return True
    return parse.brace() < level and parse.viable(k.RBRACE)


def misplaced_in(parse: Run, index: int) -> int:
    """Where the clause that begins here ends, when it is a whole clause of another body; else -1."""
    from atl.syntax.recovery.clauses import swallow

    return swallow(parse, index)


def _unsettled(parse: Run, index: int, kind: int) -> int:
    tokens, states = parse.tokens, parse.states
    following = tokens[index + 1][0]
    if kind == k.UNSETTLED_TTL:
        if parse.viable(k.TTL):
            return k.NAME if following in (*_NAMES, k.LSQB) else k.TTL
        return k.TTL if following == k.EQUAL and _may_begin_member(parse) else k.NAME
    level = parse.body()
    first = parse.values[level] if 0 <= level < len(states) - 1 else None
    field = first if type(first) is n.Name and parse.brace() < level else None
    keyword = k.SETTLED[kind]
    if kind in _DIRECTIONS or kind == k.UNSETTLED_TTL_FIELD:
        member = level >= 0 and parse.brace() < level and TABLE[states[level] + k.NAME] != 0
        own_line = kind == k.UNSETTLED_TTL_FIELD or parse.first_on_line(index)
        if not member or not own_line or not _names_field(parse, index, field):
            return keyword
        # `ttl_field text` alone is right where a field is called `text`.
        clause = kind == k.UNSETTLED_TTL_FIELD and tokens[index + 2][0] != k.LPAR
        return keyword if clause and not _modified(parse, index) else k.NAME_RESERVED
    if kind == k.UNSETTLED_CHECK:
        if level >= 0 and TABLE[states[level] + k.NAME] and begins_type(parse, index + 1):
            return k.NAME_RESERVED
        if level < 0 or k.BODIES[states[level]] not in ("entity", "hyper"):
            return k.CHECK
        return k.CHECK if field is not None and _modifies(parse, index, field) else k.ROW_CHECK
    if kind in (k.UNSETTLED_PRIMARY, k.UNSETTLED_UNIQUE):
        if following == k.BY and not (parse.first_on_line(index + 1) and _names_field(parse, index + 1, field)):
            return k.KEY_PRIMARY if keyword == k.PRIMARY else k.KEY_UNIQUE
        if keyword == k.UNIQUE and following == k.INDEX and _unique_index(parse, index, field):
            return k.UNIQUE_INDEX
        if level >= 0 and _names_field(parse, index, field):
            return k.NAME_RESERVED
        return keyword
    if TABLE[states[-1] + k.NONTERMINALS["type"]]:
        return k.NAME if following == k.DOT else -1
    if TABLE[states[-1] + keyword]:
        if field is not None:
            return keyword if _modifies(parse, index, field) else k.NAME
        return k.NAME if following == k.COLON else keyword
    return k.NAME


def _modified(parse: Run, index: int) -> bool:
    """Whether the word and the type behind it are followed by what modifies a field, and cannot begin a member."""
    _, start, end, text = parse.tokens[index]
    behind = index + 2
    kind = parse.tokens[behind][0]
    if kind not in _MODIFIES or kind == k.UNSETTLED_CHECK or parse.tokens[behind + 1][0] in (k.BY, k.INDEX):
        return False
    if not _modifies(parse, behind, n.Name(start, end, text)):
        return False
    return not begins_type(parse, behind + 1) or parse.tokens[behind + 1][3] not in TYPE_WORDS


def _modifies(parse: Run, index: int, field: n.Name) -> bool:
    """The column rule."""
    start = parse.tokens[index][1]
    if parse.text.find("\n", field.start, start) < 0:
        return True
    return parse.column(start) > parse.column(field.start)


def _unique_index(parse: Run, index: int, field: n.Name | None) -> bool:
    """Whether `unique`, before `index`, begins an index. Without `partial` it does so only when both words stand
    together where a member may begin: then the author left `partial` out."""
    if field is None:
        return True
    if _modifies(parse, index, field):
        return False
    partial = parse.tokens[min(index + 2, len(parse.tokens) - 1)][0] == k.PARTIAL
    return partial or not parse.first_on_line(index + 1)


def _names_field(parse: Run, index: int, field: n.Name | None) -> bool:
    """Whether a word that begins or modifies a member is meant as a field's name: one type follows, and then what can
    only follow a type."""
    if not begins_type(parse, index + 1) or (field is not None and _modifies(parse, index, field)):
        return False
    if (field is not None and not parse.first_on_line(index)) or parse.tokens[index + 1][3] not in TYPE_WORDS:
        return False
    behind = parse.tokens[index + 2][0] if index + 2 < len(parse.tokens) else k.END
    if behind in _MODIFIES or behind in (k.LPAR, k.RBRACE, k.END):
        return True
    # On the next line the type may stand, of a field whose name is what looks like a type here.
    type_ = behind in (k.NAME_BOL, k.LSQB) and _looks_like_type(parse, index + 2) and not begins_field(parse, index + 2)
    return parse.first_on_line(index + 2) and not type_
