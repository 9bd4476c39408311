"""What fixes make of a text: lines, commas, and words whose column decides what they belong to."""

from __future__ import annotations

import pytest

from tests.check.checking import check_text, mended

HEAD = "entity E in n {\n  id bigint primary\n"
PROC = HEAD + "}\nprocedure P for E "

CASES = {
    "a clause alone on its line": (
        "ATL326",
        HEAD + "  index by id\n  a int\n}\n",
        HEAD + "  a int\n}\n",
    ),
    "a clause at a line's end": (
        "ATL326",
        HEAD + "  a int unique  index by a\n  b int\n}\n",
        HEAD + "  a int unique\n  b int\n}\n",
    ),
    "a clause between others": (
        "ATL326",
        "entity E in n { id bigint primary  index by id  a int }\n",
        "entity E in n { id bigint primary  a int }\n",
    ),
    "a clause with a comment behind": (
        "ATL326",
        HEAD + "  index by id // why\n}\n",
        HEAD + "  // why\n}\n",
    ),
    "a field named like a modifier follows on the line": (
        "ATL326",
        HEAD + "  a int unique\n  index by a  default text\n}\n",
        HEAD + "  a int unique\n  default text\n}\n",
    ),
    "a check of the entity stands further right": (
        "ATL326",
        HEAD + '  a int unique\n  index by a\n    check "a > 0"\n}\n',
        HEAD + '  a int unique\n  check "a > 0"\n}\n',
    ),
    "CR LF": (
        "ATL326",
        (HEAD + "  index by id\n  a int\n}\n").replace("\n", "\r\n"),
        (HEAD + "  a int\n}\n").replace("\n", "\r\n"),
    ),
    "a modifier at its line's beginning keeps the columns": (
        "ATL011",
        HEAD + '  a int not null\nnot null backfill "1"\n}\n',
        HEAD + '  a int not null\n         backfill "1"\n}\n',
    ),
    "a modifier alone on its line": (
        "ATL329",
        HEAD + '  a int\n    backfill "1"\n  b int\n}\n',
        HEAD + "  a int\n  b int\n}\n",
    ),
    "a second check at the field's end": (
        "ATL321",
        HEAD + '  a int check "a > 0" check "a < 9"\n  b int\n}\n',
        HEAD + '  a int check "a > 0"\n  check "a < 9"\n  b int\n}\n',
    ),
    "a second check before other modifiers": (
        "ATL321",
        HEAD + '  a int check "a > 0" check "a < 9" not null // why\n  b int\n}\n',
        HEAD + '  a int check "a > 0" not null // why\n  check "a < 9"\n  b int\n}\n',
    ),
    "a second check on a line of its own": (
        "ATL321",
        HEAD + '  a int check "a > 0"\n    check "a < 9"\n  b int\n}\n',
        HEAD + '  a int check "a > 0"\n  check "a < 9"\n  b int\n}\n',
    ),
    "a second check of a declaration on one line": (
        "ATL321",
        'entity E in n { id bigint primary  a int check "a > 0" check "a < 9"  b int }\n',
        'entity E in n { id bigint primary  a int check "a > 0"\n  check "a < 9"  b int }\n',
    ),
    "two checks of an argument": (
        "ATL321",
        'job J in n { args { a int check "a > 0" check "a <> \\"\\"" } }\n',
        'job J in n { args { a int check "(a > 0) and (a <> \\"\\")" } }\n',
    ),
    "a field that is too wide a step": (
        "ATL310",
        HEAD + "  gone boolean not null\n  soft_delete by gone\n}\n",
        HEAD + "  gone boolean not null\n  deleted_at timestamptz\n  soft_delete by deleted_at\n}\n",
    ),
    "the only input": (
        "ATL111",
        PROC + "{ input { a: int } steps { delete E where id = 1 } }\n",
        PROC + "{ input { } steps { delete E where id = 1 } }\n",
    ),
    "the first input": (
        "ATL111",
        PROC + "{ input { a: int, b: bigint } steps { delete E where id = $b } }\n",
        PROC + "{ input { b: bigint } steps { delete E where id = $b } }\n",
    ),
    "the last input": (
        "ATL111",
        PROC + "{ input { b: bigint, a: int } steps { delete E where id = $b } }\n",
        PROC + "{ input { b: bigint } steps { delete E where id = $b } }\n",
    ),
    "the last input behind a trailing comma": (
        "ATL111",
        PROC + "{ input { b: bigint, a: int, } steps { delete E where id = $b } }\n",
        PROC + "{ input { b: bigint, } steps { delete E where id = $b } }\n",
    ),
    "an input on its own line": (
        "ATL111",
        HEAD
        + "}\nprocedure P for E {\n  input {\n    a: int\n    b: bigint\n  }\n  steps { delete E where id = $b }\n}\n",
        PROC + "{\n  input {\n    b: bigint\n  }\n  steps { delete E where id = $b }\n}\n",
    ),
    "an input at a line's end, without a comma behind": (
        "ATL111",
        PROC + "{\n  input { b: bigint, a: int\n    c: bigint }\n  steps { delete E where id = $b and id = $c }\n}\n",
        PROC + "{\n  input { b: bigint\n    c: bigint }\n  steps { delete E where id = $b and id = $c }\n}\n",
    ),
    "a comment between the comma and the input": (
        "ATL111",
        PROC + "{\n  input {\n    b: bigint, // about b\n    a: int\n  }\n  steps { delete E where id = $b }\n}\n",
        HEAD
        + "}\nprocedure P for E {\n  input {\n    b: bigint // about b\n  }\n  steps { delete E where id = $b }\n}\n",
    ),
    "nothing behind a predicate": (
        "ATL327",
        "entity E in n { id bigint primary  a bigint references n.E.id  index partial by id where a > 1 }\n",
        "entity E in n { id bigint primary  a bigint references n.E.id  index partial by id where a > 1 \n"
        "  index by a\n}\n",
    ),
    "a member at the end": (
        "ATL327",
        HEAD + "    a bigint references n.E.id\n}\n",
        HEAD + "    a bigint references n.E.id\n  index by a\n}\n",
    ),
    "a member at the end of a line": (
        "ATL327",
        "entity E in n { id bigint primary  a bigint references n.E.id }\n",
        "entity E in n { id bigint primary  a bigint references n.E.id  index by a }\n",
    ),
    "the first of two writes": (
        "ATL324",
        HEAD + "  cache { invalidate_on: write(self), write(E) }\n}\n",
        HEAD + "  cache { invalidate_on: write(E) }\n}\n",
    ),
    "the only write": (
        "ATL324",
        HEAD + "  cache { read_through ttl = 1m invalidate_on: write(self) }\n}\n",
        HEAD + "  cache { read_through ttl = 1m }\n}\n",
    ),
    "an array": ("ATL107", HEAD + "  a string[]\n}\n", HEAD + "  a []text\n}\n"),
    "parameters kept": ("ATL107", HEAD + "  a decimal(8, 2)\n}\n", HEAD + "  a numeric(8, 2)\n}\n"),
    "text of a length": ("ATL107", HEAD + "  a string(20)\n}\n", HEAD + "  a varchar(20)\n}\n"),
    "a namespace": ("ATL112", HEAD + "  a bigint references E.id\n}\n", HEAD + "  a bigint references n.E.id\n}\n"),
    "a reference without its field": (
        "ATL112",
        HEAD + "  a bigint references n.E on delete cascade\n}\n",
        HEAD + "  a bigint references n.E.id on delete cascade\n}\n",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_mended(name: str) -> None:
    code, before, after = CASES[name]
    fix = next(f for f in check_text(before) if f.code == code).fixes[0]
    assert mended(before, fix) == after
    assert code not in {f.code for f in check_text(after)}
    assert not [f for f in check_text(after) if f.code < "ATL100"]


DECLARED = {
    "beside others": (
        "procedure P for E { input { b: bigint } steps { delete E where id = $b and a = $c } }",
        "procedure P for E { input { b: bigint, c: int } steps { delete E where id = $b and a = $c } }",
    ),
    "behind a trailing comma": (
        "procedure P for E { input { b: bigint, } steps { delete E where id = $b and a = $c } }",
        "procedure P for E { input { b: bigint, c: int } steps { delete E where id = $b and a = $c } }",
    ),
    "on a line of its own": (
        "procedure P for E {\n  input {\n    b: bigint // about b\n  }\n"
        "  steps { delete E where id = $b and a = $c }\n}",
        "procedure P for E {\n  input {\n    b: bigint // about b\n    c: int\n  }\n"
        "  steps { delete E where id = $b and a = $c }\n}",
    ),
    "as the first": (
        "procedure P for E { input { } steps { insert E { id = 1, a = $c } } }",
        "procedure P for E { input { c: int } steps { insert E { id = 1, a = $c } } }",
    ),
    "in a new block": (
        "procedure P for E {\n  steps { update E set a = $c where id = 1 }\n}",
        "procedure P for E {\n  input { c: int }\n  steps { update E set a = $c where id = 1 }\n}",
    ),
    "in SQL": (
        "procedure P for E { steps { sql touches(E) { DELETE FROM n.e WHERE a = $c } } }",
        "procedure P for E { input { c: text } steps { sql touches(E) { DELETE FROM n.e WHERE a = $c } } }",
    ),
    "in a state": (
        "job J in n { args { x date not null } }\nworkflow W in n { state { b int } step s { job J args { x: $c } } }",
        "job J in n { args { x date not null } }\n"
        "workflow W in n { state { b int  c date not null } step s { job J args { x: $c } } }",
    ),
}


@pytest.mark.parametrize("name", DECLARED)
def test_a_parameter_is_declared(name: str) -> None:
    head = HEAD + "  a int not null\n}\n"
    before, after = (head + text + "\n" for text in DECLARED[name])
    fix = next(f for f in check_text(before) if f.code == "ATL110").fixes[-1]
    assert mended(before, fix) == after
    assert [f.code for f in check_text(after, hints=False)] == []
