"""The texts that the client has open, exactly as it has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lsprotocol import types as t

from atl_lsp.positions import Encoding, Positions
from atl_lsp.uris import key_of, path_of

__all__ = ["Change", "Document"]


class Change(NamedTuple):
    """What became of [start, end) of the text that the workspace has."""

    start: int
    end: int
    new_text: str


class Document:
    """An open text. uri: as the client spells it. path: absolute, None for what is no file. skip: 1 for a text that
    begins with a byte-order mark, which the workspace does not see."""

    __slots__ = ("encoding", "key", "path", "positions", "skip", "uri", "version")

    def __init__(self, item: t.TextDocumentItem, encoding: Encoding) -> None:
        self.uri = item.uri
        self.key = key_of(item.uri)
        self.path = path_of(item.uri)
        self.version = item.version
        self.encoding = encoding
        self._replace(item.text)

    @property
    def text(self) -> str:
        return self.positions.text

    @property
    def content(self) -> str:
        """The text as the workspace has it."""
        return self.text[self.skip :]

    def apply(self, changes: Sequence[t.TextDocumentContentChangeEvent], version: int) -> Change | None:
        """Take over the client's edits, each in the text that the one before it left. The change for the workspace,
        None when it has to take the whole text."""
        self.version = version
        only: Change | None = None
        for change in changes:
            if not isinstance(change, t.TextDocumentContentChangePartial):
                self._replace(change.text)
                continue
            start, end = self.positions.span(change.range)
            skip = self.skip
            self._take(self.positions.replaced(start, end, change.text))
            if len(changes) == 1 and start >= skip and self.skip == skip:
                only = Change(start - skip, end - skip, change.text)
        return only

    def _replace(self, text: str) -> None:
        self._take(Positions(text, self.encoding))

    def _take(self, positions: Positions) -> None:
        self.positions = positions
        self.skip = 1 if positions.text.startswith("\ufeff") else 0
