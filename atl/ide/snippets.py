"""Text with places to fill in, as data that any editor's notation can be made of."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple, TypeAlias

__all__ = ["Pieces", "Stop", "notation", "plain", "template"]


class Stop(NamedTuple):
    """A place where the cursor halts, in the order of `number`; 0 is the last one, and places of one number are filled
    in together. text: what stands there at first. choices: words that can stand there, the usual one first."""

    number: int
    text: str = ""
    choices: tuple[str, ...] = ()


Pieces: TypeAlias = "tuple[str | Stop, ...]"


def plain(pieces: Iterable[str | Stop]) -> str:
    """What stands there before anything is filled in."""
    return "".join(piece if isinstance(piece, str) else piece.text for piece in pieces)


def notation(pieces: Iterable[str | Stop]) -> str:
    """As `${1:text}` and `${1|a,b|}`, the notation of the language server protocol and of most editors."""
    out = []
    seen: set[int] = set()
    for piece in pieces:
        if isinstance(piece, str):
            out.append(_escaped(piece, "\\$}"))
        elif piece.choices and piece.number not in seen:
            seen.add(piece.number)
            choices = ",".join(_escaped(choice, "\\$},|") for choice in piece.choices)
            out.append(f"${{{piece.number}|{choices}|}}")
        elif piece.text:
            out.append(f"${{{piece.number}:{_escaped(piece.text, chr(92) + '$}')}}}")
        else:
            out.append(f"${piece.number}" if piece.number == 0 else f"${{{piece.number}}}")
    return "".join(out)


def _escaped(text: str, special: str) -> str:
    return "".join("\\" + char if char in special else char for char in text)


def template(text: str) -> Pieces:
    """The pieces of a text in which `<name>` is a place to fill in, one with all of that name, `<a|b>` one of these
    words, and `<>` the last."""
    pieces: list[str | Stop] = []
    numbers: dict[str, int] = {}
    for at, part in enumerate(text.replace(">", "<").split("<")):
        if at % 2 == 0:
            if part:
                pieces.append(part)
        elif part:
            number = numbers.setdefault(part, len(numbers) + 1)
            choices = tuple(part.split("|"))
            pieces.append(Stop(number, choices[0], choices if len(choices) > 1 else ()))
        else:
            pieces.append(Stop(0))
    return tuple(pieces)
