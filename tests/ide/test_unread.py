"""Names in text with a syntax error beside them."""

from __future__ import annotations

import pytest

from atl.ide.hover import hover
from atl.ide.navigation import definition
from atl.ide.places import Location
from atl.ide.rename import Refusal, rename
from tests.ide.asking import at, marked

SHOP = (
    "entity Order in shop { id bigint primary  note text }\n"
    "entity Order in ops { id bigint primary }\n"
    "entity Item in shop { id bigint primary }\n"
    "job Send in shop { args { to text } }\n"
)
STEPS = "procedure P for shop.Order {{ input {{ who: text }} steps {{ {} }} }}"
FLOW = "workflow W in shop {{ state {{ who text }} step a {{ {} }} }}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (STEPS.format("enqueue Se<|>nd(to: )"), "job [Send] in shop"),
        (STEPS.format("enqueue shop.Se<|>nd(to: "), "job [Send] in shop"),
        (STEPS.format("enqueue Send(t<|>o: )"), "args { [to] text }"),
        (STEPS.format("enqueue Send(to: $wh<|>o, x: )"), "input { [who]: text }"),
        (STEPS.format("update Ord<|>er st note = 1"), "entity [Order] in shop"),
        (STEPS.format("update Order set no<|>te == 1"), "[note] text"),
        (STEPS.format("delete Item where i<|>d = = 1"), "entity Item in shop { [id] bigint"),
        (FLOW.format("job Se<|>nd args { to: }"), "job [Send] in shop"),
        (FLOW.format("job Send args { t<|>o: }"), "args { [to] text }"),
        (FLOW.format("job Send args { to: $wh<|>o x }"), "state { [who] text }"),
        ("query Q for It<|>em {{ output", "entity [Item] in shop"),
        ("query Q for shop.Item { output as It<|>em sql touches(Item", "entity [Item] in shop"),
    ],
)
def test_they_lead_to_what_they_mean(text: str, expected: str) -> None:
    workspace, path, offset = at({"a.atl": SHOP, "b.atl": text})
    found = definition(workspace, path, offset)
    lines = " ".join(marked(workspace, [Location(link.path, link.span) for link in found]).values())
    assert expected in lines
    assert hover(workspace, path, offset) is not None
    assert isinstance(rename(workspace, path, offset, "renamed"), Refusal)


@pytest.mark.parametrize(
    "text",
    [
        STEPS.format("enqueue Nothi<|>ng(to: )"),
        STEPS.format("enqueue Send(x<|>: )"),
        STEPS.format('update O st "no<|>te"'),
    ],
)
def test_nothing_is_guessed(text: str) -> None:
    workspace, path, offset = at({"a.atl": SHOP, "b.atl": text})
    assert definition(workspace, path, offset) == []
