"""Reporting a syntax error: once for a token, and not where the lexer has said what is to blame."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable

from atl.findings.suggest import closest
from atl.syntax import _table as k
from atl.syntax.driver import TABLE, Run
from atl.syntax.messages import expected, found
from atl.syntax.strings import is_open
from atl.syntax.tree import RawFinding
from atl.syntax.words import among_params

__all__ = ["misspelt", "report", "unexpected", "unexpected_behind", "unknown"]

_MODIFIERS = frozenset((*k.SETTLED, *k.SETTLED.values(), k.NOT)) - {k.TTL, k.UNSETTLED_TTL}
_HELP = {
    ("=", "="): "one `=` compares",
    ("<", ">"): "write `!=`",
    ("default", "raw"): "`raw` is for the defaults of stored columns",
}


def report(parse: Run, index: int, finding: RawFinding) -> None:
    """One finding for a token, and none where the lexer's own says that the rest of the chunk was run over."""
    if parse.reported != index:
        parse.values.raw.append(finding)
    parse.reported = index


def unexpected(parse: Run, index: int, help: str = "") -> None:
    kind, start, end, text = parse.tokens[index]
    if parse.reported == index or _behind_bad(parse, index) or (kind == k.STRING and is_open(text)):
        return
    before = parse.tokens[index - 1][3] if index else ""
    help = help or _HELP.get((before, text), "")
    if not help and kind in _MODIFIERS and among_params(parse):
        help = "an input or output has no modifiers; an input may have a `default`"
    if text == "null" and TABLE[parse.states[-1] + k.NONTERMINALS["value"]]:
        help = "leave it out, or write null in an `sql` step"
    message = f"expected {expected(parse)}, found {found(parse, index)}"
    report(parse, index, RawFinding("ATL001", start, end, message, help=help))


def unexpected_behind(parse: Run, index: int, wanted: str) -> None:
    """Something else than `wanted` stands behind the token, which itself is right."""
    _, start, end, _ = parse.tokens[index + 1]
    report(parse, index, RawFinding("ATL001", start, end, f"expected {wanted}, found {found(parse, index + 1)}"))
    parse.values.lost = True


def _behind_bad(parse: Run, index: int) -> bool:
    """Whether a character that begins nothing stands right before the token: it is reported, and is to blame."""
    bad = parse.lexed.bad
    before = bisect_left(bad, (parse.tokens[index][1], 0, False)) - 1
    return index > 0 and before >= 0 and bad[before][0] >= parse.tokens[index - 1][2]


def misspelt(word: str, words: Iterable[str]) -> str | None:
    """The one of the words that `word` is, but for a slip or two: nearer than what is worth suggesting."""
    meant = closest(word, words)
    if meant is None:
        return None
    from difflib import SequenceMatcher

    return meant if SequenceMatcher(None, word[:_LONG_WORD].lower(), meant.lower()).ratio() >= _NEAR else None


_LONG_WORD = 64
_NEAR = 0.75


def unknown(parse: Run, index: int, what: str, words: Iterable[str]) -> None:
    _, start, end, text = parse.tokens[index]
    meant = closest(text, words)
    report(
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
