"""Errors where a member or a modifier may begin."""

from __future__ import annotations

from atl.syntax import _table as k
from atl.syntax import nodes as n
from atl.syntax.driver import TABLE, Run
from atl.syntax.lexer import is_word
from atl.syntax.messages import BODY_PHRASES, any_of, home_phrases
from atl.syntax.recovery.clauses import homes_of, member_kind, swallow, words_of
from atl.syntax.recovery.places import OPENING, finish, fits, goes_on, skip_member, token_at
from atl.syntax.recovery.report import misspelt, report, unexpected, unexpected_behind, unknown
from atl.syntax.tree import RawFinding
from atl.syntax.type_words import TYPE_WORDS
from atl.syntax.words import begins_type

__all__ = ["at_member", "missing_field_type", "missing_type", "reserved_name"]

_MODIFIERS = ("primary", "identity", "serial", "not null", "unique", "default", "references", "check", "backfill")
_MODIFIER_KINDS = frozenset((*k.SETTLED, *k.SETTLED.values(), k.NOT)) - {k.TTL, k.UNSETTLED_TTL}
_LITERALS = (k.STRING, k.INT, k.DECIMAL, k.DURATION)
_LOOSE_CLAUSES = ("index", "soft_delete", "touch_on_update", "ttl_field", "partition", "query_timeout")
"""Nothing else in an entity is wrong for want of one of these."""
_LONG_LINE = 10_000
_UNITS = ("ns", "us", "ms", "s", "m", "h", "d")
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


def at_member(parse: Run, index: int, level: int) -> int:
    """A token that begins no member of this body."""
    tokens = parse.tokens
    state = parse.states[level]
    body = k.BODIES[state]
    _, start, end, text = tokens[index]
    fields = bool(TABLE[state + k.NAME])
    inside_field = level + 1 < len(parse.states) and type(parse.values[level]) is n.Name
    if not is_word(text):
        return _junk_at_member(parse, index, level)
    homes = [home for home in homes_of(member_kind(parse, index)) if k.BODIES[home] != body]
    if homes:
        finish(parse, level)
        where = any_of(home_phrases(homes))
        report(
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
        return skip_member(parse, index + 1)
    if text in _UNITS and tokens[index - 1][0] == k.INT and not parse.first_on_line(index):
        # `5 m`: that the number is no duration is said where it stands.
        return index + 1
    if text in ("primary", "unique") and TABLE[state + k.KEY_PRIMARY]:
        unexpected_behind(parse, index, "`by`")
        finish(parse, level)
        return skip_member(parse, index + 1)
    words = words_of(state)
    if inside_field:
        words += _MODIFIERS
    if text == "where" and index > level and _in_index(parse, level):
        unexpected(parse, index, help="an index with a condition is `index partial by`")
        parse.cut(level)
        return skip_member(parse, index + 1)
    if body == "steps" and not parse.first_on_line(index):
        unexpected(parse, index, help="conditions are joined by `and`" if text == "or" else "")
        parse.values.lost = True
        parse.cut(level)
        return skip_member(parse, index + 1)
    if fields and text == "null":
        report(
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
        unknown(parse, index, what, words)
    parse.values.lost = True
    if inside_field and not parse.first_on_line(index) and goes_on(parse, index + 1):
        return index + 1
    finish(parse, level)
    return skip_member(parse, index + 1)


def _in_index(parse: Run, level: int) -> bool:
    """Whether an index is being read whose columns are complete."""
    first = parse.values[level] if level + 1 < len(parse.states) else None
    return type(first) is int and parse.text.startswith("index", first)


def _junk_at_member(parse: Run, index: int, level: int) -> int:
    """A sign or a value where a member may begin, or a modifier."""
    if level + 1 < len(parse.states) and type(parse.values[level]) is n.Name and not parse.first_on_line(index):
        name, type_ = parse.values[level], parse.values[level + 1] if level + 2 < len(parse.states) else None
        meant = misspelt(name.text, words_of(parse.states[level]))
        if (
            meant
            and parse.tokens[index][0] == k.COLON
            and type_ is not None
            and type_.end == parse.tokens[index - 1][2]
        ):
            at = token_at(parse, index, name.start)
            unknown(parse, at, f"no clause of {BODY_PHRASES[k.BODIES[parse.states[level]]]}", [meant])
            parse.cut(level)
            return skip_member(parse, index)
        if parse.tokens[index][0] == k.DOT and name.text.lower() == "references":
            # `REFERENCES ns.Entity` is read as a field and its type.
            unknown(parse, token_at(parse, index, name.start), "no modifier of a field", _MODIFIERS)
            parse.cut(level)
            return skip_member(parse, index)
    kind = parse.tokens[index][0]
    comma = kind == k.COMMA
    help = "no commas stand between fields or clauses" if comma else ""
    if k.BODIES[parse.states[level]] == "steps" and not parse.first_on_line(index):
        unexpected(parse, index)
        parse.cut(level)
        return skip_member(parse, index)
    if kind == k.DURATION and TABLE[parse.states[level] + k.NAME]:
        help = "a name begins with a letter"
    unexpected(parse, index, help)
    parse.values.lost = parse.values.lost or not comma
    while parse.tokens[index][0] == k.DOT and is_word(parse.tokens[index + 1][3]):
        index += 2
        if fits(parse, index) or parse.tokens[index][0] == k.END:
            return index
    name = parse.tokens[index + 1][0] == k.NAME and parse.tokens[index][0] in _LITERALS
    if parse.tokens[index][0] not in OPENING and not name and fits(parse, index + 1):
        return index + 1
    finish(parse, level)
    return skip_member(parse, index)


def reserved_name(parse: Run, index: int, level: int) -> int:
    """`index text`: a clause's word as a field's name. The token at which to go on, or -1."""
    states, tokens = parse.states, parse.tokens
    if index < 2 or not TABLE[states[level] + k.NAME]:
        return -1
    behind = len(states) - 1 - level
    first = index - 1
    if tokens[first][0] == k.NOT and begins_type(parse, index) and tokens[index][3] in TYPE_WORDS:
        # `not text`, read as a modifier of the field before.
        return _as_name(parse, len(states) - 2, first)
    if behind == 1 and tokens[first][3] in k.RESERVED_WORDS and begins_type(parse, index):
        type_ = tokens[index][0] == k.LSQB or tokens[index][3] in TYPE_WORDS
        return _as_name(parse, level, first) if type_ else -1
    members = parse.values[level - 1]
    keyless = members and type(members[-1]) is n.Keyless
    if behind == 0 and keyless and tokens[first][0] == k.KEYLESS and tokens[index][0] == k.LSQB:
        members.pop()
        return _as_name(parse, level, first)
    first = index - 2
    if tokens[first + 1][3] not in TYPE_WORDS or parse.first_on_line(first + 1):
        return -1
    if behind == 2 and tokens[first][0] in (k.HAS_MANY, k.HAS_ONE) and tokens[index][0] != k.NAME:
        return _as_name(parse, level, first)
    if behind == 1 and keyless and tokens[first][0] == k.KEYLESS:
        members.pop()
        return _as_name(parse, level, first)
    return -1


def _as_name(parse: Run, level: int, index: int) -> int:
    """Go back to a word that was read as a clause or modifier behind `states[level]`, and read it as a name."""
    del parse.states[level + 1 :]
    del parse.values[level:]
    _, start, end, text = parse.tokens[index]
    parse.tokens[index] = (k.NAME_RESERVED, start, end, text)
    return index


def missing_field_type(parse: Run, index: int, level: int) -> int:
    """A field's name, and behind it nothing that can be a type."""
    tokens = parse.tokens
    kind, _, _, text = tokens[index]
    name = parse.values[-1]
    state = parse.states[level]
    own_line = parse.first_on_line(index - 1)
    same_line = not parse.first_on_line(index)
    brace = max(parse.values[level - 2], 0)
    one_liner = parse.text.find("\n", brace, min(name.start, brace + _LONG_LINE)) < 0
    before = parse.values[level - 1]
    body = BODY_PHRASES[k.BODIES[state]]
    modifier = kind in _MODIFIER_KINDS
    previous = before[-1] if before and type(before[-1]) is n.Field else None
    follows = previous is not None and not own_line and index > 1 and previous.end == tokens[index - 2][2]
    if previous is not None and follows and _took_name(parse, index, previous):
        parse.cut(level)
        return index - 2
    if previous is not None and follows and (not one_liner or misspelt(name.text, _MODIFIERS)):
        unknown(parse, index - 1, "no modifier of a field", list(_MODIFIERS))
        _reopen(parse, level, previous)
        while not (parse.first_on_line(index) or tokens[index][0] in (k.RBRACE, k.END) or fits(parse, index)):
            index += 2 if tokens[index][0] == k.DOT and is_word(tokens[index + 1][3]) else 1
        return index
    if before and not own_line and not one_liner and index > 1 and before[-1].end == tokens[index - 2][2]:
        # `index by a b`: no field begins on a clause's line.
        _not_a_field(parse, index - 1, level)
        return skip_member(parse, index)
    if name.text in TYPE_WORDS:
        # Perhaps it is the type, and the name is missing.
        parse.values.lost = True
    if same_line and kind != k.RBRACE:
        words = words_of(state)
        reserved = text in k.RESERVED_WORDS and not modifier and not TABLE[state + member_kind(parse, index)]
        if reserved or (not modifier and misspelt(name.text, words)):
            unknown(parse, index - 1, f"no clause of {body}", words)
            parse.reported = index
            return _drop_misspelt(parse, level, index - 1)
    unexpected(parse, index, help=f"write `bigint {text}`" if text in ("serial", "identity") else "")
    if kind == k.COLON and begins_type(parse, index + 1):
        return index + 1
    parse.push("type", None)
    if same_line and kind != k.RBRACE and not modifier and not fits(parse, index):
        finish(parse, level)
        parse.values.lost = True
        return skip_member(parse, index)
    return index


def _drop_misspelt(parse: Run, level: int, begin: int) -> int:
    """Leave a misspelt clause out. Alone on its line it takes no field with it, and little hangs on most clauses."""
    lost = parse.values.lost
    parse.cut(level)
    after = skip_member(parse, begin + 1)
    alone = parse.first_on_line(begin) and (parse.tokens[after][0] == k.RBRACE or parse.first_on_line(after))
    field = any(parse.tokens[at][3] in TYPE_WORDS for at in range(begin, after))
    if alone and not field and misspelt(parse.tokens[begin][3], _LOOSE_CLAUSES):
        parse.values.lost = lost
    return after


def _took_name(parse: Run, index: int, field: n.Field) -> bool:
    """Whether `references` at a line's end has taken the next field's name for its path; the field gives it back."""
    last = field.modifiers[-1] if field.modifiers else None
    if type(last) is not n.References or len(last.path) != 1 or last.actions:
        return False
    if not parse.first_on_line(index - 2) or not begins_type(parse, index - 1):
        return False
    field.modifiers.pop()
    field.end = parse.tokens[index - 4][2]
    _, start, end, text = parse.tokens[index - 2]
    message = f"expected `namespace.Entity.field`, found `{text}`"
    report(parse, index - 2, RawFinding("ATL001", start, end, message))
    return True


def _not_a_field(parse: Run, index: int, level: int) -> None:
    _, start, end, text = parse.tokens[index]
    message = f"expected `,` or the next clause on a line of its own, found `{text}`"
    report(parse, index, RawFinding("ATL001", start, end, message))
    parse.cut(level)


def _reopen(parse: Run, level: int, field: n.Field) -> None:
    """Put the last field of a body back on the stacks, so that more modifiers can follow."""
    parse.values.lost = True
    del parse.states[level + 1 :]
    del parse.values[level:]
    parse.values[level - 1].pop()
    parse.feed(k.NAME, field.name)
    parse.push("type", field.type)
    parse.push("mods", field.modifiers)


def missing_type(parse: Run, index: int) -> int:
    """A param's type, or an array's element, that is not there."""
    unexpected(parse, index)
    parse.push("type", None)
    return index
