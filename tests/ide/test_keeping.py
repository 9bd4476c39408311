# ruff: noqa: E501 - statements stand on one line
"""What a rename makes of a statement: what relies on a selected name still finds it."""

from __future__ import annotations

import pytest

from atl.ide.rename import Refusal, Renamed, rename
from atl.ide.renamed import applied
from atl.ide.selected_names import read_items
from tests.ide.asking import at

DECLARED = """entity T in s { id int primary <|>a int b int }
entity U in s { id int primary a int t int references s.T.id }
"""


def renamed(sql: str, output: str = "output { a: int }", procedure: bool = False) -> str:
    """The statement after `a` of `s.T` has become `n`."""
    block = f"sql touches(T, U) {{ {sql} }}"
    body = f"steps {{ {block} }}" if procedure else f"{output} {block}"
    head = "procedure" if procedure else "query"
    text = f"{DECLARED}// atl: ignore[ATL616]\n{head} Q for T {{ {body} }}"
    workspace, path, offset = at(text)
    before = [finding.code for finding in workspace.findings(path)]
    found = rename(workspace, path, offset, "n")
    if isinstance(found, Refusal):
        return found.reason
    workspace.set_text(path, applied(text.replace("<|>", "", 1), found.edits[path]))
    assert [finding.code for finding in workspace.findings(path)] == before
    after = workspace.source(path).text  # type: ignore[union-attr]
    return after[after.index("touches(T, U) {") + len("touches(T, U) {") :].split("}")[0].strip()


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select a from s.t", "select n as a from s.t"),
        ("select t.a from s.t", "select t.n as a from s.t"),
        ("select a as a from s.t", "select n as a from s.t"),
        ("select b as a from s.t where a = 1", "select b as a from s.t where n = 1"),
        ("select distinct on (a) a from s.t order by a", "select distinct on (n) n as a from s.t order by n"),
        ("select a from s.t union select a from s.u", "select n as a from s.t union select a from s.u"),
        (
            "select max(a) as a from s.t group by a, b having max(a) > 1",
            "select max(n) as a from s.t group by n, b having max(n) > 1",
        ),
        ("select x.a from (select a from s.t) x", "select x.a from (select n as a from s.t) x"),
        ("with x as (select a, b from s.t) select a from x", "with x as (select n as a, b from s.t) select a from x"),
        (
            "select u.a from s.u where exists (select a from s.t where t.id = u.t)",
            "select u.a from s.u where exists (select n as a from s.t where t.id = u.t)",
        ),
        ("select x.a from s.t x where x.a in (1, 2)", "select x.n as a from s.t x where x.n in (1, 2)"),
        ("select sum(x) as a from s.t x(id, x)", "select sum(x) as a from s.t x(id, x)"),
        ("select t.a from s.t natural join s.u", "a NATURAL JOIN goes by the names of columns: main.atl:4"),
    ],
)
def test_a_query_with_outputs(sql: str, expected: str) -> None:
    assert renamed(sql) == expected


def test_a_query_of_rows() -> None:
    assert renamed("select id, a, b from s.t order by a", "output as T") == "select id, n, b from s.t order by n"
    assert renamed("select * from s.t where a > 0", "output as T") == "select * from s.t where n > 0"
    # The rows would not be those of the entity any more, or the outer statement would not find its column.
    assert "would break" not in renamed("select * from (select id, a, b from s.t) x", "output as T")


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("update s.t set a = a + 1 where a > 0 returning a", "update s.t set n = n + 1 where n > 0 returning n"),
        (
            "insert into s.t (id, a) values (1, 2) on conflict (id) do update set a = excluded.a",
            "insert into s.t (id, n) values (1, 2) on conflict (id) do update set n = excluded.n",
        ),
        ("insert into s.u (id, a) select id, a from s.t", "insert into s.u (id, a) select id, n from s.t"),
    ],
)
def test_a_procedure(sql: str, expected: str) -> None:
    assert renamed(sql, procedure=True) == expected


@pytest.mark.parametrize(
    ("sql", "items"),
    [
        ("select a, t.b, c as d, e f, g(h), x.*", "column a, column b, alias d, alias f"),
        ("select distinct a from t where a = (select b from u)", "column a, column b"),
        ("select case when a then b end c, (d) from t", "alias c"),
        ("select distinct on (a, b) c, d from t", "column c, column d"),
        ("select a is distinct from b as c from t", "alias c"),
        ("select extract(year from a) y from t", "alias y"),
        ("insert into t (a) values (1) returning a, b as c", "column a, alias c"),
        ('select "A b", t."c" from t -- x', "column A b, column c"),
        ("", ""),
        ("select", ""),
        (")))((( select a", "column a"),
    ],
)
def test_items(sql: str, items: str) -> None:
    assert ", ".join(f"{item.kind} {item.name}" for item in read_items(sql).items) == items


def test_an_output_takes_its_new_name() -> None:
    text = "entity T in s { id int primary a int }\nquery Q for T { output { x<|>: int, a: int } sql touches(T) { select t.id as x, a from s.t order by x, t.a } }"
    workspace, path, offset = at(text)
    found = rename(workspace, path, offset, "order")
    assert isinstance(found, Renamed)
    after = applied(workspace.source(path).text, found.edits[path])  # type: ignore[union-attr]
    assert after.endswith(
        'output { order: int, a: int } sql touches(T) { select t.id as "order", a from s.t order by "order", t.a } }'
    )
