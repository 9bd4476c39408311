"""Text in a terminal's cells: which character is shown, and how many columns it takes.

Widths follow Unicode's East Asian Width (Wide and Fullwidth take two columns) and its general categories (combining
marks take none). A character that would move the cursor, reorder the line or show nothing is shown as another one.
"""

from __future__ import annotations

from atl.records import NamedTuple

__all__ = ["Cells", "cells", "one_line"]

TAB_STOP = 4

_REPLACEMENT = "\ufffd"
_JOINER = "\u200d"
_KEPT_FORMAT = "\u200c\u200d"  # joiners, which scripts and emoji need


class Cells(NamedTuple):
    """shown: what to print. columns: for each offset 0..len(text), the column (from 0) where that character begins."""

    shown: str
    columns: range | list[int]


def cells(text: str, encoding: str = "utf-8") -> Cells:
    """A piece of a line as a terminal with this encoding shows it. Tabs go to the next multiple of 4 columns."""
    if text.isascii() and text.isprintable():
        return Cells(text, range(len(text) + 1))
    from unicodedata import category, east_asian_width

    shown: list[str] = []
    columns: list[int] = []
    column, wide, joined = 0, False, False
    for char in text:
        columns.append(column)
        if char == "\t":
            width = TAB_STOP - column % TAB_STOP
            shown.append(" " * width)
        else:
            kind = category(char)
            cell = _visible(char, kind, encoding)
            if cell != char:
                width = 1
            elif kind in ("Mn", "Me") or char in _KEPT_FORMAT or "\u1160" <= char <= "\u11ff":
                width = 0
            elif wide and (joined or "\U0001f3fb" <= char <= "\U0001f3ff"):
                # The rest of an emoji sequence stands in the two columns of its first character.
                width = 0
            else:
                width = 2 if east_asian_width(char) in "WF" else 1
                wide = width == 2
            shown.append(cell)
        joined = char == _JOINER
        column += width
    columns.append(column)
    return Cells("".join(shown), columns)


def one_line(text: str, encoding: str = "utf-8") -> str:
    """A message or path, safe to print on one line."""
    if text.isprintable() and text.isascii():
        return text
    from unicodedata import category

    return "".join(" " if char in "\t\r\n" else _visible(char, category(char), encoding) for char in text)


def _visible(char: str, kind: str, encoding: str) -> str:
    if kind == "Cc":
        code = ord(char)
        char = chr(0x2400 + code) if code < 0x20 else "\u2421" if code == 0x7F else _REPLACEMENT
    elif kind in ("Cs", "Cn", "Zl", "Zp") or (kind == "Cf" and char not in _KEPT_FORMAT):
        char = _REPLACEMENT
    if encoding == "utf-8" or char.isascii():
        return char
    try:
        char.encode(encoding)
    except UnicodeError:
        return "?"
    return char
