"""The parser knows the builtin types by name; the table of types is the schema's."""

from __future__ import annotations

from atl.schema.types import BUILTINS
from atl.syntax.type_words import TYPE_WORDS


def test_the_parser_knows_every_builtin_type() -> None:
    assert set(BUILTINS) == TYPE_WORDS
