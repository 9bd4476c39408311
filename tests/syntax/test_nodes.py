"""What is read as what."""

from __future__ import annotations

import pytest

from atl.syntax import nodes as n
from tests.syntax.trees import outline, tree


def members(text: str, kind: str = "entity") -> list[str]:
    (unit,) = tree(f"{kind} A in b {{{text}}}").units
    assert unit.chunk.raw == ()
    decl = unit.chunk.declarations[0]
    return [outline(member) for name in ("members", "clauses", "parts", "labels") for member in getattr(decl, name, ())]


def field(text: str) -> str:
    (found,) = members(text)
    return found


def kind_of(text: str) -> list[str]:
    """The fields, and the names of the other members' nodes."""
    return [m.removeprefix("Field(").split(",")[0] if m.startswith("Field") else m.split("(")[0] for m in members(text)]


TYPE = "TypeRef(None, text, None, 0, 0)"


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("a text", TYPE),
        ("a []text", "TypeRef(None, text, None, 1, 0)"),
        ("a [][]text", "TypeRef(None, text, None, 2, 0)"),
        ("a text[]", "TypeRef(None, text, None, 0, 1)"),
        ("a text[3][]", "TypeRef(None, text, None, 0, 2)"),
        ("a text(20)", "TypeRef(None, text, [Int(20)], 0, 0)"),
        ("a numeric(8, -2)", "TypeRef(None, numeric, [Int(8), Int(-2)], 0, 0)"),
        ("a varchar()", "TypeRef(None, varchar, [], 0, 0)"),
        ("a varchar(max)", "TypeRef(None, varchar, [max], 0, 0)"),
        ("a shop.Size", "TypeRef(shop, Size, None, 0, 0)"),
        ("a queue", "TypeRef(None, queue, None, 0, 0)"),
    ],
)
def test_types(text: str, type_: str) -> None:
    assert field(text) == f"Field(a, {type_}, [])"


@pytest.mark.parametrize(
    ("text", "modifier"),
    [
        ("not null", "not null"),
        ("not\nnull", "not null"),
        ("default 1", "Default(Int(1))"),
        ("default -1", "Default(Int(-1))"),
        ("default - 1.5", "Default(Decimal('-1.5'))"),
        ("default now()", "Default(Now(True))"),
        ("default pending", "Default(Word(pending))"),
        ("default null", "Default(Word(null))"),
        ("default none", "Default(Word(none))"),
        ("default f()", "Default(Call(f))"),
        ("default f(1, g(x, null), now())", "Default(Call(f))"),
        ("default 5m", "Default(Duration('5m', 300000))"),
        ('default raw "x"', "Default(Raw(Str('x')))"),
        ("references A.b", "References([A, b], [])"),
        ("references A", "References([A], [])"),
        (
            "references a.B.c on delete set null on update cascade",
            "References([a, B, c], [Action('delete', 'set null'), Action('update', 'cascade')])",
        ),
        ('check "a"', "FieldCheck(Str('a'))"),
        ('backfill "a"', "Backfill(Str('a'))"),
    ],
)
def test_modifiers(text: str, modifier: str) -> None:
    assert field(f"a text {text}") == f"Field(a, {TYPE}, [{modifier}])"


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("retries -1", ["Retries(Int(-1))"]),
        ("retries 3.5", ["Retries(Decimal('3.5'))"]),
        ('retries "three"', ["Retries(Str('three'))"]),
        ("retries three", ["Retries(Word(three))"]),
        ("retries none", ["Retries(Word(none))"]),
        ("retries 3x", ["Retries(Duration('3x', None))"]),
        ("timeout none", ["Timeout(None)"]),
        ("timeout 30", ["Timeout(Int(30))"]),
        ('heartbeat "5m"', ["Heartbeat(Str('5m'))"]),
        ("args { queue text timeout interval }", None),
    ],
)
def test_job_clauses(text: str, clauses: list[str] | None) -> None:
    found = members(text, "job")
    assert clauses is None or found == clauses


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ('\n  a int\n  check "x"', ["a", "EntityCheck"]),
        ('\n  a int\n   check "x"', ["a"]),
        ('\n  a int check "x"', ["a"]),
        ("\n  a int\n  default int", ["a", "default"]),
        ("\n  a int\n   default 1", ["a"]),
        (
            "\n  default int\n  serial text\n  identity text\n  references text",
            ["default", "serial", "identity", "references"],
        ),
        ("\n\ta int\n\tdefault int\n\t default 5", ["a", "default"]),
        ("\n  a int\n  index by a\n      default int", ["a", "Index", "default"]),
        ("\n  a int\nprimary\nunique\nnot null", ["a"]),
        ("\n  a int\n      primary by a", ["a", "PrimaryBy"]),
        ("\n  a int unique by a", ["a", "UniqueBy"]),
        ("\n  a int unique\n  index by a", ["a", "Index"]),
        ("\n  a int\n  unique\n  index by a", ["a", "Index"]),
        ("\n  a int\n  unique index partial by a where a > 1", ["a", "Index"]),
        ("\n  a int\n   unique index partial by a where a > 1", ["a", "Index"]),
        ("\n  a int unique index partial by a where a > 1", ["a", "Index"]),
        ("\n  a\n  int\n  b\n  text", ["a", "b"]),
        ("\n  parent\n    int name text", ["parent", "name"]),
        ("keyless line text", ["Keyless", "line"]),
        ("text text date date name name", ["text", "date", "name"]),
        ("ttl int queue text job\ntext state text none text and text", ["ttl", "queue", "job", "state", "none", "and"]),
        ("\n  /* é */ a int\n           default int", ["a", "default"]),
        ("\n  /* é */ a int\n            default 5", ["a"]),
    ],
)
def test_words_by_column_and_by_place(text: str, read_as: list[str]) -> None:
    (unit,) = tree(f"entity A in b {{{text}\n}}").units
    assert [raw.code for raw in unit.chunk.raw if raw.code != "ATL009"] == []
    decl = unit.chunk.declarations[0]
    assert isinstance(decl, n.EntityDecl)
    assert [m.name.text if isinstance(m, n.Field) else type(m).__name__ for m in decl.members] == read_as


@pytest.mark.parametrize("unique", [True, False])
def test_unique_before_an_index_by_its_column(unique: bool) -> None:
    (unit,) = tree(f"entity A in b {{\n  a int\n{'  ' if unique else '   '}unique index partial by a where b\n}}").units
    decl = unit.chunk.declarations[0]
    assert isinstance(decl, n.EntityDecl)
    index = decl.members[-1]
    assert isinstance(index, n.Index) and index.unique is unique


def test_in_args_a_check_modifies_at_any_column() -> None:
    text = 'job A in b {\n  args {\n    a int\n  check "x"\n  }\n}'
    (unit,) = tree(text).units
    assert unit.chunk.raw == ()
    assert "FieldCheck" in outline(unit.chunk.declarations[0].clauses[0])  # type: ignore[union-attr]


def test_ttl_of_an_ephemeral_is_a_clause_before_an_equals_sign() -> None:
    assert members("ttl int ttl = 5m ttl\nint", "ephemeral") == [
        "Field(ttl, TypeRef(None, int, None, 0, 0), [])",
        "Ttl(Duration('5m', 300000))",
        "Field(ttl, TypeRef(None, int, None, 0, 0), [])",
    ]


def test_labels_take_any_word() -> None:
    found = members('a, "b c", primary, default, ttl, sql, where, not,', "enum")
    assert found == [
        "EnumLabel('a', False)",
        "EnumLabel('b c', True)",
        *(f"EnumLabel('{word}', False)" for word in ["primary", "default", "ttl", "sql", "where", "not"]),
    ]


def test_namespaces_take_any_word() -> None:
    for word in ("sql", "ops", "where", "entity", "in"):
        (unit,) = tree(f"entity A in {word} {{ id bigint references {word}.B.id }}\n").units
        assert unit.chunk.raw == ()


def test_a_query() -> None:
    text = "query Q for sql.A { input { a: int\n default: text } output as b.A sql touches(sql.A, B) { '}' } }"
    (unit,) = tree(text).units
    assert unit.chunk.raw == ()
    assert outline(unit.chunk.declarations[0]) == (
        "QueryDecl(Q, Ref(sql, A), [Input([Param(a, TypeRef(None, int, None, 0, 0), None),"
        " Param(default, TypeRef(None, text, None, 0, 0), None)]), Output(Ref(b, A), None),"
        " Sql([Ref(sql, A), Ref(None, B)], RawSql(\" '}' \"))])"
    )


def test_spans_hold_what_was_written() -> None:
    text = "// note\nentity A in b {\n  x int not null references a.B.c on delete cascade\n}  // end\n"
    (unit,) = tree(text).units
    decl = unit.chunk.declarations[0]
    assert isinstance(decl, n.EntityDecl)
    assert text[decl.start : decl.end].startswith("entity") and text[decl.end - 1] == "}"
    assert (text[decl.open], text[decl.close]) == ("{", "}")
    (member,) = decl.members
    assert text[member.start : member.end] == "x int not null references a.B.c on delete cascade"
    assert isinstance(member, n.Field)
    assert [text[m.start : m.end] for m in member.modifiers] == ["not null", "references a.B.c on delete cascade"]
    assert [(c.text, c.own_line) for c in unit.chunk.comments] == [("// note", True), ("// end", False)]


def test_numbers_of_any_length() -> None:
    found = tree(f"entity A in b {{ x int default {'9' * 100_000} }}").units[0].chunk.declarations[0]
    assert isinstance(found, n.EntityDecl)
    default = found.members[0].modifiers[0].value  # type: ignore[union-attr]
    assert isinstance(default, n.Int) and default.value > 10**3999
