"""Who runs a job, and what runs when."""

from __future__ import annotations

from atl.ide.calls import Call, incoming, outgoing, prepare_calls
from tests.ide.asking import at

TEXT = {
    "jobs.atl": "job Sen<|>d in mail { args { to text } }\njob Recall in mail { }\njob Send in other { }",
    "use.atl": """entity A in mail { id int primary }
procedure P for A { steps { enqueue Send(to: "x") enqueue mail.Send(to: "y") enqueue other.Send() } }
workflow W in mail {
  step first { job Send args { to: "z" } }
  step second { job other.Send }
  compensate first { job Recall }
}
""",
}


def told(calls: list[Call]) -> list[str]:
    return [f"{call.item.kind} {call.item.name} x{len(call.places)}" for call in calls]


def test_of_a_job() -> None:
    workspace, path, offset = at(TEXT)
    (item,) = prepare_calls(workspace, path, offset)
    assert told(incoming(workspace, item)) == ["procedure P x2", "step first x1"]
    assert told(outgoing(workspace, item)) == ["compensation first x1"]


def test_of_a_procedure_and_a_workflow() -> None:
    texts = {**TEXT, "jobs.atl": TEXT["jobs.atl"].replace("<|>", "")}
    for mark, expected in (
        ("procedure <|>P", ["job Send x2", "job Send x1"]),
        ("workflow <|>W", ["job Send x1", "job Send x1", "job Recall x1"]),
        ("compensate fi<|>rst", ["job Send x1"]),
    ):
        files = {**texts, "use.atl": texts["use.atl"].replace(mark.replace("<|>", ""), mark)}
        workspace, path, offset = at(files)
        (item,) = prepare_calls(workspace, path, offset)
        assert told(outgoing(workspace, item)) == expected
        assert item.kind == "job" or incoming(workspace, item) == []
