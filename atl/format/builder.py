"""A declaration's nodes and tokens to items: what goes on which line, and where a line may be broken.

Nodes say where members begin and end, tokens what is written. Every token and comment of the source goes into an item,
in order; only the commas that separate members are made anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from atl.closed import assert_never
from atl.format.flow import breaking_points, flow
from atl.format.items import LIMIT, Block, Item, Kind, Part, Remark, Row, is_directive
from atl.format.raw_sql import moved
from atl.format.tokens import Tokens
from atl.syntax import nodes as n
from atl.syntax.tree import Token
from atl.syntax.walk import walk

__all__ = ["layout"]

# The first words of members, and the names of fields, that are told from modifiers of the field above by their column.
_BY_COLUMN = frozenset(("backfill", "check", "default", "identity", "primary", "references", "serial", "unique"))


def layout(text: str, decl: n.Declaration, words: Sequence[Token]) -> Block | None:
    """The items of a declaration without syntax errors. words: its tokens, and the comments behind it on its last line.

    None when a directive ends a line that would have to be torn apart: the declaration has to stay as it is.
    """
    builder = _Builder(text, decl, words)
    block = builder.declaration()
    return None if builder.torn else block


class _Inner(NamedTuple):
    """What stands in braces or brackets, with commas between or without."""

    members: Sequence[n.Node]
    commas: bool = False


def _inner(member: n.Node) -> _Inner | None:
    match member:
        case n.Args() | n.State():
            return _Inner(member.fields)
        case n.Steps():
            return _Inner(member.steps)
        case n.Step() | n.Compensate() | n.Cache():
            return _Inner(member.parts)
        case n.Input():
            return _Inner(member.params, commas=True)
        case n.Output() if member.params is not None:
            return _Inner(member.params, commas=True)
        case n.Insert():
            return _Inner(member.sets, commas=True)
        case n.StepArgs() | n.Enqueue():
            return _Inner(member.args, commas=True)
        case _:
            return None


class _Builder:
    """`at` is the index of the next token that is in no item yet. `torn`: tokens that shared a line with a directive
    no longer do."""

    __slots__ = ("at", "decl", "text", "tokens", "torn")

    def __init__(self, text: str, decl: n.Declaration, words: Sequence[Token]) -> None:
        self.text = text
        self.decl = decl
        self.tokens = Tokens(text, words)
        self.at = 0
        self.torn = False
        for node in walk(decl):
            if type(node) is n.TypeRef:
                self._tighten_type(node)
            elif type(node) is n.ReadThrough:
                self._tighten(node)

    def declaration(self) -> Block:
        decl, inner = self.decl, self._members()
        tokens, close = self.tokens, self.tokens.at(decl.end) - 1
        comment = " ".join(tokens.texts[close + 1 :])
        if is_directive(comment) and "\n" not in self.text[decl.start : decl.end]:
            apart = inner.members[1:] if type(decl) is n.EntityDecl or type(decl) is n.EphemeralDecl else ()
            line = tokens.join(0, close + 1, {tokens.at(member.start) for member in apart})
            return Block(False, [Part([line])], "", verbatim="", foot_comment=comment)
        block = self._block(False, self._take(tokens.at(decl.open) + 1, ()), inner, close, 1)
        self._end_block(block, comment, close)
        return block

    def _members(self) -> _Inner:
        decl = self.decl
        match decl:
            case n.EntityDecl() | n.EphemeralDecl():
                return _Inner(decl.members)
            case n.EnumDecl():
                return _Inner(self._labels(decl.labels), commas=True)
            case n.JobDecl():
                return _Inner(decl.clauses)
            case n.QueryDecl() | n.ProcedureDecl() | n.WorkflowDecl():
                return _Inner(decl.parts)
            case n.BrokenDecl():
                return _Inner(())
            case _:
                assert_never(decl)

    def _labels(self, labels: list[n.EnumLabel]) -> Sequence[n.Node]:
        """One member for all of them when the author had them on one line and it fits."""
        if len(labels) > 1:
            whole = n.Node(labels[0].start, labels[-1].end)
            if "\n" not in self.text[whole.start : whole.end]:
                first, end = self.tokens.at(whole.start), self.tokens.at(whole.end)
                if 2 + len(self.tokens.join(first, end)) <= LIMIT:
                    return (whole,)
        return labels

    # ------------------------------------------------------------ bodies

    def _block(self, blank: bool, head: list[Part], inner: _Inner, close: int, level: int) -> Block:
        """The next token is the first of the body, `close` is the closing brace; `level` is that of the members."""
        tokens, members = self.tokens, inner.members
        block = Block(blank, head, tokens.texts[close])
        head[-1].comment = self._line_end(close, close)
        for k, member in enumerate(members):
            start = tokens.at(member.start)
            # By its column such a word begins a member or modifies the field above; a comment before it would move it.
            apart = not inner.commas and tokens.texts[start] in _BY_COLUMN and tokens.texts[start + 1] != "by"
            prefix = self._remarks(start, block.body, not apart)
            first = self.at
            item = self._member(member, prefix, level)
            last = k + 1 == len(members)
            if inner.commas and not last and type(item) is Row:
                item.append(",")
            comment = self._line_end(close if last else tokens.at(members[k + 1].start), close)
            if isinstance(item, Block):
                self._end_block(item, comment, tokens.at(member.end) - 1)
            else:
                item.parts[-1].comment = comment
                self.torn |= is_directive(comment) and tokens.lines[first] == 0
            block.body.append(item)
        self._remarks(close, block.body, False)
        self.at = close + 1
        return block

    def _end_block(self, block: Block, comment: str, close: int) -> None:
        block.foot_comment = comment
        self.torn |= is_directive(comment) and block.verbatim is None and self.tokens.lines[close] == 0

    def _line_end(self, stop: int, close: int) -> str:
        """The comments that end the line of the token before, which is the opening brace or a member's last one.
        Passes over the separating comma."""
        tokens = self.tokens
        found: list[str] = []
        line_full = False
        while self.at < stop:
            if tokens.is_comma(self.at):
                self.at += 1
                continue
            end = self.at
            while end < stop and tokens.is_comment(end) and tokens.lines[end] == 0:
                end += 1
                if tokens.ends_line(end - 1):
                    break
            if end == self.at or line_full:
                break
            if not (tokens.ends_line(end - 1) or end == close or tokens.lines[end] or tokens.is_comma(end)):
                break
            found += tokens.texts[self.at : end]
            line_full = tokens.is_line_comment(end - 1)
            self.at = end
        return " ".join(found)

    def _remarks(self, stop: int, body: list[Item], may_share: bool) -> str:
        """Put the comments before `stop` on lines of their own, but give back those that share its line and may."""
        tokens = self.tokens
        comments = [k for k in range(self.at, stop) if tokens.is_comment(k)]
        prefix: list[str] = []
        if may_share:
            after = stop
            while comments and comments[-1] == after - 1 and not (tokens.lines[after] or tokens.ends_line(after - 1)):
                after = comments.pop()
                prefix.append(tokens.texts[after])
        remark: list[str] = []
        blank = False
        for k in comments:
            if remark and (tokens.lines[k] or remark[-1].startswith("//")):
                body.append(Remark(blank, " ".join(remark)))
                remark = []
            if not remark:
                blank = tokens.lines[k] > 1
            remark.append(tokens.texts[k])
        if remark:
            body.append(Remark(blank, " ".join(remark)))
        self.at = stop - len(prefix)
        return " ".join(reversed(prefix))

    # ------------------------------------------------------------ members

    def _member(self, member: n.Node, prefix: str, level: int) -> Row | Block:
        """`self.at` is the member's first token, or its prefix's. What has no body is a line of its tokens."""
        tokens = self.tokens
        blank = tokens.lines[self.at] > 1
        if self.at and tokens.is_comma(self.at - 1):
            blank = blank or tokens.lines[self.at - 1] > 1
        end = tokens.at(member.end)
        match member:
            case n.Field():
                return self._field(member, prefix, blank, end)
            case n.Sql():
                return self._sql(member, blank, end, level)
            case n.Retries() | n.Timeout() | n.Heartbeat() | n.Queue() | n.Schedule() | n.VisibleTo():
                parts = self._take(end, (tokens.at(member.start) + 1,))
                return Row(blank, parts, Kind.CLAUSE if len(parts[0].atoms) == 2 else Kind.PLAIN)
            case _:
                inner = _inner(member)
                return self._braces(member, inner, blank, end, level) if inner else self._clause(blank, end, level)

    def _field(self, field: n.Field, prefix: str, blank: bool, end: int) -> Row:
        starts = [modifier.start for modifier in field.modifiers]
        if field.type is not None:
            starts.append(field.type.start)
        parts = self._take(end, {self.tokens.at(start) for start in starts})
        width = len(prefix.encode("utf-8", "surrogatepass")) + 1 if prefix else 0
        return Row(blank, parts, Kind.FIELD, width)

    def _braces(self, member: n.Node, inner: _Inner, blank: bool, end: int, level: int) -> Row | Block:
        """On one line when the author had it so and it fits, or when it is empty."""
        tokens = self.tokens
        opening = "(" if type(member) is n.Enqueue else "{"
        brace = next(k for k in range(tokens.at(member.start), end) if tokens.texts[k] == opening)
        on_one_line = "\n" not in self.text[tokens.starts[brace] : member.end] or brace + 2 == end
        if on_one_line and not any(tokens.is_comment(k) for k in range(self.at, brace)):
            apart = inner.members[1:] if type(member) is n.Args or type(member) is n.State else ()
            line = tokens.join(self.at, end, {tokens.at(field.start) for field in apart})
            if 2 * level + len(line) <= LIMIT or self._directive_follows(end):
                self.at = end
                return Row(blank, [Part([line])])
        return self._block(blank, self._take(brace + 1, ()), inner, end - 1, level + 1)

    def _sql(self, member: n.Sql, blank: bool, end: int, level: int) -> Row | Block:
        """SQL stays on the line of its braces, or on its lines."""
        tokens = self.tokens
        verbatim = self.text[member.sql.start : member.sql.end]
        brace = tokens.at(member.sql.start) - 1
        head = self._take(brace + 1, breaking_points(tokens, self.at, brace, 1))
        self.at = end
        line = " ".join(head[0].atoms) + (verbatim if verbatim.strip() else " ") + "}"
        if "\n" not in line and len(head) == 1 and 2 * level + len(line) <= LIMIT:
            return Row(blank, [Part([line])])
        shifted = moved(verbatim, 2 * level + 2)
        return Block(blank, head, "}", verbatim=verbatim if shifted is None else shifted)

    def _clause(self, blank: bool, end: int, level: int) -> Row:
        """Broken before `where` alone if that is enough."""
        tokens, start = self.tokens, self.at
        breaks = breaking_points(tokens, start, end)
        wheres = [k for k in breaks if tokens.texts[k] == "where"]
        parts = self._take(end, wheres)
        if wheres != breaks and any(2 * level + 4 + len(atom) > LIMIT for part in parts for atom in part.atoms):
            parts = flow(tokens, start, end, breaks)
        return Row(blank, parts)

    def _take(self, end: int, breaks: Iterable[int]) -> list[Part]:
        start, self.at = self.at, end
        return flow(self.tokens, start, end, breaks)

    def _directive_follows(self, k: int) -> bool:
        tokens = self.tokens
        while k < len(tokens) and tokens.is_comment(k) and tokens.lines[k] == 0:
            if is_directive(tokens.texts[k]):
                return True
            k += 1
        return False

    def _tighten(self, part: n.ReadThrough) -> None:
        """`ttl=10m tag="..."`."""
        for value in (part.ttl, part.tag):
            if value is not None:
                k = self.tokens.at(value.start)
                self.tokens.tight.add(k)
                while self.tokens.texts[k - 1] != "=":
                    k -= 1
                self.tokens.tight.add(k - 1)

    def _tighten_type(self, type_: n.TypeRef) -> None:
        """The brackets of arrays stand close on either side."""
        if type_.dims or type_.postfix:
            tokens = self.tokens
            name = tokens.at(type_.name.start)
            for k in range(tokens.at(type_.start) + 1, tokens.at(type_.end)):
                if k <= name or tokens.texts[k] in ("[", "]"):
                    tokens.tight.add(k)
