"""What the renderers for people draw with: colours and the characters of the frame. No one else knows either."""

from __future__ import annotations

from atl.records import NamedTuple

__all__ = ["ASCII", "BOX", "COLOUR", "PLAIN", "Frame", "Paint", "frame_for"]


class Frame(NamedTuple):
    """The frame's characters. corner opens a file's block, bar is the gutter's line, gap stands for lines left out."""

    corner: str
    bar: str
    gap: str
    ellipsis: str


BOX = Frame("┌─", "│", "·", "…")
ASCII = Frame("-->", "|", ":", "...")


def frame_for(encoding: str) -> Frame:
    """The frame that text of this encoding can hold."""
    try:
        "".join(BOX).encode(encoding)
    except (LookupError, UnicodeError):
        return ASCII
    return BOX


class Paint:
    """Puts SGR codes around text, or none. Styles are names from the table."""

    __slots__ = ("_codes",)

    def __init__(self, codes: dict[str, str]) -> None:
        self._codes = codes

    def __call__(self, style: str, text: str) -> str:
        code = self._codes.get(style)
        return f"\x1b[{code}m{text}\x1b[0m" if code and text else text


COLOUR = Paint(
    {
        "error": "1;31",
        "warning": "1;33",
        "hint": "1;36",
        "title": "1",
        "frame": "34",
        "label": "34",
        "help": "1;36",
        "heading": "1",
        "code": "36",
        "added": "32",
        "removed": "31",
        "place": "36",
    }
)
PLAIN = Paint({})
