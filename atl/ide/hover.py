"""What is at the cursor, in Markdown."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from atl.ide.described import described
from atl.ide.named import named_at
from atl.ide.places import Cursor, cursor, included, span_in
from atl.schema.facts import duration_text
from atl.source import Span
from atl.syntax import nodes as n
from atl.syntax.tree import Comment, Token
from atl.syntax.walk import walk

if TYPE_CHECKING:
    from datetime import datetime

    from atl.workspace.live import Workspace

__all__ = ["Hover", "hover"]


class Hover(NamedTuple):
    """span: what it is about."""

    span: Span
    markdown: str


@included
def hover(workspace: Workspace, path: str, offset: int, now: datetime | None = None) -> Hover | None:
    """now: from when the next firings of a schedule are counted, with a zone; the clock's time by default."""
    here = cursor(workspace, path, offset)
    if here is None:
        return None
    for comment in here.unit.chunk.comments:
        if comment.start <= here.at < comment.end or (here.at == comment.end and not comment.block):
            return _comment(here, comment)
    if now is None:
        from datetime import datetime as clock
        from datetime import timezone

        now = clock.now(timezone.utc)
    found = named_at(workspace, path, offset)
    texts = [text for each in found if (text := described(workspace, each.use.target, now))]
    if texts:
        return Hover(found[0].location.span, "\n\n---\n\n".join(dict.fromkeys(texts)))
    token = _token(here)
    if token is None or here.decl is None:
        return None
    text = _schedule(here, token, now) or _duration(here, token) or _type(here, token) or _word(here, token)
    return Hover(span_in(here.unit, token.start, token.end), text) if text else None


def _token(here: Cursor) -> Token | None:
    from atl.syntax.lexer import tokens

    found = [token for token in tokens(here.unit.chunk.text) if token.start <= here.at <= token.end]
    inside = [token for token in found if here.at < token.end]
    return next(iter(inside or found), None)


# ---------------------------------------------------------------- comments


def _comment(here: Cursor, comment: Comment) -> Hover | None:
    from atl.check.registry import documentation
    from atl.check.silences import silences
    from atl.findings import CODES
    from atl.schema.hints import hints
    from atl.syntax.tree import FileTree

    for silence in silences(FileTree(here.unit.anchor.file, [here.unit])):
        for word in silence.codes:
            if word.start <= here.at <= word.end and word.text in CODES:
                code = CODES[word.text]
                head = f"**{word.text}** {code.name} ({code.severity.name.lower()})"
                return Hover(span_in(here.unit, word.start, word.end), f"{head}\n\n{documentation(word.text).strip()}")
    for hint in hints(here.unit.chunk):
        if hint.comment.start == comment.start and hint.old_name:
            text = (
                f"Was called `{hint.old_name}` before: a plan renames it, and what is stored stays. The comment can go "
                "once the change is applied everywhere."
            )
            return Hover(span_in(here.unit, hint.start, hint.end), text)
    return None


# ---------------------------------------------------------------- values and types


def _around(here: Cursor) -> list[n.Node]:
    """The nodes around the cursor, the declaration first."""
    assert here.decl is not None
    return [node for node in walk(here.decl) if node.start <= here.at <= node.end]


def _schedule(here: Cursor, token: Token, now: datetime) -> str:
    from atl.ide.cron_words import next_firings, schedule_words

    for node in _around(here):
        if type(node) is n.Schedule and node.value.start == token.start:
            words = schedule_words(node.value.value)
            if words:
                lines = [f"{words[:1].upper()}{words[1:]} (UTC), without arguments.", "", "Next:"]
                return "\n".join([*lines, *(f"- {moment}" for moment in next_firings(node.value.value, now))])
    return ""


def _duration(here: Cursor, token: Token) -> str:
    from atl.syntax.durations import milliseconds

    ms = milliseconds(token.text) if token.kind == "number" else None
    if ms is None:
        return ""
    plain = duration_text(ms)
    short = f"`{token.text}`" if plain == token.text else f"`{token.text}` = `{plain}`"
    return f"{short}: {ms} ms"


def _type(here: Cursor, token: Token) -> str:
    from atl.schema.types import BUILTINS, parameter_form, postgres_type, type_of

    for node in _around(here):
        if type(node) is n.TypeRef and node.name.start <= here.at <= node.name.end:
            row = BUILTINS.get(node.name.text) if node.namespace is None else None
            if row is not None:
                known = type_of(node, "")
                sql = postgres_type(known) if known.known else row.postgres
                array = "an array of: " if node.dims else ""
                extra = "" if row.equality else "\n\nIt has no equality: no key, no btree index, no comparison."
                return f"```atl\n{parameter_form(row)}\n```\n{array}{row.documentation}\n\nPostgreSQL: `{sql}`{extra}"
    return ""


# ---------------------------------------------------------------- words


def _word(here: Cursor, token: Token) -> str:
    from atl.schema.words import WORDS

    if token.kind != "word":
        return ""
    phrases = _phrases(here, token)
    for owner in _owners(here, token):
        for phrase in phrases:
            row = WORDS.get((owner, phrase))
            if row is not None:
                form = "\n".join(line for line in row.form.replace("<>", "").split("\n") if line.strip())
                usual = f"\n\nLeft out: `{row.usual}`." if row.usual else ""
                return f"```atl\n{form}\n```\n{row.documentation}{usual}"
    return ""


def _phrases(here: Cursor, token: Token) -> list[str]:
    """The word with those around it, the longest first: `unique index partial`, `index partial`, `index`."""
    from atl.syntax.lexer import tokens

    found = tokens(here.unit.chunk.text)
    at = next(index for index, each in enumerate(found) if each.start == token.start)
    phrases = []
    for size in (3, 2, 1):
        for first in range(at - size + 1, at + 1):
            words = found[first : first + size] if first >= 0 else []
            if len(words) == size and all(each.kind == "word" for each in words):
                phrases.append(" ".join(each.text for each in words))
    return phrases


def _owners(here: Cursor, token: Token) -> list[str]:
    """Where the word stands, the nearest first."""
    decl = here.decl
    assert decl is not None
    if decl.open < 0 or token.start < decl.open:
        return ["file", "value"]
    owners: list[str] = []
    for node in _around(here):
        first = node.start == token.start
        match node:
            case n.EntityDecl():
                owners += ["entity", "hyper"]
            case n.JobDecl():
                owners.append("job")
            case n.WorkflowDecl():
                owners.append("workflow")
            case n.EphemeralDecl():
                owners.append("ephemeral")
            case n.QueryDecl():
                owners.append("query")
            case n.ProcedureDecl():
                owners.append("procedure")
            case n.Field() | n.Param() if not first:
                owners.append("modifier")
            case n.Cache() if not first:
                owners.append("cache")
            case n.Steps() if not first:
                owners.append("steps")
            case n.Step() | n.Compensate() if not first:
                owners.append("step")
            case _:
                pass
    return [*reversed(owners), "value"]
