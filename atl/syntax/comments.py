"""Block comments, which the published language does not have."""

from __future__ import annotations

from atl.syntax.tree import RawFinding

__all__ = ["block_comment"]


_LONG_LINE = 2000
"""How far before a comment its line may begin for a fix to look for that."""


def block_comment(text: str, base: int, start: int, end: int, code: int) -> RawFinding:
    """ATL009 for the block comment text[start:end] of the chunk that begins at `base`, with a fix to `//`.

    code: where the last raw SQL before it ends, in which no comment of ours can be put.
    """
    edits = _edits(text, base, start, end, code)
    return RawFinding(
        "ATL009",
        start - base,
        end - base,
        "the language has no block comments; `//` comments reach to the end of the line",
        help="write `//`",
        fixes=(("use `//`", True, tuple((s - base, e - base, new) for s, e, new in edits)),) if edits else (),
    )


def _edits(text: str, base: int, start: int, end: int, code: int) -> list[tuple[int, int, str]]:
    """Edits that keep every token on its line and every comment before what it stood before."""
    newline = text.find("\n", end, end + _LONG_LINE)
    if newline < 0 and end + _LONG_LINE < len(text):
        return []
    behind = text[end : newline if newline >= 0 else len(text)].strip()
    nearest = max(base, start - _LONG_LINE)
    line_start = text.rfind("\n", nearest, start) + 1 or nearest
    before = text[line_start:start]
    indent = before[: len(before) - len(before.lstrip())]
    eol = "\r\n" if "\r\n" in text[start : newline + 1] else "\n"
    lines = _lines(text[start + 2 : end - 2])
    if not behind:
        return [(start, end, f"{eol}{indent}".join(lines))]
    if (
        (line_start == nearest != base)
        or line_start < code
        or "/*" in before
        or "*/" in before
        or "\n" in text[start:end]
    ):
        return []
    # As many blanks as the comment had bytes: what follows keeps its column, on which the next lines may depend.
    blanks = " " * len(text[start:end].encode("utf-8", "surrogatepass"))
    return [(line_start, line_start, f"{indent}{lines[0]}{eol}"), (start, end, blanks)]


def _lines(inner: str) -> list[str]:
    kept = [line.strip().removeprefix("*").strip() for line in inner.split("\n")]
    while len(kept) > 1 and not kept[-1]:
        kept.pop()
    while len(kept) > 1 and not kept[0]:
        del kept[0]
    return [f"// {line}" if line else "//" for line in kept]
