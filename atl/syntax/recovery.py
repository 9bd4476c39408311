"""Going on after a syntax error.

One error gives one finding. What was built is kept: the parser drops at most the member in which the error stands, and
of that only what comes behind the error, and goes on at the next token that fits. Whenever text is dropped, the
declaration is marked `lost`.
"""

from __future__ import annotations

from bisect import bisect_left

from atl.findings.suggest import closest
from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.actions import ACTIONS
from atl.syntax.driver import TABLE, Run
from atl.syntax.messages import BODY_PHRASES, any_of, expected, found, home_phrases
from atl.syntax.tree import RawFinding
from atl.syntax.type_words import TYPE_WORDS
from atl.syntax.words import begins_declaration, begins_type, is_word

__all__ = ["recover", "swallow"]

_DECLARATIONS = frozenset(k.SPELLINGS[word] for word in k.DECLARATION_WORDS)
_NAMES = (k.NAME, k.NAME_BOL)
_OPENING = (k.LBRACE, k.LPAR, k.LSQB)
_CLOSING = (k.RBRACE, k.RPAR, k.RSQB)
_MODIFIERS = ("primary", "identity", "serial", "not null", "unique", "default", "references", "check", "backfill")
_MODIFIER_KINDS = frozenset((*k.SETTLED, *k.SETTLED.values(), k.NOT)) - {k.TTL, k.UNSETTLED_TTL}
_INSERTABLE = (
    *(k.EQUAL, k.COLON, k.IN, k.FOR, k.BY, k.ON, k.VIA, k.OPS, k.TTL, k.NULL, k.SET),
    *(k.COMMA, k.RPAR, k.LPAR, k.LBRACE),
)
"""What is read on without; a word before a sign."""
_IN_HEADER = (k.IN, k.FOR, k.LBRACE)
_LITERALS = (k.STRING, k.INT, k.DECIMAL, k.DURATION)
_UNITS = ("ns", "us", "ms", "s", "m", "h", "d")
_LEVELS = 8
"""How far down the stack a token's place is looked for: deeper nesting than that within one member is junk."""
_HOMES: dict[int, list[int]] = {}


def recover(parse: Run, index: int) -> int:
    """Report the error at a token, mend the stacks, and say at which token to go on."""
    kind = parse.tokens[index][0]
    if kind == k.END:
        return _at_end(parse, index)
    if parse.brace() < 0:
        return _in_header(parse, index) if len(parse.states) > 2 else _at_top(parse, index)
    level = parse.body()
    if level >= 0 and parse.brace() < level:
        renamed = _reserved_name(parse, index, level)
        if renamed >= 0:
            return renamed
        if begins_declaration(parse, index):
            return _nested_declaration(parse, index)
        if TABLE[parse.states[-1] + k.NONTERMINALS["type"]] and parse.states[-2] in k.BODIES:
            return _missing_field_type(parse, index, level)
        if level == len(parse.states) - 1 or parse.viable(k.RBRACE):
            return _at_member(parse, index, level)
    if TABLE[parse.states[-1] + k.NONTERMINALS["type"]]:
        return _missing_type(parse, index)
    inserted = _insert(parse, index)
    if inserted >= 0:
        return inserted
    repeated = _delete(parse, index)
    if repeated >= 0:
        return repeated
    _unexpected(parse, index)
    return _panic(parse, index)


# ------------------------------------------------------------------ findings


def _report(parse: Run, index: int, finding: RawFinding) -> None:
    """One finding for a token, and none where the lexer's own says that the rest of the chunk was run over."""
    if parse.reported != index:
        parse.values.raw.append(finding)
    parse.reported = index


def _unexpected(parse: Run, index: int, help: str = "") -> None:
    if parse.reported == index or _behind_bad(parse, index):
        return
    _, start, end, text = parse.tokens[index]
    before = parse.tokens[index - 1][3] if index else ""
    help = help or _HELP.get((before, text), "")
    message = f"expected {expected(parse)}, found {found(parse, index)}"
    _report(parse, index, RawFinding("ATL001", start, end, message, help=help))


def _behind_bad(parse: Run, index: int) -> bool:
    """Whether a character that begins nothing stands right before the token: it is reported, and is to blame."""
    bad = parse.lexed.bad
    before = bisect_left(bad, (parse.tokens[index][1], 0, False)) - 1
    return index > 0 and before >= 0 and bad[before][0] >= parse.tokens[index - 1][2]


_HELP = {
    ("=", "="): "one `=` compares",
    ("<", ">"): "write `!=`",
    ("default", "raw"): "`raw` is for the defaults of stored columns",
}


def _unknown(parse: Run, index: int, what: str, words: list[str]) -> None:
    _, start, end, text = parse.tokens[index]
    meant = closest(text, words)
    _report(
        parse,
        index,
        RawFinding(
            "ATL010",
            start,
            end,
            f"`{text}` is {what}",
            help=f"did you mean `{meant}`?" if meant else "",
            fixes=((f"write `{meant}`", False, ((start, end, meant),)),) if meant else (),
        ),
    )


# ------------------------------------------------------------------ where words belong


def _homes(kind: int) -> list[int]:
    """The body states in which a clause may begin with a token of this kind."""
    if not _HOMES:
        for state in k.BODIES:
            for each in range(k.NONTERMINALS["action"]):
                if each not in (k.NAME, k.NAME_BOL, k.NAME_RESERVED, k.RBRACE) and TABLE[state + each]:
                    _HOMES.setdefault(each, []).append(state)
    return _HOMES.get(kind, [])


def _member_kind(parse: Run, index: int) -> int:
    """The kind that the token has where it begins a member."""
    kind = parse.tokens[index][0]
    following = parse.tokens[index + 1][0] if kind != k.END else k.END
    if kind in (k.UNSETTLED_CHECK, k.CHECK):
        return k.ROW_CHECK
    if kind in (k.UNSETTLED_PRIMARY, k.PRIMARY) and following == k.BY:
        return k.KEY_PRIMARY
    if kind in (k.UNSETTLED_UNIQUE, k.UNIQUE):
        return k.KEY_UNIQUE if following == k.BY else k.UNIQUE_INDEX if following == k.INDEX else k.UNIQUE
    return k.SETTLED.get(kind, kind)


def _words_of(state: int) -> list[str]:
    """The words with which a member of a body may begin."""
    words = [s for s, kind in k.SPELLINGS.items() if is_word(s) and TABLE[state + k.SETTLED.get(kind, kind)]]
    if TABLE[state + k.ROW_CHECK]:
        words += ("check", "primary", "unique")
    return words


def swallow(parse: Run, index: int) -> int:
    """Where the clause that begins at a token ends, when it is a whole one of another body; else -1."""
    kind = _member_kind(parse, index)
    for state in _homes(kind):
        end = _read_clause(parse, index, state, kind)
        if end >= 0:
            return end
    return -1


def _read_clause(parse: Run, index: int, state: int, kind: int) -> int:
    """Run the table, without building anything, over one member of a body."""
    return _read(parse, index, [state], kind, 1)


def _read(parse: Run, index: int, stack: list[int], kind: int, first: int = 0) -> int:
    """Run the table from a stack that begins with a body's state until that member ends.

    kind: of the token read first, and `first` how far that takes us in the text (0: it is not there).
    """
    tokens = parse.tokens
    closing = False
    step = first
    while True:
        entry = TABLE[stack[-1] + kind]
        if entry == 0 and kind != k.RBRACE and not closing:
            own, _, _, text = tokens[index]
            settled = k.SETTLED.get(own, own)
            if settled != kind and TABLE[stack[-1] + settled]:
                kind = settled
            elif is_word(text) and TABLE[stack[-1] + k.NAME]:
                kind = k.NAME
            elif TABLE[stack[-1] + k.RBRACE] < 0 and len(stack) > 1:
                kind, closing = k.RBRACE, True
            else:
                return -1
            continue
        if entry == 0 or (closing and entry > 0):
            return index if closing and len(stack) == 1 else -1
        if entry > 0:
            index, step = index + step, 1
            kind = _member_kind(parse, index) if index < len(tokens) else k.END
            if entry < k.FUSED:
                stack.append(entry)
                continue
            length, left, _ = ACTIONS[entry - k.FUSED]
            length -= 1
        else:
            length, left, _ = ACTIONS[-1 - entry]
        while True:
            if length >= len(stack):
                return index
            if length:
                del stack[-length:]
            entry = TABLE[stack[-1] + left]
            if entry < k.FUSED:
                stack.append(entry)
                break
            length, left, _ = ACTIONS[entry - k.FUSED]
            length -= 1


# ------------------------------------------------------------------ where a member may begin


def _at_member(parse: Run, index: int, level: int) -> int:
    """A token that begins no member of this body."""
    tokens = parse.tokens
    state = parse.states[level]
    body = k.BODIES[state]
    _, start, end, text = tokens[index]
    fields = bool(TABLE[state + k.NAME])
    inside_field = level + 1 < len(parse.states) and type(parse.values[level]) is n.Name
    if not is_word(text):
        return _junk_at_member(parse, index, level)
    homes = [home for home in _homes(_member_kind(parse, index)) if k.BODIES[home] != body]
    if homes:
        closed = _close_unclosed(parse, index, level)
        if closed:
            return index
        _finish(parse, level)
        where = any_of(home_phrases(homes))
        _report(
            parse,
            index,
            RawFinding(
                "ATL013",
                start,
                end,
                f"`{text}` is a clause of {where}, not of {BODY_PHRASES[body]}",
                help=f"it belongs in {where}",
            ),
        )
        after = swallow(parse, index)
        if after >= 0:
            return after
        parse.values.lost = True
        return _skip_member(parse, index + 1)
    if text in _UNITS and tokens[index - 1][0] == k.INT and not parse.first_on_line(index):
        # `5 m`: that the number is no duration is said where it stands.
        return index + 1
    words = _words_of(state)
    if inside_field:
        words += _MODIFIERS
    if body == "steps" and not parse.first_on_line(index):
        _unexpected(parse, index, help="conditions are joined by `and`" if text == "or" else "")
        parse.values.lost = True
        _finish(parse, level)
        return _skip_member(parse, index + 1)
    if fields and text == "null":
        _report(
            parse,
            index,
            RawFinding(
                "ATL010",
                start,
                end,
                "`null` is no modifier: a field without `not null` may be null",
                help="drop the word",
                fixes=(("drop `null`", False, ((start, end, ""),)),),
            ),
        )
    else:
        what = f"no {'clause or modifier' if fields else _PART[body]} of {BODY_PHRASES[body]}"
        _unknown(parse, index, what, words)
    parse.values.lost = True
    if inside_field and not parse.first_on_line(index) and _goes_on(parse, index + 1):
        return index + 1
    _finish(parse, level)
    return _skip_member(parse, index + 1)


_PART = {
    "entity": "clause",
    "hyper": "clause",
    "job": "clause",
    "workflow": "part",
    "step": "part",
    "ephemeral": "clause",
    "query": "part",
    "procedure": "part",
    "steps": "step",
    "cache": "part",
    "fields": "modifier",
}


def _goes_on(parse: Run, index: int) -> bool:
    """Whether the token fits here as it is."""
    kind = parse.tokens[index][0]
    return kind != k.END and parse.viable(k.SETTLED.get(kind, kind))


def _junk_at_member(parse: Run, index: int, level: int) -> int:
    """A sign or a value where a member may begin, or a modifier."""
    if level + 1 < len(parse.states) and type(parse.values[level]) is n.Name and not parse.first_on_line(index):
        name, type_ = parse.values[level], parse.values[level + 1] if level + 2 < len(parse.states) else None
        meant = closest(name.text, _words_of(parse.states[level]))
        if meant and type_ is not None and type_.end == parse.tokens[index - 1][2]:
            at = _token_at(parse, index, name.start)
            _unknown(parse, at, f"no clause of {BODY_PHRASES[k.BODIES[parse.states[level]]]}", [meant])
            parse.cut(level)
            return _skip_member(parse, index)
    comma = parse.tokens[index][0] == k.COMMA
    _unexpected(parse, index, help="no commas stand between fields or clauses" if comma else "")
    parse.values.lost = parse.values.lost or not comma
    while parse.tokens[index][0] == k.DOT and is_word(parse.tokens[index + 1][3]):
        index += 2
        if _fits(parse, index):
            return index
    if parse.tokens[index][0] not in _OPENING and _fits(parse, index + 1):
        return index + 1
    _finish(parse, level)
    return _skip_member(parse, index)


def _token_at(parse: Run, index: int, start: int) -> int:
    while index > 0 and parse.tokens[index][1] > start:
        index -= 1
    return index


def _fits(parse: Run, index: int) -> bool:
    """Whether the token can be read here, as a keyword or as a name."""
    kind, _, _, text = parse.tokens[index]
    if kind == k.END:
        return False
    settled = k.SETTLED.get(kind, kind)
    return parse.viable(settled) or (is_word(text) and text not in k.RESERVED_WORDS and parse.viable(k.NAME))


def _finish(parse: Run, level: int) -> None:
    """End the member that is read, so that the body is on top."""
    if level < len(parse.states) - 1:
        if parse.viable(k.RBRACE):
            parse.reduce_for(k.RBRACE)
        else:
            parse.cut(level)


def _close_unclosed(parse: Run, index: int, level: int) -> bool:
    """Where the body around this one takes the word and a brace is missing anyway, it is this body's."""
    if parse.unclosed <= 0:
        return False
    states = parse.states
    outer = next((i for i in range(level - 1, -1, -1) if states[i] in k.BODIES), -1)
    if outer < 0 or not TABLE[states[outer] + _member_kind(parse, index)]:
        return False
    _close(parse, index, "the next clause begins here")
    return True


def _close(parse: Run, index: int, label: str) -> None:
    """Report the innermost open brace, and close it before a token."""
    parse.unclosed -= 1
    level = parse.brace()
    opening = parse.values[level - 1]
    _, start, end, _ = parse.tokens[index]
    if opening < 0:
        parse.silent -= 1
    else:
        parse.values.raw.append(
            RawFinding(
                "ATL002",
                opening,
                opening + 1,
                "this `{` is never closed",
                labels=((start, end, label),),
                help="add the missing `}`",
            )
        )
    _pop_for_brace(parse)
    parse.feed(k.RBRACE, -1)


def _skip_member(parse: Run, index: int) -> int:
    """The token at which the next member of the innermost body can begin."""
    tokens = parse.tokens
    level = parse.body()
    state = parse.states[level] if level >= 0 else 0
    depth = 0
    begin = index
    while True:
        kind = tokens[index][0]
        if kind == k.END:
            return index
        if kind in _OPENING:
            depth += 1
        elif kind in _CLOSING:
            if depth == 0 and kind == k.RBRACE:
                return index
            depth = max(depth - 1, 0)
        elif depth == 0 and is_word(tokens[index][3]) and index >= begin:
            if parse.first_on_line(index) and tokens[index - 1][0] != k.COMMA:
                return index
            if kind not in _NAMES and TABLE[state + _member_kind(parse, index)]:
                return index
            if begins_declaration(parse, index):
                return index
        index += 1


# ------------------------------------------------------------------ fields


def _reserved_name(parse: Run, index: int, level: int) -> int:
    """`index text`: a clause's word as a field's name. The token at which to go on, or -1."""
    states = parse.states
    if len(states) != level + 2 or index == 0 or not TABLE[states[level] + k.NAME]:
        return -1
    _, start, end, text = parse.tokens[index - 1]
    if text not in k.RESERVED_WORDS or not begins_type(parse, index):
        return -1
    if parse.tokens[index][0] == k.NAME and parse.tokens[index][3] not in TYPE_WORDS:
        return -1
    del states[level + 1 :]
    del parse.values[level:]
    parse.tokens[index - 1] = (k.NAME_RESERVED, start, end, text)
    return index - 1


def _missing_field_type(parse: Run, index: int, level: int) -> int:
    """A field's name, and behind it nothing that can be a type."""
    tokens = parse.tokens
    kind, _, _, text = tokens[index]
    name = parse.values[-1]
    state = parse.states[level]
    own_line = parse.first_on_line(index - 1)
    same_line = not parse.first_on_line(index)
    one_liner = "\n" not in parse.text[max(parse.values[level - 2], 0) : name.start]
    before = parse.values[level - 1]
    body = BODY_PHRASES[k.BODIES[state]]
    modifier = kind in _MODIFIER_KINDS
    previous = before[-1] if before and type(before[-1]) is n.Field else None
    follows = previous is not None and not own_line and index > 1 and previous.end == tokens[index - 2][2]
    if previous is not None and follows and (not one_liner or closest(name.text, _MODIFIERS)):
        _unknown(parse, index - 1, "no modifier of a field", list(_MODIFIERS))
        _reopen(parse, level, previous)
        return index + 1 if kind in _LITERALS and same_line else index
    if same_line and kind != k.RBRACE:
        words = _words_of(state)
        reserved = text in k.RESERVED_WORDS and not modifier and not TABLE[state + _member_kind(parse, index)]
        if reserved or (not modifier and closest(name.text, words)):
            _unknown(parse, index - 1, f"no clause of {body}", words)
            parse.reported = index
            parse.cut(level)
            return _skip_member(parse, index)
    _unexpected(parse, index, help=f"write `bigint {text}`" if text in ("serial", "identity") else "")
    if kind == k.COLON and begins_type(parse, index + 1):
        return index + 1
    parse.push("type", None)
    if same_line and kind != k.RBRACE and not modifier and not _fits(parse, index):
        _finish(parse, level)
        parse.values.lost = True
        return _skip_member(parse, index)
    return index


def _reopen(parse: Run, level: int, field: n.Field) -> None:
    """Put the last field of a body back on the stacks, so that more modifiers can follow."""
    parse.values.lost = True
    del parse.states[level + 1 :]
    del parse.values[level:]
    parse.values[level - 1].pop()
    parse.feed(k.NAME, field.name)
    parse.push("type", field.type)
    parse.push("mods", field.modifiers)


def _missing_type(parse: Run, index: int) -> int:
    """A param's type, or an array's element, that is not there."""
    _unexpected(parse, index)
    parse.push("type", None)
    return index


# ------------------------------------------------------------------ inside a member


def _insert(parse: Run, index: int) -> int:
    """One word or sign is missing: read on as if it were there. The token to go on at, or -1."""
    if TABLE[parse.states[-1] + k.NONTERMINALS["label"]]:
        return -1
    for missing in _INSERTABLE:
        if not TABLE[parse.states[-1] + missing]:
            continue
        for each in _kinds(parse, index):
            for behind in _kinds(parse, index + 1):
                if parse.viable_sequence((missing, each, behind)):
                    _unexpected(parse, index)
                    if _in_clause(parse) and missing != k.LBRACE:
                        return _drop_clause(parse, missing, index)
                    _feed_missing(parse, missing, parse.tokens[index - 1][2])
                    return index
    return -1


def _in_clause(parse: Run) -> bool:
    """Whether a member other than a field is being read, and not one inside its braces."""
    level = parse.body()
    return parse.brace() < level < len(parse.states) - 1 and type(parse.values[level]) is not n.Name


def _drop_clause(parse: Run, missing: int, index: int) -> int:
    """Read the rest of a clause that lacks a word or sign, and leave it out: what it means is a guess."""
    level = parse.body()
    end = _read(parse, index, [*parse.states[level:]], missing)
    if end < 0:
        return _panic(parse, index)
    parse.cut(level)
    return end


def _feed_missing(parse: Run, kind: int, at: int) -> None:
    """Read a sign that is not there. A brace then has no partner, unless there was one too many."""
    if kind == k.LBRACE:
        at = -1
        if parse.surplus > 0:
            parse.surplus -= 1
        else:
            parse.unclosed += 1
            parse.silent += 1
    parse.feed(kind, at)


def _kinds(parse: Run, index: int) -> tuple[int, ...]:
    """As what the token may be read: a keyword, a name."""
    kind, _, _, text = parse.tokens[min(index, len(parse.tokens) - 1)]
    if kind == k.END:
        return (k.RBRACE,)
    settled = k.NAME if kind in _NAMES else k.SETTLED.get(kind, kind)
    if is_word(text) and text not in k.RESERVED_WORDS:
        return (settled, k.NAME)
    return (settled, _member_kind(parse, index)) if index + 1 < len(parse.tokens) else (settled,)


def _delete(parse: Run, index: int) -> int:
    """A sign too many: `, ,`, or `=` before a value."""
    kind = parse.tokens[index][0]
    doubled = kind in (k.COMMA, k.DOT, k.COLON, k.EQUAL) and (
        parse.tokens[index - 1][0] == kind or kind in (k.EQUAL, k.COLON) or parse.tokens[index - 1][0] in _OPENING
    )
    if doubled and not parse.first_on_line(index + 1) and _fits(parse, index + 1):
        _unexpected(parse, index)
        return index + 1
    return -1


def _panic(parse: Run, index: int) -> int:
    """Skip to the next token that fits somewhere in the open member, or begins the next one."""
    tokens = parse.tokens
    depth = 0
    while True:
        kind, _, _, text = tokens[index]
        if kind == k.END:
            return index
        if depth == 0:
            if kind == k.RBRACE:
                return _pop_at_brace(parse, index)
            if kind in (k.COMMA, k.RPAR, k.RSQB):
                if _pop_for(parse, index, kind):
                    return index
            elif is_word(text):
                if parse.first_on_line(index) or begins_declaration(parse, index):
                    if not _pop_for(parse, index, *_kinds(parse, index)):
                        _pop_to_member(parse)
                    return index
                if kind not in _NAMES and _pop_for(parse, index, _member_kind(parse, index), k.SETTLED.get(kind, kind)):
                    return index
        if kind in _OPENING:
            depth += 1
        elif kind in _CLOSING:
            depth = max(depth - 1, 0)
        index += 1


def _pop_for(parse: Run, index: int, *kinds: int) -> bool:
    """Pop to the uppermost level, within the innermost braces, at which a token fits; a name together with the next."""
    behind = _kinds(parse, index + 1) if k.NAME in kinds else ()
    lowest = max(parse.brace(), parse.body())
    top = len(parse.states) - 1
    levels = [*range(top, max(lowest, top - _LEVELS) - 1, -1), lowest]
    for level in levels:
        if level < 0:
            continue
        for kind in kinds:
            pairs = [(kind, each) for each in behind] if kind == k.NAME else [(kind,)]
            if any(parse.viable_sequence(pair, level) for pair in pairs):
                parse.cut(level)
                return True
    return False


def _pop_to_member(parse: Run) -> None:
    level = max(parse.brace(), parse.body())
    parse.cut(level)


def _pop_for_brace(parse: Run) -> None:
    """Make a `}` fit: end the member, or drop it, or drop the whole construct whose brace it would close."""
    while not parse.viable(k.RBRACE):
        if not _pop_for(parse, len(parse.tokens) - 1, k.RBRACE):
            brace = parse.brace()
            outer = next((i for i in range(brace - 1, -1, -1) if parse.states[i] in k.BODIES), -1)
            if outer < 0:
                return
            parse.cut(outer)


def _pop_at_brace(parse: Run, index: int) -> int:
    """A `}` ends the skipping: it closes the innermost braces, or what they belong to is dropped with it."""
    if _pop_for(parse, index, k.RBRACE):
        return index
    brace = parse.brace()
    outer = next((i for i in range(brace - 1, -1, -1) if parse.states[i] in k.BODIES), -1)
    if outer >= 0:
        parse.cut(outer)
        return index + 1
    parse.values.lost = True
    return index + 1


# ------------------------------------------------------------------ declarations


def _nested_declaration(parse: Run, index: int) -> int:
    """A declaration's header where a member may begin."""
    if parse.unclosed > 0:
        while parse.brace() >= 0:
            _close(parse, index, "the next declaration begins here")
        return index
    _unexpected(parse, index, help="a declaration cannot stand inside another; is a `}` missing before it?")
    level = parse.body()
    _finish(parse, level)
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


def _at_top(parse: Run, index: int) -> int:
    """What begins no declaration, between two of them."""
    tokens = parse.tokens
    kind, start, end, text = tokens[index]
    following = tokens[index + 1] if kind != k.END else tokens[index]
    homes = _homes(_member_kind(parse, index))
    if is_word(text) and is_word(following[3]) and following[0] not in (k.IN, k.FOR, k.BY):
        second = tokens[index + 2][0] if following[0] != k.END else k.END
        if second in (k.IN, k.FOR, k.LBRACE):
            return _unknown_declaration(parse, index)
    if homes and text not in k.DECLARATION_WORDS:
        where = any_of(home_phrases(homes))
        _report(
            parse,
            index,
            RawFinding("ATL013", start, end, f"`{text}` is a clause of {where}, and no declaration is open here"),
        )
    elif is_word(text):
        _unknown(parse, index, "no declaration", sorted(k.DECLARATION_WORDS))
    elif kind == k.RBRACE:
        message = "expected a declaration, found a `}` that closes nothing"
        _report(parse, index, RawFinding("ATL001", start, end, message))
    else:
        _report(parse, index, RawFinding("ATL001", start, end, f"expected a declaration, found {found(parse, index)}"))
    return _skip_to_declaration(parse, index + 1)


def _skip_to_declaration(parse: Run, index: int) -> int:
    tokens = parse.tokens
    while tokens[index][0] != k.END:
        if _starts(parse, index):
            return index
        index += 1
    return index


def _unknown_declaration(parse: Run, index: int) -> int:
    tokens = parse.tokens
    _unknown(parse, index, "no declaration", sorted(k.DECLARATION_WORDS))
    _, start, end, text = tokens[index + 1]
    name = n.Name(start, end, text)
    namespace = None
    if tokens[index + 2][0] == k.IN and is_word(tokens[index + 3][3]):
        namespace = n.Name(*tokens[index + 3][1:])
    return _broken(parse, index, index + 1, name, namespace)


def _broken(parse: Run, begin: int, index: int, name: n.Name | None, namespace: n.Name | None) -> int:
    """Leave a declaration of no known kind, from token `begin` on, and go on behind its block."""
    tokens = parse.tokens
    after = _skip_block(parse, index)
    last = tokens[after - 1]
    opening = next((t[1] for t in tokens[index:after] if t[0] == k.LBRACE), -1)
    closing = last[1] if last[0] == k.RBRACE and opening >= 0 else -1
    parse.values[0].append(n.BrokenDecl(tokens[begin][1], last[2], name, opening, closing, True, namespace))
    parse.values.lost = False
    return after


def _in_header(parse: Run, index: int) -> int:
    """A token that does not fit between a declaration's word and its `{`."""
    tokens = parse.tokens
    kind, _, _, text = tokens[index]
    if not begins_declaration(parse, index):
        for missing in _IN_HEADER:
            kinds = [kind, k.NAME] if is_word(text) else [kind]
            if TABLE[parse.states[-1] + missing] and any(parse.viable_sequence((missing, e)) for e in kinds):
                _unexpected(parse, index)
                _feed_missing(parse, missing, -1)
                return index
        if kind == k.LBRACE and TABLE[parse.states[-1] + k.ON]:
            _unexpected(parse, index, help="a hypertable names its time field: `on field`")
            parse.feed(k.ON, -1)
            parse.feed(k.NAME, None)
            return index
    _unexpected(parse, index)
    return _broken_header(parse, index)


def _broken_header(parse: Run, index: int) -> int:
    values = parse.values[1:]
    begin = _token_at(parse, index, values[0])
    name = values[1] if len(values) > 1 and type(values[1]) is n.Name else None
    namespace = values[3] if len(values) > 3 and type(values[3]) is n.Name and values[3] is not None else None
    if parse.tokens[begin][0] in (k.QUERY, k.PROCEDURE):
        namespace = None
    del parse.states[2:]
    del parse.values[1:]
    return _broken(parse, begin, index, name, namespace)


def _at_end(parse: Run, index: int) -> int:
    """The chunk ends while something is open."""
    if parse.brace() < 0:
        _unexpected(parse, index)
        return _broken_header(parse, index)
    if parse.lexed.swallowed:
        parse.values.lost = True
    else:
        _report_unclosed(parse)
    if TABLE[parse.states[-1] + k.NONTERMINALS["type"]]:
        parse.push("type", None)
        parse.values.lost = True
    while parse.brace() >= 0:
        _pop_for_brace(parse)
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
