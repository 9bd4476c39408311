from __future__ import annotations

import pytest

from atl.ide.signature import signature_help
from tests.ide.marked import opened

JOBS = """\
job SendMail in shop { args { to text not null  note text  copies int not null default 1  at timestamptz not null } }
job Ping in shop { }
"""
CALL = "procedure P for shop.Order {{ input {{ to: text }} steps {{ enqueue shop.SendMail({}) }} }}"
STEP = "workflow W in shop {{ step one {{ {} }} }}"


@pytest.mark.parametrize(
    ("text", "active"),
    [
        (CALL.format("<|>"), "to"),
        (CALL.format("to: <|>"), "to"),
        (CALL.format('to: "a<|>b"'), "to"),
        (CALL.format("to: $to, <|>"), "at"),
        (CALL.format("to: $to, no<|>te: 1"), "note"),
        (CALL.format("to: $to, at: now(), copies: 2, note: <|>"), "note"),
        (CALL.format("to: $to, at: now(), copies: 2, note: $to, <|>"), None),
        (STEP.format("job SendMail args { to: 1, <|> }"), "at"),
        (STEP.format("args { <|> } job SendMail"), "to"),
    ],
)
def test_the_argument_at_the_cursor(text: str, active: str | None) -> None:
    workspace, offset = opened(text, {"jobs.atl": JOBS})
    found = signature_help(workspace, "a.atl", offset)
    assert found is not None
    assert found.label == "shop.SendMail(to: text, note: text?, copies: int?, at: timestamptz)"
    assert [found.label[p.span.start : p.span.end].split(":")[0] for p in found.parameters] == [
        p.name for p in found.parameters
    ]
    assert found.parameters[2].documentation == "`copies` may be left out: then it is `1`"
    assert found.parameters[0].documentation == "`to` must be given"
    assert (None if found.active is None else found.parameters[found.active].name) == active


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (CALL.format("<|>"), "still missing: `to`, `at`"),
        (CALL.format("to: $to, <|>"), "still missing: `at`"),
        (CALL.format("to: $to, at: now(), <|>"), ""),
        (CALL.format("<|>").replace("SendMail", "Ping"), "takes no arguments"),
    ],
)
def test_what_is_still_missing(text: str, said: str) -> None:
    workspace, offset = opened(text, {"jobs.atl": JOBS})
    found = signature_help(workspace, "a.atl", offset)
    assert found is not None and found.documentation == said


@pytest.mark.parametrize(
    "text",
    [
        "<|>",
        CALL.format("") + "<|>",
        "procedure P for shop.Order { steps { enqueue shop.SendMail<|>() } }",
        "procedure P for shop.Order { steps { enqueue shop.Nothing(<|>) } }",
        "procedure P for shop.Order { steps { insert shop.Order { <|> } } }",
        STEP.format("args { <|> }"),
        STEP.format("job SendMail <|>"),
    ],
)
def test_there_is_none_elsewhere(text: str) -> None:
    workspace, offset = opened(text, {"jobs.atl": JOBS})
    assert signature_help(workspace, "a.atl", offset) is None
