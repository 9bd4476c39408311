"""Text of the author's in a comment: it stays text."""

from __future__ import annotations

import pytest

from atl.migrate.markdown import _code, _text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a|b", "`a\\|b`"),
        ("a`b", "`` a`b ``"),
        ("``", "``` `` ```"),
        ("a\nb\r\n| c", "`a b \\| c`"),
    ],
)
def test_code(text: str, shown: str) -> None:
    assert _code(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the type `a|b` goes", "the type `a\\|b` goes"),
        ("@team look <b>", "&#64;team look &#60;b&#62;"),
        ("[x](y) *z* _w_ #1", "&#91;x&#93;(y) &#42;z&#42; &#95;w&#95; &#35;1"),
        ("one\n\n## two", "one &#35;&#35; two"),
    ],
)
def test_text(text: str, shown: str) -> None:
    assert _text(text) == shown
