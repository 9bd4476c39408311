"""Fixes that give a call its missing arguments, and the caller of the workspace."""

from __future__ import annotations

import pytest

from atl.schema.types import BUILTINS
from tests.check.checking import check_text, mended

JOB = """\
job Run in p { args { a int not null  b text not null  c int } }
"""
PROCEDURE = (
    JOB
    + """\
entity E in p { id bigint primary }
procedure X for E {
  input { a: int }
  steps {
    update E set id = $a where id = 1
    %s
  }
}
"""
)
WORKFLOW = (
    JOB
    + """\
workflow X in p {
  state { b text not null }
  step s { %s }
}
"""
)


@pytest.mark.parametrize("newline", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize(
    "frame, call, after",
    [
        (PROCEDURE, "enqueue Run()", 'enqueue Run(a: $a, b: "")'),
        (PROCEDURE, "enqueue Run(c: 3)", 'enqueue Run(c: 3, a: $a, b: "")'),
        (PROCEDURE, "enqueue Run(c: 3,)", 'enqueue Run(c: 3, a: $a, b: "",)'),
        (PROCEDURE, "enqueue Run(c: 3, b: $a)", "enqueue Run(c: 3, b: $a, a: $a)"),
        (PROCEDURE, "enqueue Run( // x\n)", 'enqueue Run( // x\na: $a, b: "")'),
        (PROCEDURE, "enqueue Run(\n  c: 3\n)", 'enqueue Run(\n  c: 3,\n  a: $a,\n  b: ""\n)'),
        (PROCEDURE, "enqueue Run(\n  c: 3,\n)", 'enqueue Run(\n  c: 3,\n  a: $a,\n  b: "",\n)'),
        (PROCEDURE, "enqueue Run(\n  c: 3 // x\n)", 'enqueue Run(\n  c: 3, // x\n  a: $a,\n  b: ""\n)'),
        (PROCEDURE, "enqueue Run(\n  c: 3, // x\n)", 'enqueue Run(\n  c: 3, // x\n  a: $a,\n  b: "",\n)'),
        (PROCEDURE, "enqueue Run(\n  c: 3)", 'enqueue Run(\n  c: 3,\n  a: $a,\n  b: "")'),
        (WORKFLOW, "job Run", "job Run args { a: 0, b: $b }"),
        (WORKFLOW, "job Run args { }", "job Run args { a: 0, b: $b }"),
        (WORKFLOW, "job Run args {}", "job Run args { a: 0, b: $b }"),
        (WORKFLOW, "args { c: 3 } job Run", "args { c: 3, a: 0, b: $b } job Run"),
        (WORKFLOW, "args { } job Run", "args { a: 0, b: $b } job Run"),
        (WORKFLOW, "job Run // x\n", "job Run args { a: 0, b: $b } // x\n"),
    ],
)
def test_missing_arguments(frame: str, call: str, after: str, newline: str) -> None:
    text = (frame % call).replace("\n", newline)
    found = next(f for f in check_text(text) if f.code == "ATL452")
    assert mended(text, found.fixes[0]) == (frame % after).replace("\n", newline)


@pytest.mark.parametrize(
    "call, after",
    [
        ("enqueue Run(a: 1, b: $x, a: 2)", "enqueue Run(a: 1, b: $x)"),
        ("enqueue Run(a: 1, b: $x, a: $a)", "enqueue Run(a: 1, b: $x)"),
        ("enqueue Run(a: 1, b: $x, a: $y)", "enqueue Run(b: $x, a: $y)"),
        ("enqueue Run(a: $x, b: $y, b: $a, a: 3)", "enqueue Run(a: $x, b: $y, a: 3)"),
        ("enqueue Run(b: $y, b: $x)", None),
    ],
)
def test_no_fix_leaves_an_input_unused(call: str, after: str | None) -> None:
    frame = PROCEDURE.replace("a: int }", "a: int, x: text, y: text }", 1)
    fixes = next(f for f in check_text(frame % call) if f.code == "ATL453").fixes
    assert [mended(frame % call, fix) for fix in fixes] == ([] if after is None else [frame % after])


@pytest.mark.parametrize("name", [*BUILTINS, "Tone"])
@pytest.mark.parametrize("array", ["", "[]"])
def test_what_is_filled_in_fits(name: str, array: str) -> None:
    params = {"numeric": "(4, 2)", "vector": "(3)", "varchar": "(2)", "bit": "(5)"}.get(name, "")
    text = f'enum Tone in p {{ "say \\"hi\\"" }} job Run in p {{ args {{ a {array}{name}{params} not null }} }}\n'
    text += "workflow X in p { step s { job Run } }\n"
    found = check_text(text, hints=False)
    if [f.code for f in found] == ["ATL452"]:
        assert check_text(mended(text, found[0].fixes[0]), hints=False) == []
    else:
        assert {f.code for f in found} == {"ATL202", "ATL452"}


@pytest.mark.parametrize(
    "argument, state, value",
    [
        ("int not null", "int not null", "$a"),
        ("int not null", "int", "0"),
        ("int", "int", None),
        ("int not null", "bigint not null", "0"),
        ("bigint not null", "int default 3", "$a"),
        ("varchar(3) not null", "text not null", '""'),
        ("date not null", "timestamptz not null", "$a"),
        ("date not null", "uuid not null", "now()"),
    ],
)
def test_a_parameter_is_filled_in_where_it_fits(argument: str, state: str, value: str | None) -> None:
    text = f"job Run in p {{ args {{ a {argument} }} }}\n"
    text += f"workflow X in p {{ state {{ a {state} }} step s {{ job Run }} }}\n"
    found = [f for f in check_text(text) if f.code == "ATL452"]
    assert [f.fixes[0].edits[0].new_text for f in found] == ([] if value is None else [f" args {{ a: {value} }}"])


@pytest.mark.parametrize(
    "visible_to, caller, codes",
    [
        ('"counter"', "counter", []),
        ('"*"', "counter", []),
        ('"office"', "counter", ["ATL411"]),
        ('"office"', None, []),
        ('""', "counter", ["ATL410"]),
    ],
)
def test_callers(visible_to: str, caller: str | None, codes: list[str]) -> None:
    text = f"job Run in p {{ visible_to {visible_to} }}\n"
    assert [f.code for f in check_text(text, caller=caller)] == codes
