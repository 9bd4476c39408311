"""One thing to choose."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from atl.ide.snippets import Pieces

__all__ = ["Completion", "Kind"]

Kind: TypeAlias = Literal[
    "keyword",
    "clause",
    "modifier",
    "type",
    "namespace",
    "entity",
    "enum",
    "label",
    "job",
    "field",
    "argument",
    "input",
    "output",
    "state",
    "step",
    "table",
    "column",
    "function",
    "value",
    "code",
    "snippet",
]


class Completion(NamedTuple):
    """One thing to choose.

    text: what takes the place of `Completions.span`. pieces: the same with places to fill in; () where there are none.
    detail: a few words beside the label. about: what `documentation` takes. again: what follows can be completed too.
    """

    label: str
    kind: Kind
    text: str
    pieces: Pieces = ()
    detail: str = ""
    about: tuple[str, ...] = ()
    again: bool = False
