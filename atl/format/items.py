"""What a laid-out body consists of, before columns are known."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from enum import Enum
from typing import TypeAlias

__all__ = ["LIMIT", "Block", "Item", "Kind", "Part", "Remark", "Row", "is_directive"]

LIMIT = 100
"""Columns (code points) that a line may have before it is broken; an end-of-line comment does not count."""

_DIRECTIVE = re.compile(r"//[ \t]*atl:")


def is_directive(comment: str) -> bool:
    """Whether a comment at a line's end speaks to the tools about what stands on that line (a silence, a rename's
    hint), so that these must stay on one line, whatever its length."""
    return _DIRECTIVE.match(comment) is not None


@dataclass(slots=True)
class Part:
    """A stretch of a member that a comment or nothing ends. A line may be broken between atoms, never within one.

    Without atoms it is a comment that has its line to itself.
    """

    atoms: list[str]
    comment: str = ""


class Kind(Enum):
    """Which columns a row shares with its neighbours. A field's first atoms are its name and its type (the type is
    elsewhere when a comment parts them), a job clause's are its word and its value."""

    PLAIN = "plain"
    FIELD = "field"
    CLAUSE = "clause"


@dataclass(slots=True)
class Row:
    """A member without a body of its own. parts: at least one, the first and the last with atoms; each begins a line.

    before: bytes of the first atom that stand before the field's name (a comment and a space): the column that tells
    modifiers from members is counted in bytes.
    """

    blank: bool
    parts: list[Part]
    kind: Kind = Kind.PLAIN
    before: int = 0

    def append(self, text: str) -> None:
        self.parts[-1].atoms[-1] += text


@dataclass(slots=True)
class Remark:
    """Comments with a line to themselves."""

    blank: bool
    text: str


@dataclass(slots=True)
class Block:
    """Something in braces or brackets over several lines. head ends with the opening one.

    verbatim: what stands between the braces of raw SQL, else None.
    foot: the closing one; foot_comment: what ends its line.
    """

    blank: bool
    head: list[Part]
    foot: str
    body: list[Item] = field(default_factory=list)
    verbatim: str | None = None
    foot_comment: str = ""


Item: TypeAlias = Row | Remark | Block
