"""The library's edges: nesting, size, threads, odd characters, memory."""

from __future__ import annotations

import sys
import threading

import pytest

from atl.postgres.expression import canonical_expression, canonical_statement, expression
from atl.postgres.library import Failure, TooLarge, read
from atl.postgres.statement import parse, selected, unknown_columns


def nothing(schema: str | None, name: str) -> None:
    return None


DEEP = [
    "SELECT " + "(" * 100_000,
    "SELECT " + "(" * 100_000 + "1" + ")" * 100_000,
    "SELECT " + "- " * 100_000 + "1",
    "SELECT " + "1+" * 120_000 + "1",
    "SELECT " + "a or " * 40_000 + "b",
    "SELECT 1" + " UNION SELECT 1" * 15_000,
    "SELECT FROM a" + " JOIN a ON a" * 20_000,
    "SELECT 1" + "::a" * 80_000,
    "SELECT " + "(SELECT " * 400 + "1" + ")" * 400,
    "SELECT " + "f(" * 3_000 + "1" + ")" * 3_000,
    "WITH a AS (" * 300 + "SELECT 1" + ") SELECT 1" * 300,
    "SELECT 1" * 100_000,
]


def everything(sql: str) -> None:
    parsed = parse(sql)
    unknown_columns(parsed, nothing)
    selected(parsed, nothing)
    expression(sql.removeprefix("SELECT "))
    canonical_statement(sql)
    canonical_expression(sql.removeprefix("SELECT "))


@pytest.mark.parametrize("sql", DEEP, ids=range(len(DEEP)))
def test_no_depth_or_size_crashes(sql: str) -> None:
    everything(sql)


def test_no_depth_crashes_in_a_thread_with_little_stack() -> None:
    before = threading.stack_size(512 * 1024)
    try:
        thread = threading.Thread(target=lambda: [everything(sql[:1_990]) for sql in DEEP])
        thread.start()
    finally:
        threading.stack_size(before)
    thread.join()


def test_long_chains_are_read() -> None:
    assert parse("SELECT " + "a || " * 2_000 + "b FROM t").tables[0].name == "t"
    assert len(parse("SELECT 1 FROM t" + " UNION SELECT 1 FROM t" * 1_500).tables) == 1_501
    assert len(parse("SELECT 1 FROM t" + " JOIN t ON true" * 500).tables) == 501
    chain = expression("a + " * 2_000 + "b")
    assert len(chain.columns) == 2_001 and chain.boolean is False


def test_what_is_too_large_says_nothing() -> None:
    with pytest.raises(TooLarge):
        read("SELECT " + " " * 300_000 + "1")
    parsed = parse("SELECT 1 FROM t;" * 20_000)
    assert parsed.error is None and parsed.tree is None and unknown_columns(parsed, nothing) == []


def test_a_loop_reads_what_recursion_cannot() -> None:
    deep = "SELECT " + "a + " * 1_000 + "'{[\"\\\\]}'"
    tree = read(deep)
    assert not isinstance(tree, Failure)
    node = tree["stmts"][0]["stmt"]["SelectStmt"]["targetList"][0]["ResTarget"]["val"]
    assert node["A_Expr"]["rexpr"]["A_Const"]["sval"]["sval"] == '{["\\\\]}'
    depth = 0
    while "A_Expr" in node:
        node, depth = node["A_Expr"]["lexpr"], depth + 1
    assert depth == 1_000


@pytest.mark.parametrize("odd", ["\0", "\ud800", "\udcff", "\uffff", "\U0001f600", "\u2028", "\x01"])
def test_odd_characters(odd: str) -> None:
    for sql in (f"SELECT {odd}", f"SELECT '{odd}', nope FROM t", f"SELECT a{odd} FORM t", odd, f'SELECT "{odd}"'):
        everything(sql)
    parsed = parse(f"SELECT 'é{odd}' FROM song")
    assert [sql_of(t, f"SELECT 'é{odd}' FROM song") for t in parsed.tables] == ["song"]


def sql_of(span: object, sql: str) -> str:
    return sql[span.start : span.end]  # type: ignore[attr-defined]


def test_reading_leaves_no_memory_behind() -> None:
    resource = pytest.importorskip("resource")
    texts = ("SELECT a FROM t WHERE b = 'x'", "SELECT a FORM t", "SELECT 'open", "SELECT 1" + " " * 3_000)
    for _ in range(300):
        for sql in texts:
            read(sql)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for _ in range(5_000):
        for sql in texts[:3]:
            read(sql)
    for _ in range(200):
        read(texts[3])
    grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
    assert grown < (8_000_000 if sys.platform == "darwin" else 8_000), "15,000 trees of 1 kB each would be 15 MB"


def test_the_heavy_package_is_not_imported() -> None:
    import subprocess

    code = (
        "import sys; from atl.postgres.statement import parse; parse('SELECT 1');"
        "print([m for m in sys.modules if m.startswith(('postgast', 'google'))])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
