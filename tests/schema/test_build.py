"""The model of a workspace: equal meanings are equal, defaults are filled in, names are resolved."""

from __future__ import annotations

import pytest

from atl.schema import model as m
from atl.schema.build import build
from atl.schema.canonical import digest, dump, load
from atl.source import SourceFile
from atl.syntax.parser import parse


def schema(*texts: str, cached: tuple[str, ...] = ()) -> m.Schema:
    own = [parse(SourceFile(f"{at}.atl", text)) for at, text in enumerate(texts)]
    others = [parse(SourceFile(f"cache/{at}.atl", text)) for at, text in enumerate(cached)]
    built = build(own, others)
    assert load(dump(built)) == built
    return built


def entity(body: str) -> str:
    return f"entity E in s {{\n  id bigint primary\n  {body}\n}}\n"


OTHER = "entity Other in t {\n  id bigint primary\n  e bigint\n}\n"
JOB = "job J in s {{\n  args {{ a int  b text }}\n{}\n}}\n"


def steps(text: str) -> str:
    return f"procedure P for E {{\n  input {{ x: int }}\n  steps {{ {text} }}\n}}\n{COLUMNS}{JOB.format('')}{OTHER}"


COLUMNS = entity("a int  b int  c int")

# Pairs that mean the same.
SAME = [
    (entity("a int\n  unique by a"), entity("a int unique")),
    (entity("unique by a, b\n a int  b int"), entity("a int\n  b int\n  unique by b, a")),
    (entity('a int\n  table "x"'), entity('a int\n  table "public.x"')),
    (entity("a int"), entity('table "atlantis.s_e"\n  a int')),
    ("entity E in s { id bigint primary }", "entity E in s { id bigint not null\n  primary by id }"),
    ("entity E in s { id bigint primary }", "entity E in s { id bigint primary not null\n  unique by id }"),
    ("entity E in s { id bigint identity primary }", "entity E in s { id bigint primary identity not null }"),
    (entity("a int\n  index by a asc"), entity("a int\n  index by a")),
    (entity("a int\n  index by a\n  index by id"), entity("a int\n  index by id\n  index by a")),
    (entity('a int\n  index partial by a where a = "x"'), entity("a int\n  index partial by a where a = 'x'  // c")),
    (entity('check "a"\n  check "b" as n\n  a int'), entity('a int\n  check "b" as n\n  check "a"')),
    (entity("query_timeout = 1s"), entity("query_timeout = 1000ms")),
    (entity("e char"), entity("e char(1)")),
    (entity("a int check \"a > 1\" default 3 not null"), entity("a int not null default 3 check \"a > 1\"")),
    (entity("has_many x: Other via e") + OTHER, OTHER + entity("has_many x: Other via e")),
    (entity("cache { invalidate_on: write(Other), write(self) }") + OTHER,
     OTHER + entity("cache { invalidate_on: write(self), write(Other), write(self) }")),
    ("enum E in s { a, b }", 'enum E in s {\n  "b",\n  a,\n}'),
    ("enum A in s { x } entity E in s { id A primary }", "enum A in s { x }\nentity E in s { id s.A primary }"),
    (JOB.format(""), JOB.format('retries 0 timeout 30m heartbeat 5m queue "default" visible_to "*"')),
    (JOB.format("timeout 2h"), JOB.format("timeout 120m")),
    (JOB.format('schedule "0 3 * * mon"'), JOB.format('schedule " 0  3 * * MON "')),
    ("ephemeral P in s { a int }", "ephemeral P in s { ttl = 24h\n  a int }"),
    ("ephemeral P in s { a int }", "ephemeral P in s { a int unique serial references x.Y.z }"),
    (steps("update E set a = $x, b = 1 where id = $x"), steps("update s.E set b = 1, a = $x where id = $x")),
    (steps('enqueue J(a: $x, b: "x")'), steps('enqueue s.J(b: "x", a: $x,)')),
    (steps("update E set a = now where id = 1"), steps("update E set a = now() where id = 1")),
    (steps("sql touches(E, Other) { SELECT 1 }"), steps("sql touches(t.Other, s.E) {SELECT 1}")),
    ("query Q for E { output { a: int } input { b: int } sql touches(E) { SELECT 1 } }" + entity(""),
     entity("") + "query Q for s.E {\n input { b: int, }\n output { a: int }\n sql touches(E) { SELECT 1 } }"),
]  # fmt: skip


@pytest.mark.parametrize(("a", "b"), SAME)
def test_equal_meanings(a: str, b: str) -> None:
    assert schema(a) == schema(b)
    assert digest(schema(a)) == digest(schema(b))


# Pairs that do not.
DIFFERENT = [
    (entity("a int"), entity("a int not null")),
    (entity("a int  b int\n  primary by a, b"), entity("a int  b int\n  primary by b, a")),
    (entity("a int\n  index by a"), entity("a int\n  index by a desc")),
    (entity("a int\n  index by a"), entity("a int\n  index by a\n  index by a")),
    (entity("a int"), entity("a int // atl: renamed-from b")),
    ("entity E in s { keyless }", "entity E in s { id int primary }"),
    ("entity E in s { id timestamptz primary }", "hypertable E in s on id { id timestamptz primary }"),
    (JOB.format(""), JOB.format("timeout none")),
    (JOB.format(""), JOB.format('schedule "* * * * *"')),
    ("enum E in s { a, b }", "enum E in s { a, b, c }"),
    ("ephemeral P in s { a int }", "ephemeral P in s { a int primary }"),
    (steps("delete E where id = 1"), steps("delete E where id = 1 and a = 2")),
    (steps('enqueue J(b: "x")'), steps('enqueue J(b: "y")')),
]


@pytest.mark.parametrize(("a", "b"), DIFFERENT)
def test_different_meanings(a: str, b: str) -> None:
    assert schema(a) != schema(b)
    assert digest(schema(a)) != digest(schema(b))


def test_an_entity_in_full() -> None:
    text = (
        "// atl: renamed-from Sale\n"
        "hypertable Order in shop on at {\n"
        "  nr int identity\n"
        "  at timestamptz not null default now()\n"
        "  // atl: renamed-from customer\n"
        '  buyer bigint references crm.Person.id on update cascade on delete set null backfill "1"\n'
        '  state State not null default "new" check "state <> \'old\'"\n'
        "  primary by nr, at\n  chunk_time_interval 7d\n  soft_delete by gone\n  gone timestamptz\n"
        '  index by expr "lower(x)" desc, buyer\n  index gin on tags\n  tags []text\n'
        "  index hnsw on v ops l2\n  v vector(3)\n"
        '  cache { read_through ttl = 5m tag = "o:{nr}" consistency = strict }\n'
        "}\n"
    )
    order = schema(text, "enum State in shop { new }").entities["shop.Order"]
    assert order.renamed_from == "Sale"
    assert order.key == ("nr", "at")
    assert (order.hyper, order.time_field, order.chunk_interval_ms) == (True, "at", 7 * 86_400_000)
    assert list(order.fields) == ["nr", "at", "buyer", "state", "gone", "tags", "v"]
    assert order.fields["nr"].not_null and not order.fields["nr"].primary
    assert order.fields["at"].default == m.Value("now", "")
    buyer = order.fields["buyer"]
    assert buyer.reference == m.Reference("crm.Person", "id", "set null", "cascade")
    assert (buyer.backfill, buyer.renamed_from, buyer.where) == ("1", "customer", ("0.atl", 6))
    assert order.fields["state"].type.enum == "shop.State"
    assert order.fields["state"].check == "state <> 'old'"
    assert [(index.kind, index.ops) for index in order.indexes] == [("btree", ""), ("gin", ""), ("hnsw", "l2")]
    assert order.indexes[0].columns == (m.IndexColumn("", "lower(x)", True), m.IndexColumn("buyer", ""))
    assert order.soft_delete == "gone"
    assert order.cache == m.Cache(300_000, "o:{nr}", (), "strict")
    assert order.where == ("0.atl", 2)


def test_names_are_resolved_also_in_other_callers_files() -> None:
    built = schema(
        "query Q for Person { output as Person  sql touches(Person) { SELECT 1 } }\n"
        "procedure P for E { steps { enqueue crm.Call()  enqueue Call() } }\n" + entity(""),
        cached=("entity Person in crm { id bigint primary } job Call in crm { }",),
    )
    assert list(built.entities) == ["s.E"]
    query = built.queries["crm.Q"]
    assert (query.owner, query.output_entity, query.block.touches) == ("crm.Person", "crm.Person", ("crm.Person",))
    assert [step.job for step in built.procedures["s.P"].steps if isinstance(step, m.EnqueueStep)] == [
        "crm.Call",
        "s.Call",
    ]


def test_workflows() -> None:
    built = schema(
        "workflow W in s {\n  state { x int  y text not null }\n  compensate b { job t.J }\n"
        "  step b { args { b: $x, a: 5 } job J }\n  step a { job K }\n}\n"
    ).workflows["s.W"]
    assert [(step.name, step.job) for step in built.steps] == [("b", "s.J"), ("a", "s.K")]
    assert built.steps[0].args == (m.Argument("a", "", m.Value("integer", "5")), m.Argument("b", "x", None))
    assert built.compensations["b"].job == "t.J"
    assert built.state["y"].not_null


@pytest.mark.parametrize(
    "text",
    [
        "entity E in s { id nosuch primary  a varchar(0)  b [][]int  c int[]  d x.Y(3)  e text(4) }",
        "entity E in s { id int  id text  primary  unique by nosuch, id  primary by nosuch }",
        "entity E in s { keyless  id int primary  primary by id }",
        "entity E in s { id int primary primary references x  b int references Nowhere.y }",
        "entity E in { } entity in s { } entity E in s { id int primary } entity E in s { other int }",
        "query Q for Nowhere { } query R { } procedure P for E { steps { } } job in s { } enum E in s { a, a }",
        'job J in s { retries 99999999999999999999999999999 timeout 5 heartbeat "x" retries 3 timeout 0s }',
        "workflow W in s { step a { } step a { job X job Y } compensate b { } }",
        "procedure P for E { steps { enqueue J(a: 1 = 2, a: x, b: 1.5, c: 3s) delete E where $x } }",
        "entity E in s { a int default 1.5  b int default f()  c int default word  d int default 5s }",
    ],
)
def test_errors_do_not_stand_in_the_way(text: str) -> None:
    schema(text)
    for end in range(0, len(text), 7):
        schema(text[:end])


def test_of_several_declarations_the_first_by_path_counts() -> None:
    built = schema("entity E in s { a int primary }", "entity E in s { b int primary }")
    assert list(built.entities["s.E"].fields) == ["a"]
