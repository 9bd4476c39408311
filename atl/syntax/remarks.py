"""What lexing leaves besides tokens: comments, findings, and what is in no token."""

from __future__ import annotations

import re

from atl.syntax.comments import block_comment
from atl.syntax.strings import bad_escapes, requote
from atl.syntax.tree import Comment, RawFinding

__all__ = ["Remarks"]

_UNREADABLE = re.compile("[\x00\ud800-\udfff]+")


class Remarks:
    """What a chunk's lexing leaves besides its tokens. Arguments are offsets in the text, what is kept is relative."""

    __slots__ = ("bad", "base", "comments", "last_bad", "raw", "sql_end", "swallowed", "text")

    def __init__(self, text: str, base: int) -> None:
        self.text = text
        self.base = base
        self.comments: list[Comment] = []
        self.raw: list[RawFinding] = []
        self.bad: list[tuple[int, int, bool]] = []
        self.last_bad = 0
        self.sql_end = 0
        self.swallowed = False

    def _own_line(self, start: int, last: int) -> bool:
        """Whether only white space stands before `start` on its line; `last` is the last token's end."""
        if self.comments:
            last = max(last, self.comments[-1].end)
        last = max(last, self.last_bad)
        return last == 0 or "\n" in self.text[self.base + last : start]

    def comment(self, start: int, end: int, last: int) -> None:
        text = self.text[start:end].rstrip("\r")
        start_here = start - self.base
        self.comments.append(Comment(start_here, start_here + len(text), text, False, self._own_line(start, last)))

    def block(self, start: int, end: int, tokens: list[tuple[int, int, int, str]]) -> None:
        base = self.base
        own_line = self._own_line(start, tokens[-1][2] if tokens else 0)
        self.comments.append(Comment(start - base, end - base, self.text[start:end], True, own_line))
        self.raw.append(block_comment(self.text, base, start, end, self.sql_end))

    def open_comment(self, start: int, end: int) -> None:
        base = self.base
        text = self.text[start:end].rstrip()
        self.comments.append(Comment(start - base, start - base + len(text), text, True, False))
        self.swallowed = True
        self.raw.append(
            RawFinding(
                "ATL003",
                start - base,
                start - base + 2,
                "this comment is never closed",
                "everything from here on is comment",
                help="write `//`, which ends with the line",
                fixes=(("make it a line comment", False, ((start - base, start - base + 2, "//"),)),),
            )
        )

    def open_string(self, start: int, end: int) -> None:
        base = self.base
        text = self.text[start:end]
        double = text[0] == '"'
        self.swallowed = self.swallowed or "}" in text
        edits = ((end - base, end - base, '"'),)
        if not double:
            edits = ((start - base, end - base, requote(text)),)
        if text.endswith("\\") and len(text) - len(text.rstrip("\\")) & 1:
            edits = ((end - base - 1, end - base, '"'),) if double else edits
        self.raw.append(
            RawFinding(
                "ATL003",
                start - base,
                end - base,
                "this string is not closed on its line",
                "a string ends where its line ends",
                help='add the closing `"`',
                fixes=(("close the string at the line's end", "}" not in text, edits),),
            )
        )

    def odd_string(self, start: int, end: int) -> None:
        """A closed string that is in single quotes or has escapes."""
        base = self.base
        text = self.text[start:end]
        if text[0] == "'":
            self.raw.append(
                RawFinding(
                    "ATL007",
                    start - base,
                    end - base,
                    "a string stands in double quotes",
                    help=f"write `{requote(text)}`",
                    fixes=(("use double quotes", True, ((start - base, end - base, requote(text)),)),),
                )
            )
            return
        for at, replacement in bad_escapes(text):
            here = start - base + at
            self.raw.append(
                RawFinding(
                    "ATL004",
                    here,
                    here + 2,
                    f"`{text[at : at + 2]}` is no escape",
                    help='the escapes are `\\"`, `\\\\`, `\\n` and `\\t`',
                    fixes=((f"write `{replacement}`", True, ((here, here + 2, replacement),)),),
                )
            )

    def open_sql(self, brace: int, end: int) -> None:
        """`brace` and `end` are relative."""
        self.swallowed = True
        self.bad.append((brace + 1, end, True))
        self.raw.append(
            RawFinding(
                "ATL005",
                brace,
                brace + 1,
                "this SQL block has no closing `}`",
                "opened here",
                help="a quote, a comment or a brace inside the block is never closed",
            )
        )

    def bad_characters(self, start: int, end: int) -> None:
        base = self.base
        text = self.text[start:end]
        self.bad.append((start - base, end - base, False))
        self.last_bad = end - base
        if text[0] == "\0" or "\ud800" <= text[0] <= "\udfff":
            return
        if text[0] == "#":
            self.raw.append(
                RawFinding("ATL006", start - base, start - base + 1, "`#` begins nothing; a comment begins with `//`")
            )
            return
        shown = text if text.isprintable() else " ".join(f"U+{ord(c):04X}" for c in text[:4])
        self.raw.append(
            RawFinding(
                "ATL006",
                start - base,
                end - base,
                f"`{shown[:20]}` begins nothing that can stand here",
                help="nothing ends a declaration or a clause: drop the `;`" if text[0] == ";" else "",
            )
        )

    def unreadable(self, end: int) -> None:
        base = self.base
        for found in _UNREADABLE.finditer(self.text, base, base + end):
            what = "a NUL character stands here" if found[0][0] == "\0" else "what stands here is not UTF-8"
            self.raw.append(RawFinding("ATL006", found.start() - base, found.end() - base, what))

    def drop_after(self, end: int) -> None:
        """Forget what stands behind the place at which the chunk turned out to end."""
        while self.comments and self.comments[-1].start >= end:
            self.comments.pop()
        self.raw = [finding for finding in self.raw if finding.start < end]
