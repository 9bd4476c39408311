"""Comments that silence.

`// atl: ignore[ATL326]` at a line's end is for the findings that start on that line, alone on its line for the next
declaration or member; `// atl: ignore-file[ATL108]` in the first comment block is for the file. What silences nothing
is ATL014, what would silence an error ATL015; errors stay.

Silences work on a whole file, after the rules: a line may hold the end of one declaration and the start of the next.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from atl.check.comments import whole_comment
from atl.findings import CODES, Edit, Finding, Fix, Label, Severity
from atl.records import NamedTuple
from atl.source import Place, SourceFile
from atl.syntax import nodes as n
from atl.syntax.tree import Chunk, Comment, FileTree, Unit
from atl.syntax.walk import walk

__all__ = ["CodeWord", "Silence", "apply_silences", "silences"]

# Compiled at first use, which `re` remembers: most files have no silence.
_COMMENT = r"//[ \t]*atl:[ \t]*ignore(-file)?[ \t]*\[([^\]\n]*)\]"
_WORD = r"[^,\s](?:[^,]*[^,\s])?"

# The parser's findings that cost a member: what stood there was not checked, so nothing is said of its silences.
_LOST = frozenset({"ATL001", "ATL002", "ATL005", "ATL010", "ATL013"})
# What this module itself reports, after all others.
_OWN = frozenset({"ATL014", "ATL015"})

_PART_OF_MEMBER = (n.TypeRef, n.Flag, n.Default, n.References, n.FieldCheck, n.Backfill)


class CodeWord(NamedTuple):
    """A code in the brackets as written, whatever it is. Offsets are relative to the chunk."""

    text: str
    start: int
    end: int


class Silence(NamedTuple):
    """One comment that silences; offsets are relative to the chunk of `unit`.

    kind: `line`, `next` or `file`. reach: what `next` is for, (start, end); None where nothing follows.
    """

    unit: Unit
    comment: Comment
    kind: str
    codes: tuple[CodeWord, ...]
    reach: tuple[int, int] | None = None


def silences(tree: FileTree) -> list[Silence]:
    """The silences of a file in the order of the text. An `ignore-file` outside the first comment block is among
    them with a reach of None."""
    text = tree.file.text
    if "atl:" not in text:
        return []
    found: list[Silence] = []
    head = _first_block_end(tree)
    for unit in tree.units:
        for comment in unit.chunk.comments:
            match = None if comment.block or "atl:" not in comment.text else re.match(_COMMENT, comment.text)
            if match is None:
                continue
            base = comment.start + match.start(2)
            words = tuple(CodeWord(w[0], base + w.start(), base + w.end()) for w in re.finditer(_WORD, match[2]))
            if match[1]:
                inside = unit.anchor.start + comment.end <= head
                found.append(Silence(unit, comment, "file", words, (0, len(text)) if inside else None))
            elif comment.own_line:
                found.append(Silence(unit, comment, "next", words, _next_member(unit.chunk, comment)))
            else:
                found.append(Silence(unit, comment, "line", words))
    return found


def apply_silences(tree: FileTree, findings: Sequence[Finding]) -> list[Finding]:
    """The findings of one file without the silenced ones, and with what is to be said of the silences; in no
    particular order."""
    comments = silences(tree)
    if not comments:
        return list(findings)
    by_code = _ByCode(tree.file, findings)
    silenced: set[int] = set()
    own: list[Finding] = []
    late: list[tuple[Silence, CodeWord]] = []
    for silence in comments:
        unused: list[CodeWord] = []
        for word in silence.codes:
            if word.text in _OWN:
                late.append((silence, word))
                continue
            hits = list(by_code.within(silence, word.text))
            errors = [f for f in hits if f.severity is Severity.ERROR]
            silenced.update(id(f) for f in hits if f.severity is not Severity.ERROR)
            if errors:
                own.append(_silenced_error(silence, word, errors[0]))
            elif not hits:
                unused.append(word)
        if not by_code.lost(silence):
            own.extend(_unused(silence, unused))
    if late:
        by_own = _ByCode(tree.file, own)
        for silence, word in late:
            hits = list(by_own.within(silence, word.text))
            silenced.update(map(id, hits))
            if not hits:
                own.extend(_unused(silence, [word]))
    return [f for f in (*findings, *own) if id(f) not in silenced]


# ------------------------------------------------------------------ what a silence reaches


def _first_block_end(tree: FileTree) -> int:
    """Where the comments end with which the file begins, with no blank line between them."""
    text = tree.file.text
    end = 0
    for unit in tree.units:
        for comment in unit.chunk.comments:
            between = text[end : unit.anchor.start + comment.start]
            if between.strip() or (end and between.count("\n") > 1):
                return end
            end = unit.anchor.start + comment.end
        if unit.chunk.declarations:
            break
    return end


def _next_member(chunk: Chunk, comment: Comment) -> tuple[int, int] | None:
    """The declaration or member that follows with only comments and blank lines between, and the comments that end its
    last line."""
    start = _skip(chunk, comment.end, " \t\r\n\f\v")
    for decl in chunk.declarations:
        if not decl.start <= start < decl.end:
            continue
        for node in _members(decl):
            if node.start == start:
                end = _skip(chunk, node.end, " \t,", within_line=True)
                return start, end if chunk.text[end : end + 1] in ("", "\n", "\r") else node.end
    return None


def _members(decl: n.Declaration) -> Iterator[n.Node]:
    for node in walk(decl):
        if isinstance(node, _PART_OF_MEMBER):
            continue
        yield node
        match node:
            case n.Enqueue() | n.StepArgs():
                yield from node.args
            case n.Insert() | n.Update():
                yield from node.sets
            case _:
                pass


def _skip(chunk: Chunk, at: int, blank: str, within_line: bool = False) -> int:
    """The next offset that is neither blank nor in a comment (nor, within a line, in one that leaves the line)."""
    text = chunk.text
    position = bisect_left(chunk.comments, (at,))
    while True:
        while at < len(text) and text[at] in blank:
            at += 1
        comment = chunk.comments[position] if position < len(chunk.comments) else None
        if comment is None or comment.start != at or (within_line and "\n" in comment.text):
            return at
        at = comment.end
        position += 1


class _ByCode:
    """The findings of a file, to be found by code and place."""

    def __init__(self, file: SourceFile, findings: Iterable[Finding]) -> None:
        self.file = file
        self.starts: dict[str, list[int]] = {}
        self.found: dict[str, list[Finding]] = {}
        for finding in sorted(findings, key=lambda f: f.place.span):
            self.starts.setdefault(finding.code, []).append(finding.place.span.start)
            self.found.setdefault(finding.code, []).append(finding)

    def within(self, silence: Silence, code: str) -> Iterator[Finding]:
        reach = self._reach(silence)
        starts = self.starts.get(code)
        if reach is None or starts is None:
            return
        for position in range(bisect_left(starts, reach[0]), len(starts)):
            if starts[position] >= reach[1]:
                break
            yield self.found[code][position]

    def lost(self, silence: Silence) -> bool:
        """Whether what the silence is for was not read, or not wholly."""
        if silence.kind == "next" and silence.reach is None:
            return any(decl.lost and decl.start <= silence.comment.start < decl.end for decl in _decls(silence))
        return silence.kind != "file" and any(True for code in _LOST for _ in self.within(silence, code))

    def _reach(self, silence: Silence) -> tuple[int, int] | None:
        """Absolute; a line's end counts as on the line."""
        base = silence.unit.anchor.start
        if silence.kind == "line":
            line = self.file.lines.line(base + silence.comment.start)
            starts = self.file.lines.starts
            return starts[line], starts[line + 1] if line + 1 < len(starts) else len(self.file.text) + 1
        if silence.reach is None:
            return None
        if silence.kind == "file":
            return 0, len(self.file.text) + 1
        return base + silence.reach[0], base + silence.reach[1]


def _decls(silence: Silence) -> tuple[n.Declaration, ...]:
    return silence.unit.chunk.declarations


# ------------------------------------------------------------------ what is said of silences


def _silenced_error(silence: Silence, word: CodeWord, error: Finding) -> Finding:
    return Finding(
        "ATL015",
        silence.unit.place(word.start, word.end),
        f"`{word.text}` is an error here, and errors cannot be silenced",
        labels=(Label(error.place, "reported all the same"),),
        help=f"mend it, and remove `{word.text}` from the comment",
    )


def _unused(silence: Silence, words: list[CodeWord]) -> Iterator[Finding]:
    unit, comment = silence.unit, silence.comment
    if len(words) == len(silence.codes):
        names = ", ".join(f"`{word.text}`" for word in words)
        yield Finding(
            "ATL014",
            unit.place(comment.start, comment.end),
            f"nothing is silenced: {_absence(silence, names)}" if words else "nothing is silenced: no code is named",
            help=_advice(silence, words[0]) if len(words) == 1 else "remove the comment",
            fixes=(Fix("remove the comment", (Edit(whole_comment(unit, comment), ""),)),),
        )
        return
    for word in words:
        yield Finding(
            "ATL014",
            unit.place(word.start, word.end),
            f"nothing is silenced: {_absence(silence, f'`{word.text}`')}",
            help=_advice(silence, word),
            fixes=(Fix(f"remove `{word.text}`", (Edit(_listed(silence, word), ""),)),),
        )


def _absence(silence: Silence, names: str) -> str:
    match silence.kind:
        case "line":
            return f"no {names} starts on this line"
        case "next" if silence.reach is None:
            return "no declaration or member follows this comment"
        case "next":
            return f"there is no {names} in what follows"
        case _ if silence.reach is None:
            return "`ignore-file` stands outside the first comment block of the file"
        case _:
            return f"there is no {names} in this file"


def _advice(silence: Silence, word: CodeWord) -> str:
    if word.text not in CODES:
        meant = next((c.code for c in CODES.values() if word.text.lower() in (c.code.lower(), c.name)), None)
        if meant is not None:
            return f"write `{meant}`"
        return f"`{word.text}` is no rule's code"
    if silence.kind == "file" and silence.reach is None:
        return "move the comment to the top of the file, or write `ignore` for a single place"
    return "remove the comment" if len(silence.codes) == 1 else f"remove `{word.text}`"


def _listed(silence: Silence, word: CodeWord) -> Place:
    """A code with the comma that parts it from its neighbour."""
    codes = silence.codes
    position = codes.index(word)
    if position + 1 < len(codes):
        return silence.unit.place(word.start, codes[position + 1].start)
    return silence.unit.place(codes[position - 1].end, word.end)
