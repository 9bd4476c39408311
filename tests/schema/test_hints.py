"""Where a `renamed-from` comment belongs."""

from __future__ import annotations

import pytest

from atl.schema.hints import hints
from atl.source import SourceFile
from atl.syntax import nodes as n
from atl.syntax.parser import parse


def found(text: str) -> list[tuple[str, str | None]]:
    """(old name, what it is at) of every hint."""
    result: list[tuple[str, str | None]] = []
    for unit in parse(SourceFile("a.atl", text)).units:
        for hint in hints(unit.chunk):
            assert unit.chunk.text[hint.start : hint.end].strip('"').replace('\\"', '"') == hint.old_name
            target = hint.target
            if isinstance(target, n.EnumLabel):
                result.append((hint.old_name, target.text))
            else:
                result.append((hint.old_name, None if target is None or target.name is None else target.name.text))
    return result


ENTITY = "entity Order in shop {{\n  id bigint primary\n{}\n  total int\n}}\n"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("// atl: renamed-from Sale\nentity Order in shop { }", [("Sale", "Order")]),
        ("// atl: renamed-from Sale\n\n// about orders\nentity Order in shop { }", [("Sale", "Order")]),
        ("entity Order in shop { // atl: renamed-from Sale\n  id bigint primary\n}", [("Sale", "Order")]),
        ("entity Order in shop { id bigint primary } // atl: renamed-from Sale", [("Sale", "Order")]),
        ("entity Order in shop {\n  id bigint primary\n} // atl: renamed-from Sale", [("Sale", None)]),
        ("job Ping in shop { } // atl: renamed-from Pong", [("Pong", "Ping")]),
        ("// atl: renamed-from Pong\nworkflow Ping in shop { }", [("Pong", None)]),
        (ENTITY.format("  // atl: renamed-from amount"), [("amount", "total")]),
        (ENTITY.format("  // atl: renamed-from amount\n  // second"), [("amount", "total")]),
        (ENTITY.format("  sum int // atl: renamed-from amount"), [("amount", "sum")]),
        (ENTITY.format("  sum int\n    default 5 // atl: renamed-from amount"), [("amount", "sum")]),
        (ENTITY.format("  a int  b int // atl: renamed-from c"), [("c", "b")]),
        (ENTITY.format("  // atl: renamed-from c\n  index by id"), [("c", None)]),
        (ENTITY.format("  /* atl: renamed-from c */"), []),
        (ENTITY.format("  //atl:renamed-from   c  because of d"), [("c", "total")]),
        (ENTITY.format("  // atl: renamed-from"), [("", "total")]),
        (ENTITY.format("  // atl: renamed-fromage c"), []),
        (ENTITY.format("  // not atl: renamed-from c"), []),
        (ENTITY.format("  // atl: renamed-from a\n  x int // atl: renamed-from b"), [("a", "x"), ("b", "x")]),
        ("enum E in shop {\n  // atl: renamed-from a\n  b, c // atl: renamed-from d\n}", [("a", "b"), ("d", "c")]),
        ('enum E in shop {\n  // atl: renamed-from "in \\"x\\" y"\n  b\n}', [('in "x" y', "b")]),
        ("// atl: renamed-from Old\nenum E in shop { b, c }", [("Old", "E")]),
        ("job J in shop {\n  args {\n    // atl: renamed-from a\n    b int\n  }\n}", [("a", None)]),
        ("// atl: renamed-from Old\n", [("Old", None)]),
        ("ephemeral P in shop {\n  // atl: renamed-from a\n  b int\n}", [("a", None)]),
    ],
)
def test_targets(text: str, expected: list[tuple[str, str | None]]) -> None:
    assert found(text) == expected


def test_a_stack_of_hints_is_read_in_linear_time() -> None:
    text = (
        "entity E in s {\n"
        + "  // atl: renamed-from a\n" * 20_000
        + "  b int // atl: renamed-from c\n" * 20_000
        + "}\n"
    )
    got = found(text)
    assert len(got) == 40_000
    assert {target for _, target in got} == {"b"}
