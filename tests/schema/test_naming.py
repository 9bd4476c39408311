"""Names that nobody wrote."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from atl.schema.naming import MAX_BYTES, clip, default_physical, physical_name, snake_case, table_parts


@pytest.mark.parametrize(
    ("name", "snake"),
    [
        ("Order", "order"),
        ("OrderLine", "order_line"),
        ("HTTPLog", "http_log"),
        ("Item2", "item2"),
        ("Item2Log", "item2_log"),
        ("MyABC", "my_abc"),
        ("A", "a"),
        ("ABc", "a_bc"),
        ("AB", "ab"),
        ("orderLine", "order_line"),
        ("Order_Line", "order_line"),
        ("order_line", "order_line"),
        ("X9Y", "x9_y"),
        ("X9YZ", "x9_yz"),
        ("X9Yz", "x9_yz"),
    ],
)
def test_snake_case(name: str, snake: str) -> None:
    assert snake_case(name) == snake
    assert default_physical("ns", name) == ("atlantis", f"ns_{snake}")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("goods", ("public", "goods")),
        ("shop.Goods_2", ("shop", "Goods_2")),
        ("_a._b", ("_a", "_b")),
        ("", None),
        (".x", None),
        ("x.", None),
        ("a.b.c", None),
        ("9lives", None),
        ("my table", None),
        ("bad-name", None),
        ("größe", None),
        ("x\n", None),
    ],
)
def test_table_parts(text: str, parts: tuple[str, str] | None) -> None:
    assert table_parts(text) == parts


def test_names_are_cut_to_what_postgres_keeps() -> None:
    assert physical_name("a" * 63) == "a" * 63
    cut = physical_name("a" * 64)
    assert cut.startswith("a" * 54 + "_") and len(cut) == 63
    assert physical_name("a" * 64) == cut != physical_name("a" * 65)
    assert physical_name("x", {"x"}).startswith("x_")
    assert physical_name("x", {"x", physical_name("x", {"x"})}) not in {"x", physical_name("x", {"x"})}


@given(st.text(max_size=90), st.sets(st.text(max_size=3), max_size=3))
def test_names_fit_and_are_free(name: str, taken: set[str]) -> None:
    made = physical_name(name, taken)
    assert made not in taken
    assert len(made.encode("utf-8", "surrogateescape")) <= MAX_BYTES
    assert len(clip(name).encode("utf-8", "surrogateescape")) <= MAX_BYTES
    assert name.startswith(clip(name))
