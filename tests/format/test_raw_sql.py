"""When a block of raw SQL moves, and when it cannot."""

from __future__ import annotations

import pytest

from atl.format.raw_sql import moved


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("\n  A\n    B\n  ", "\n      A\n        B\n    "),
        ("\nA\n  B\n", "\n      A\n        B\n    "),
        ("\n\t\tA\n\t\t\tB\n", "\n      A\n      \tB\n    "),
        ("\r\n  A\r\n\r\n  B\r\n", "\r\n      A\r\n\r\n      B\r\n    "),
        ("  \n  A\n \n  B ", "\n      A\n \n      B "),
        ("\n\n", "\n\n    "),
        ("\n  A -- it's\n  B\n", "\n      A -- it's\n      B\n    "),
        ("\n  A /* it's /* not\n */ '\n */\n  B\n", "\n       A /* it's /* not\n      */ '\n      */\n       B\n    "),
        ("\n  E'\\''\n  , 'it''s'\n", "\n      E'\\''\n      , 'it''s'\n    "),
        ("\n  a$b$ '\n  c'\n", None),
        ("\n  'one\n  two'\n", None),
        ('\n  "one\n  two"\n', None),
        ("\n  E'\\'\n  two'\n", None),
        ("\n  $$ one\n  two $$\n", None),
        ("\n  $a$ $$ ' $a$, $b$\n  two $b$\n", None),
        ("\n\tA\n  B\n", None),
        (" A\n  B\n", None),
        (" A ", None),
    ],
)
def test_moved(sql: str, expected: str | None) -> None:
    out = moved(sql, 6)
    assert out == expected
    if out is not None:
        assert moved(out, 6) == out
