"""Raw SQL between braces: moved as a whole, or left alone."""

from __future__ import annotations

import re

__all__ = ["moved"]

# Quoted text and comments of PostgreSQL's scanner; block comments are matched by `_skip_comment`, for they nest.
_QUOTED = re.compile(
    r"""--[^\n]*
      | /\*
      | (?<![\w$])[eE]'(?:[^'\\]|\\.|'')*'?
      | '(?:[^']|'')*'?
      | "(?:[^"]|"")*"?
      | (?<![\w$])\$(?P<tag>(?:[^\W\d]\w*)?)\$(?:.*?\$(?P=tag)\$|.*)
    """,
    re.DOTALL | re.VERBOSE,
)
_COMMENT_SIGN = re.compile(r"/\*|\*/")
_INDENT = re.compile(r"[ \t]*")


def moved(sql: str, indent: int) -> str | None:
    """The text with its lines' shared indentation replaced by `indent` spaces, so that the block hangs in its place
    and its lines keep their places to each other; the closing brace goes two columns left of it.

    None when that cannot be: there is one line only, SQL begins behind the opening brace, the lines share no
    indentation, or a string or quoted name holds a line end, so that moving would change its value.
    """
    lines = sql.split("\n")
    if len(lines) < 2 or lines[0].strip() or _literal_spans_lines(sql):
        return None
    closing = "" if lines[-1].strip() else " " * (indent - 2)
    inner = lines[1:-1] if closing else lines[1:]
    indents = [_indent(line) for line in inner if line.strip()]
    shared = _common(min(indents), max(indents)) if indents else ""
    if indents and not shared and "" not in indents:
        return None
    pad = " " * indent
    out = ["\r" if lines[0].endswith("\r") else ""]
    out += [pad + line[len(shared) :] if line.strip() else line for line in inner]
    if closing:
        out.append(closing)
    return "\n".join(out)


def _common(low: str, high: str) -> str:
    """What both begin with, and so does every text that sorts between them."""
    return next((low[:k] for k, sign in enumerate(low) if high[k] != sign), low)


def _indent(line: str) -> str:
    match = _INDENT.match(line)
    return match[0] if match else ""


def _literal_spans_lines(sql: str) -> bool:
    at = 0
    while match := _QUOTED.search(sql, at):
        at = match.end()
        if match[0] == "/*":
            at = _skip_comment(sql, at)
        elif "\n" in match[0]:
            return True
    return False


def _skip_comment(sql: str, at: int) -> int:
    depth = 1
    while depth and (match := _COMMENT_SIGN.search(sql, at)):
        depth += 1 if match[0] == "/*" else -1
        at = match.end()
    return len(sql) if depth else at
