"""What is offered where: by labels, in their order."""

from __future__ import annotations

import pytest

from atl.ide.completing.scopes import block_at
from atl.ide.completion import completions, documentation
from atl.ide.snippets import notation
from atl.postgres.scan import tokens
from atl.workspace.live import Workspace
from tests.ide.marked import labels, offered, opened

SHOP = """\
entity Order in shop {
  id     bigint primary identity
  state  State not null default "open"
  buyer  uuid not null
  note   text
  placed timestamptz not null default now()
  gone   timestamptz
  tags   []text
  look   vector(3)
}
entity Item in shop { id bigint primary  order bigint not null references shop.Order.id  size int }
enum State in shop { open, "on hold", done }
job SendMail in shop {
  args { note text  to uuid not null  copies int not null default 1  at timestamptz not null }
  queue "mail"
  visible_to "desk"
}
job Ping in shop { queue "mail" }
job Sweep in ops { queue "slow" }
entity Item in ops { id bigint primary }
"""
INPUT = "input {{ who: uuid, text: text, n: bigint }}"


def shop(text: str) -> list[str]:
    return labels(text, {"shop.atl": SHOP})


ENTITY = "entity A in shop {{\n  id bigint primary\n  day timestamptz\n  {}\n}}\n"
STEPS = "procedure P for Order {{ " + INPUT + " steps {{ {} }} }}"
SQL = "query Q for Order {{ " + INPUT + " output as Order sql touches(Order, shop.Item) {{ {} }} }}"
FLOW = "workflow W in shop {{ state {{ who uuid  day timestamptz }} {} }}"


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("<|>", ["entity", "hypertable", "query", "procedure", "job", "workflow", "ephemeral", "enum"]),
        ("job J in shop {\n  <|>\n}", ["args", "retries", "timeout", "heartbeat", "queue", "schedule", "visible_to"]),
        ('job J in shop {\n  retries 3\n  <|>\n  queue "a"\n}', ["args", "timeout", "heartbeat", "schedule"]),
        ("workflow W in shop {\n  <|>\n}", ["state", "step", "compensate"]),
        (FLOW.format("step a {\n  job Ping\n  <|>\n }"), ["args"]),
        ("query Q for Order {\n  <|>\n}", ["input", "output", "sql", "cache"]),
        ("procedure P for Order { steps {\n  <|>\n} }", ["update", "insert", "delete", "enqueue", "sql"]),
        (ENTITY.format("cache {\n    <|>\n  }"), ["read_through", "invalidate_on", "consistency"]),
        (ENTITY.format("n int <|>"), ["primary", "identity", "serial", "not null", "unique", "default 0", "default"]),
        (ENTITY.format("n text not null <|>"), ["primary", "unique", 'default ""', "default", "references", "check"]),
        (ENTITY.format("n boolean not null <|>"), ["primary", "unique", "default false", "default true", "default"]),
        ("job J in shop {\n  args {\n    a int <|>\n  }\n}", ["not null", "default 0", "default", "check"]),
        (ENTITY.format("n shop.<|>"), ["State"]),
        (ENTITY.format("n []<|>"), ["text", "bigint", "int", "boolean", "timestamptz", "uuid"]),
        (ENTITY.format("n bigint references <|>"), ["shop.A.id", "shop.Item.id", "shop.Order.id"]),
        (ENTITY.format("n bigint references shop.<|>"), ["A", "Item", "Order"]),
        (ENTITY.format("n bigint references shop.Order.<|>"), ["id", "state", "buyer"]),
        (ENTITY.format("n bigint references shop.Order.id on <|>"), ["delete", "update"]),
        (ENTITY.format("n bigint references shop.Order.id on delete <|>"), ["cascade", "restrict", "set null"]),
        (ENTITY.format("soft_delete by <|>"), ["day", "id"]),
        (ENTITY.format("index by day, <|>"), ["id", "expr"]),
        (ENTITY.format("index hnsw on x ops <|>"), ["cosine", "ip", "l2"]),
        (ENTITY.format("has_many x: <|>"), ["A", "Item", "Order"]),
        (ENTITY.format("has_many x: Order via <|>"), ["id", "state", "buyer"]),
        (ENTITY.format('check "<|> > 0"'), ["id", "day", "and"]),
        (ENTITY.format("index partial by id where <|>"), ["id", "day", "and"]),
        ("hypertable H in shop on <|> { id bigint  at timestamptz }", ["at", "id"]),
        (STEPS.format("update Order set <|>"), ["state", "buyer", "note"]),
        (STEPS.format("update Order set buyer = <|>"), ["$who", "$text", "$n", "buyer"]),
        (STEPS.format('update Order set note = "a", <|>'), ["state", "buyer", "placed"]),
        (STEPS.format("update Order set state = <|>"), ["$who", "$text", "$n", '"open"', '"on hold"', '"done"']),
        (STEPS.format('update Order set state = "<|>"'), ["open", "on hold", "done"]),
        (STEPS.format("update Order set note = $text where <|>"), ["id", "state"]),
        (STEPS.format("insert Item { <|> }"), ["id", "order", "size"]),
        (STEPS.format("enqueue <|>"), ["Ping", "SendMail", "ops.Sweep"]),
        (STEPS.format("enqueue ops.<|>"), ["Sweep"]),
        (STEPS.format("enqueue SendMail(<|>)"), ["to, at", "to", "at", "note", "copies"]),
        (STEPS.format("enqueue SendMail(to: $who, <|>)"), ["at", "note", "copies"]),
        (STEPS.format("enqueue SendMail(<|>, at: now())"), ["to", "note", "copies"]),
        (STEPS.format("enqueue SendMail(to: <|>)"), ["$who", "$text", "$n"]),
        (FLOW.format("step a { job SendMail args { at: <|> } }"), ["$day", "$who"]),
        (FLOW.format("step a { args { <|> } job SendMail }"), ["to, at", "to", "at", "note", "copies"]),
        (FLOW.format("step a { job Ping } step b { job Ping } compensate a { job Ping } compensate <|>"), ["b"]),
        (SQL.format("SELECT <|> FROM shop.item i"), ["id", "order", "size", "$who"]),
        (SQL.format("SELECT i.<|> FROM shop.item i, shop.order o"), ["id", "order", "size"]),
        (SQL.format("SELECT 1 FROM <|>"), ["shop.item", "shop.order", "ops.item"]),
        (SQL.format("SELECT 1 FROM shop.<|>"), ["item", "order"]),
        (SQL.format("SELECT 1 FROM shop.item WHERE id = $<|>"), ["$who", "$text", "$n"]),
        ("query Q for Order { output as <|> }", ["Order", "Item", "ops.Item"]),
        ('job J in shop { queue "<|>" }', ["mail", "slow", "default"]),
        ('job J in shop { visible_to "<|>" }', ["desk", "*"]),
        ('job J in shop { schedule "<|>" }', ["* * * * *", "*/5 * * * *"]),
        (ENTITY.format('cache {\n read_through ttl = 5m tag = "a:{<|>}"\n }'), ["id", "day"]),
        (ENTITY.format("n timestamptz default <|>"), ["now()", "raw"]),
        (ENTITY.format("n interval default <|>"), ['"1 day"', "raw"]),
        (STEPS.format("update Order set note = <|>\n"), ["$text", "$who", "$n", '""']),
        (ENTITY.format("n State default <|>"), ['"open"', '"on hold"', '"done"', "raw"]),
        ("job J in shop { timeout <|> }", ["30s", "1m"]),
        (STEPS.format("enqueue SendMail(copies: 1<|>"), []),
        (SQL.format("<|>"), ["select", "with", "id"]),
        (SQL.format("WITH s AS (SELECT 1 AS one) SELECT s.<|> FROM s"), ["one"]),
        (ENTITY.format("n json <|>"), ["not null", 'default "{}"', "default", "check", "backfill"]),
        (ENTITY.format("query_timeout = <|>"), ["100ms", "500ms", "1s"]),
        (ENTITY.format('n int not null backfill "<|>"'), ["id", "day", "and"]),
        (ENTITY.format('n int default raw "<|>"'), ["and", "or"]),
        (STEPS.format("enqueue SendMail(to: $who, at: <|>"), ["$who", "$text", "$n", "now()"]),
        ("query Q for Order { output as Order sql touches(Order, <|>) { select 1 } }", ["Item", "ops.Item"]),
        ("// atl: ignore[<|>]", ["ATL009", "ATL014"]),
        ("// atl: ignore[ATL009, <|>]", ["ATL014", "ATL015"]),
        ("// atl: <|>", ["ignore", "ignore-file", "renamed-from"]),
    ],
)
def test_the_first_that_are_offered(text: str, first: list[str]) -> None:
    assert shop(text)[: len(first)] == first


@pytest.mark.parametrize(
    "text",
    [
        "// a note <|>",
        "/* a note <|> */",
        "entity <|> in shop { }",
        "enum E in shop { a, <|> }",
        ENTITY.format('table "<|>"'),
        ENTITY.format("check \"id > '<|>'\""),
        ENTITY.format("<|>\n  day2 date").replace("<|>", "n numeric(<|>)"),
        SQL.format("SELECT '<|>'"),
        SQL.format("SELECT 1 -- <|>\n"),
        FLOW.format("step <|> { job Ping }"),
    ],
)
def test_nothing_is_offered(text: str) -> None:
    assert shop(text) == []


@pytest.mark.parametrize(
    ("text", "label", "inserted"),
    [
        ("job J in shop {\n  <|>\n}", "timeout", "timeout ${1:30m}"),
        ("job J in shop {\n  <|> 30m\n}", "timeout", "timeout"),
        (STEPS.format("enqueue <|>"), "SendMail", "SendMail($0)"),
        (STEPS.format("enqueue <|>(to: 1)"), "SendMail", "SendMail"),
        (STEPS.format("enqueue <|>"), "Ping", "Ping()"),
        (STEPS.format("enqueue SendMail(to: <|>)"), "$who", "$who"),
        (STEPS.format("\n  <|>\n"), "enqueue", "enqueue $0"),
        (STEPS.format("\n  <|>\n"), "update", "update ${1|Order,Item,ops.Item|} set ${2} = ${3} where ${4}"),
        (
            STEPS.format("\n  <|>\n").replace("who: uuid", "id: bigint"),
            "delete",
            "delete ${1|Order,Item,ops.Item|} where ${2:id = \\$id}",
        ),
        (
            FLOW.format("step a {\n    job <|>\n  }"),
            "SendMail",
            "SendMail\nargs { to: ${1:\\$who}, at: ${2:\\$day} \\}",
        ),
        (FLOW.format("step a { job <|> }"), "SendMail", "SendMail args { to: ${1:\\$who}, at: ${2:\\$day} \\}"),
        (FLOW.format("step a {\n    job <|>\n    args { to: $who }\n  }"), "SendMail", "SendMail"),
        (FLOW.format("step a { args { to: $who } job <|> }"), "SendMail", "SendMail"),
        (FLOW.format("step a { job <|> }"), "Ping", "Ping"),
        (FLOW.format("step a { job Ping }\n  compensate <|>"), "a", "a {\n  job $0\n\\}"),
        (FLOW.format("step a { job Ping }\n  <|>\n"), "compensate", "compensate $0"),
        (FLOW.format("step a {\n  <|>\n }"), "job", "job $0"),
        (ENTITY.format("n bigint <|>"), "references", "references $0"),
        (ENTITY.format("<|>"), "soft_delete", "soft_delete by ${1}"),
        ("job J in shop {\n  <|>\n}", "schedule", 'schedule "${1}"'),
        ("job J in shop {\n  <|>\n}", "queue", 'queue "${1}"'),
        ("job J in shop {\n  args {\n    a interval <|>\n  }\n}", "default", "default ${1}"),
        ("job J in shop { args { a uuid <|> } }", 'default raw "gen_random_uuid()"', 'default raw "gen_random_uuid()"'),
        ("<|>", "job", "job ${1:Name} in ${2|shop,ops|} {\n  args {\n    $0\n  \\}\n\\}"),
        ("enum E in ops { a }\n<|>", "enum", "enum ${1:Name} in ${2|ops,shop|} { ${3:first}, ${4:second} \\}"),
        (
            "enum E in shop { a }\n<|>",
            "query",
            "query ${1:Name} for ${2|shop.Item,Order,ops.Item|} {\n  input { ${3:id}: ${4:bigint} \\}\n"
            "  output as ${2:shop.Item}\n  sql touches(${2:shop.Item}) {\n    $0\n  \\}\n\\}",
        ),
        (STEPS.format("enqueue SendMail(<|>)"), "to, at", "to: ${1:\\$who}, at: ${2}"),
        (STEPS.format("enqueue SendMail(<|>: 1)"), "to", "to"),
        (ENTITY.format("n <|>"), "numeric(p, s)", "numeric(${1:10}, ${2:2})"),
        (ENTITY.format("n <|>(3)"), "vector", "vector"),
        (ENTITY.format("<|>"), "index hnsw", "index hnsw on ${1} ops ${2|cosine,l2,ip|}"),
    ],
)
def test_what_is_put_there(text: str, label: str, inserted: str) -> None:
    item = next(item for item in offered(text, {"shop.atl": SHOP}) if item.label == label)
    assert (notation(item.pieces) if item.pieces else item.text) == inserted


def test_a_list_opens_where_the_first_place_is_empty() -> None:
    found = {item.label: item.again for item in offered("job J in shop {\n  <|>\n}")}
    assert found["schedule"] and found["queue"] and not found["retries"] and not found["timeout"]


def test_a_new_file_begins_in_the_namespace_of_its_folder() -> None:
    files = {"ops/a.atl": "job A in ops { }", "shop/b.atl": SHOP.replace("in ops", "in other")}
    for text, first in (("", "shop,other,ops"), ("procedure P for Order { steps { } }\n", "shop,ops,other")):
        workspace = Workspace.in_memory({**files, "shop/new.atl": text})
        (job,) = (item for item in completions(workspace, "shop/new.atl", len(text)).items if item.label == "job")
        assert notation(job.pieces).startswith(f"job ${{1:Name}} in ${{2|{first}|}} {{")


def test_the_whole_word_is_replaced() -> None:
    workspace, offset = opened("job J in shop { time<|>out 5m }")
    span = completions(workspace, "a.atl", offset).span
    assert workspace.tree("a.atl").file.text[span.start : span.end] == "timeout"  # type: ignore[union-attr]


SELECTED = "with x as (select id, size as s from shop.item), y (a, b) as (select buyer, note from shop.order) "


@pytest.mark.parametrize(
    ("sql", "columns"),
    [
        (SELECTED + "select x.<|> from x", "id s"),
        (SELECTED + "select y.<|> from y", "a b"),
        (SELECTED + "select <|> from x join y on true", "id s a b"),
        (SELECTED + "select <|> from shop.item x", "id order size"),
        ("with x as (select * from shop.item) select x.<|> from x", "id order size"),
        ("with x as (select i.* from shop.order o join shop.item i on true) select x.<|> from x", "id order size"),
        ("with x as (delete from shop.item where id = 1 returning id, size) select x.<|> from x", "id size"),
        ("with recursive x as (select id from shop.item union select size from x) select <|> from x", "id"),
        ("select z.<|> from (select buyer::text, count(*), note n2, 1 + 1 from shop.order) z", "buyer count n2"),
        ("select <|> from (select size from shop.item) z", "size"),
        ("select 1 from shop.item i where exists (select <|> from (select 1 as one) z)", "one id order size"),
        ("select 1 from shop.item i, (select <|> from (select 1 as one) z) w", "one"),
        ("select 1 from shop.item i, lateral (select <|> from (select 1 as one) z) w", "one id order size"),
        ("select size from shop.item union select <|> from (select 1 as one) z", "one"),
        ("insert into shop.item (<|>) values (1)", "id order size"),
        ("insert into shop.item (id) select <|> from (select 1 as one) z", "one"),
        ("insert into shop.item (id) select 1 from (select 1 as one) z returning <|>", "id order size"),
        ("insert into shop.item (id) values (1) on conflict (id) do update set size = excluded.<|>", "id order size"),
        ("update shop.item set size = <|> from (select 1 as one) z", "id order size one"),
        ("select <|> from shop.item for update", "id order size"),
        ("select <|> from (shop.item i join (select 1 as one) z on true)", "id order size one"),
        ("select left('a', 1) as l, <|> from shop.item order by l", "id order size l"),
        ("select id is distinct from size as d, <|> from shop.item", "id order size d"),
    ],
)
def test_columns_of_what_the_query_around_reads(sql: str, columns: str) -> None:
    found = offered("procedure P for Order { steps { sql touches(Order) { " + sql + " } } }", {"shop.atl": SHOP})
    assert [item.label for item in found if item.kind == "column"] == columns.split()


@pytest.mark.parametrize(
    "sql",
    [
        "with recursive x as (select * from " + ", ".join(["x"] * 60) + ") select <|> from x",
        "with "
        + ", ".join(f"x{n} as (select * from x{n - 1} a, x{n - 1} b)" for n in range(1, 60))
        + " select <|> from x59",
        "with x1 as (select * from shop.item a, shop.item b), "
        + ", ".join(f"x{n} as (select * from x{n - 1} a, x{n - 1} b)" for n in range(2, 60))
        + " select x59.<|> from x59",
    ],
)
def test_queries_that_read_each_other_end(sql: str) -> None:
    assert len(shop("procedure P for Order { steps { sql touches(Order) { " + sql + " } } }")) < 5000


WRITTEN = (
    SELECTED + "insert into shop.item as t (id, size) select distinct on (a.id) a.*, left(b.n, 2) as l, c.x::text "
    "from only (shop.order a join lateral (select count(*) n from x union all values (1)) b on true) c (u, v), "
    "unnest($p) as w (y) where exists (select 1 from y where y.a is distinct from a.id) group by 1 having true "
    "on conflict (id) do update set size = excluded.size returning t.id as k, t.*"
)


def test_no_moment_of_writing_a_query_fails() -> None:
    words = list(tokens(WRITTEN))
    texts = [WRITTEN[:end] for end in range(len(WRITTEN) + 1)]
    texts += [WRITTEN[: each.start] + WRITTEN[each.end :] for each in words]
    texts += [WRITTEN[: each.start] + "(" + WRITTEN[each.start :] for each in words]
    texts += [WRITTEN[: each.start] + ")" + WRITTEN[each.start :] for each in words]
    for number, text in enumerate(texts):
        for at in {len(text), number % (len(text) + 1)}:
            block = block_at(text, at, at)
            assert block.start <= at <= block.end
            assert all(outer.start <= block.start for outer in block.around())


def test_what_is_being_written_is_not_offered() -> None:
    assert "lef" not in shop(SQL.format("select 1 from shop.item lef<|>"))
    assert shop('job J in shop { queue "ma<|>" }') == ["mail", "slow", "default"]
    assert "size" not in shop(STEPS.format("insert Item { order = <|> }"))


def test_a_long_list_is_cut_to_what_is_typed() -> None:
    many = "".join(f"entity E{n} in shop {{ id bigint primary }}\n" for n in range(2000))
    workspace, offset = opened("query Q for <|>", {"many.atl": many})
    found = completions(workspace, "a.atl", offset)
    assert not found.complete
    assert len(found.items) < 500
    workspace.edit("a.atl", offset, offset, "E1999")
    assert [i.label for i in completions(workspace, "a.atl", offset + 5).items if i.kind == "entity"] == ["E1999"]


def test_everything_that_is_offered_has_something_to_say() -> None:
    for text in ("<|>", ENTITY.format("n <|>"), ENTITY.format("n int <|>"), STEPS.format("enqueue <|>")):
        workspace, offset = opened(text, {"shop.atl": SHOP})
        for item in completions(workspace, "a.atl", offset).items:
            assert item.kind == "namespace" or documentation(workspace, item.about), item
