"""What is named where, as `target @ spelling` in the order of the text."""

from __future__ import annotations

import pytest

from atl.schema.index import Index, Scope
from atl.schema.symbols import symbol_of
from atl.schema.uses import uses
from atl.source import SourceFile
from atl.syntax.parser import parse

_SHOP = """
enum Status in shop { open, "in transit", done }
entity Order in shop {
  id int primary
  status Status not null default "open" check "status <> 'done' or 'in transit' = status"
  total int
  index by total, expr "lower(total::text)"
  index partial by total where status = "open" and total > 0
  cache { read_through ttl = 1m tag = "o:{id}" }
}
entity Line in shop {
  id int primary
  order_id int references shop.Order.id
  has_one order: Order via id
}
job Pay in shop { args { amount int not null check "amount > 0" status Status } }
"""


def read(text: str) -> list[str]:
    """The uses in the last declaration of a text."""
    tree = parse(SourceFile("a.atl", _SHOP + text))
    index = Index()
    index.add("a.atl", [(symbol_of(d), unit.anchor) for unit in tree.units for d in unit.chunk.declarations])
    unit = [unit for unit in tree.units if unit.chunk.declarations][-1]
    decl = unit.chunk.declarations[-1]
    found = sorted(set(uses(decl, unit.chunk.text, Scope.of(index, symbol_of(decl)))), key=lambda use: use.start)
    return [
        f"{use.target.kind} {use.target.id.removeprefix('shop.')}{'.' if use.target.member else ''}{use.target.member}"
        f" {'declared' if use.declares else use.form} {unit.chunk.text[use.start : use.end]}"
        for use in found
    ]


def in_sql(sql: str) -> list[str]:
    """The uses in an `sql` block with the input `s`."""
    found = read("query Q for Order { input { s: Status } output as Order sql touches(Order) {" + sql + "} }")
    return found[found.index("entity Order name Order", found.index("entity Order name Order", 3) + 1) + 1 :]


def test_an_entity() -> None:
    assert read('entity Item in shop { id int primary check "id > 0" unique by id query_timeout = 1s }') == [
        "entity Item declared Item",
        "field Item.id declared id",
        "field Item.id column id",
        "field Item.id name id",
    ]


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("select id from shop.order", ["field Order.id column id", "entity Order table shop.order"]),
        (
            "select o.id from atlantis.shop_order o where o.status = 'open'",
            [
                "field Order.id column id",
                "entity Order table atlantis.shop_order",
                "field Order.status column status",
                "label Status.open literal 'open'",
            ],
        ),
        (
            "select \"order\".* from shop.order where status in ('done', 'x', 'open') or $s = \"order\".status",
            [
                'entity Order qualifier "order"',
                "entity Order table shop.order",
                "field Order.status column status",
                "label Status.done literal 'done'",
                "label Status.open literal 'open'",
                "input Q.s parameter s",
                'entity Order qualifier "order"',
                "field Order.status column status",
            ],
        ),
        (
            "select 1 from shop.order where 'open' = status and 'done'::atlantis.shop_status <> status",
            [
                "entity Order table shop.order",
                "label Status.open literal 'open'",
                "field Order.status column status",
                "enum Status type shop_status",
                "field Order.status column status",
            ],
        ),
        # Not certain: part of a larger operand, a column of a subquery.
        (
            "select 1 from (select total as status from shop.order) x where status = 'open'",
            ["field Order.total column total", "entity Order table shop.order"],
        ),
        (
            "select 1 from shop.order where total::text || status = 'open'",
            ["entity Order table shop.order", "field Order.total column total", "field Order.status column status"],
        ),
        ("select $s from", ["input Q.s parameter s"]),
        (
            "select case o.status when 'open' then case when true then 1 end when 'done' then 2 end from shop.order o",
            [
                "field Order.status column status",
                "label Status.open literal 'open'",
                "label Status.done literal 'done'",
                "entity Order table shop.order",
            ],
        ),
        (
            "insert into shop.order (id, status) values (f('open', 1), 'open'), (2, 'done'::text), "
            "('open', 'op' || 'en')",
            [
                "entity Order table shop.order",
                "field Order.id column id",
                "field Order.status column status",
                "label Status.open literal 'open'",
                "label Status.done literal 'done'",
            ],
        ),
        (
            "update shop.order set total = 1, status = 'done' where id = 2",
            [
                "entity Order table shop.order",
                "field Order.total column total",
                "field Order.status column status",
                "label Status.done literal 'done'",
                "field Order.id column id",
            ],
        ),
    ],
)
def test_sql(sql: str, expected: list[str]) -> None:
    assert in_sql(sql) == expected


def test_steps_and_calls() -> None:
    found = read(
        """procedure P for Order { input { s: Status } steps {
  update Order set status = "done" where id = 1 and status = "open"
  enqueue Pay(amount: 5, status: $s)
} }"""
    )
    assert found[2:] == [
        "input P.s declared s",
        "enum Status name Status",
        "entity Order name Order",
        "field Order.status name status",
        'label Status.done quoted "done"',
        "field Order.id name id",
        "field Order.status name status",
        'label Status.open quoted "open"',
        "job Pay name Pay",
        "argument Pay.amount name amount",
        "argument Pay.status name status",
        "input P.s parameter s",
    ]
