"""Block comments, which the published language does not have."""

from __future__ import annotations

from atl.syntax.tree import RawFinding

__all__ = ["block_comment"]


def block_comment(text: str, base: int, start: int, end: int) -> RawFinding:
    """ATL009 for the block comment text[start:end] of the chunk that begins at `base`, with a fix to `//`."""
    edits = _edits(text, base, start, end)
    return RawFinding(
        "ATL009",
        start - base,
        end - base,
        "the language has no block comments; `//` comments reach to the end of the line",
        help="write `//`",
        fixes=(("use `//`", True, tuple((s - base, e - base, new) for s, e, new in edits)),) if edits else (),
    )


def _edits(text: str, base: int, start: int, end: int) -> list[tuple[int, int, str]]:
    """Edits that keep every token on its line and every comment before what it stood before."""
    newline = text.find("\n", end)
    behind = text[end : newline if newline >= 0 else len(text)].strip()
    line_start = text.rfind("\n", base, start) + 1 or base
    before = text[line_start:start]
    indent = before[: len(before) - len(before.lstrip())]
    eol = "\r\n" if "\r\n" in text[start : newline + 1] else "\n"
    lines = _lines(text[start + 2 : end - 2])
    if not behind:
        return [(start, end, f"{eol}{indent}".join(lines))]
    if "/*" in before or "*/" in before or "\n" in text[start:end]:
        return []
    gap = 1 if text[start - 1 : start] == " " and text[end : end + 1] in " \t\r\n" else 0
    return [(line_start, line_start, f"{indent}{lines[0]}{eol}"), (start - gap, end, "")]


def _lines(inner: str) -> list[str]:
    kept = [line.strip().removeprefix("*").strip() for line in inner.split("\n")]
    while len(kept) > 1 and not kept[-1]:
        kept.pop()
    while len(kept) > 1 and not kept[0]:
        del kept[0]
    return [f"// {line}" if line else "//" for line in kept]
