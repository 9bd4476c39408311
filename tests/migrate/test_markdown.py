"""Text of the author's in a comment: it stays text."""

from __future__ import annotations

import pytest

from atl.migrate.markdown import _code, _text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "`plain`"),
        ("a <b> @c", "`a <b> @c`"),
        ("a|b", "<code>a&#124;b</code>"),
        ("a`b <i>", "<code>a&#96;b &#60;i&#62;</code>"),
        ("a\\|b", "<code>a&#92;&#124;b</code>"),
        ("a\nb\r\n| c", "<code>a b &#124; c</code>"),
    ],
)
def test_code(text: str, shown: str) -> None:
    assert _code(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("the type `a` goes", "the type `a` goes"),
        ("the type `a|b` goes", "the type <code>a&#124;b</code> goes"),
        ("a ` alone before `b`", "a ` alone before `b&#96;"),
        ("@team look <b>", "&#64;&#8203;team look &#60;b&#62;"),
        ("[x](y) *z* _w_ #1", "&#91;x&#93;(y) &#42;z&#42; &#95;w&#95; &#35;&#8203;1"),
        ("one\n\n## two", "one &#35;&#8203;&#35;&#8203; two"),
        ("https://a.example www.b.example", "https:&#8203;//a.example www&#8203;.b.example"),
    ],
)
def test_text(text: str, shown: str) -> None:
    assert _text(text) == shown
