"""Look-ups over all files, and which of them an edit touches."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from atl.schema.index import Found, Index, Scope
from atl.schema.symbols import EntitySymbol, EnumSymbol, JobSymbol, OtherSymbol, Symbol
from atl.source import Anchor, SourceFile, Span

SPAN = Span(0, 1)


def entity(id: str, table: str | None = None, span: Span = SPAN) -> EntitySymbol:
    from atl.schema.naming import default_physical, table_parts

    namespace, _, name = id.rpartition(".")
    physical = table_parts(table) if table is not None else default_physical(namespace, name)
    return EntitySymbol(namespace, name, span, False, (), (), (), physical or ("", ""), False)


def enum(id: str) -> EnumSymbol:
    from atl.schema.naming import default_physical

    namespace, _, name = id.rpartition(".")
    return EnumSymbol(namespace, name, SPAN, ("a",), default_physical(namespace, name), False)


def job(id: str) -> JobSymbol:
    namespace, _, name = id.rpartition(".")
    return JobSymbol(namespace, name, SPAN, (), "*", False)


def query(name: str, owner: str) -> OtherSymbol:
    namespace, _, owner_name = owner.rpartition(".")
    return OtherSymbol("query", namespace, name, SPAN, (namespace, owner_name))


def put(index: Index, path: str, *symbols: Symbol, own: bool = True) -> set[tuple[str, ...]]:
    return index.add(path, placed(path, symbols), own)


def placed(path: str, symbols: Iterable[Symbol]) -> list[tuple[Symbol, Anchor]]:
    return [(symbol, Anchor(SourceFile(path, ""))) for symbol in symbols]


def ids(found: list[Found]) -> list[str]:
    return [f"{each.symbol.namespace}.{each.symbol.name}" for each in found]


@pytest.fixture
def index() -> Index:
    made = Index()
    put(made, "b.atl", entity("shop.Order"), job("shop.Order"), entity("stock.Item"), enum("shop.Status"))
    put(made, "a.atl", entity("stock.Order"), entity("stock.HTTPLog", "legacy.Logs"), query("Recent", "Item"))
    put(made, "z.atl", entity("other.Place", "places"), job("other.Sync"), own=False)
    return made


@pytest.mark.parametrize(
    ("namespace", "asked", "expected"),
    [
        ("shop", "Order", ["shop.Order"]),
        ("shop", "stock.Order", ["stock.Order"]),
        ("shop", "Item", ["stock.Item"]),
        ("third", "Order", ["shop.Order", "stock.Order"]),
        ("third", "Place", ["other.Place"]),
        ("shop", "shop.Item", []),
        ("shop", "Nothing", []),
        ("shop", "Sync", []),
    ],
)
def test_entities(index: Index, namespace: str, asked: str, expected: list[str]) -> None:
    scope = Scope(index, namespace)
    qualifier, _, name = asked.rpartition(".")
    assert ids(scope.entity_candidates(qualifier or None, name)) == expected
    assert (scope.entity(qualifier or None, name) is not None) == (len(expected) == 1)


def test_jobs_and_enums_are_found_in_the_own_namespace_only(index: Index) -> None:
    assert Scope(index, "shop").job(None, "Order") is not None
    assert Scope(index, "stock").job(None, "Order") is None
    assert Scope(index, "stock").job("shop", "Order") is not None
    assert Scope(index, "stock").enum("shop.Status") is not None
    assert Scope(index, "stock").find("enum", None, "Status") is None
    assert Scope(index, "shop").names("job") == [("other", "Sync"), ("shop", "Order")]


def test_a_query_lives_where_its_owner_does(index: Index) -> None:
    (recent,) = [found.symbol for found in index if found.symbol.name == "Recent"]
    assert Scope.of(index, recent).namespace == "stock"
    scope = Scope(index, "")
    assert [found.symbol.name for found in scope.same_id("stock.Recent")] == ["Recent"]
    changed = put(index, "c.atl", entity("shop.Item"))
    assert ("id", "stock.Recent") in changed
    assert scope.same_id("stock.Recent") == []


@pytest.mark.parametrize(
    ("schema", "name", "expected"),
    [
        ("shop", "order", ["shop.Order"]),
        ("atlantis", "SHOP_Order", ["shop.Order"]),
        (None, "shop_order", ["shop.Order"]),
        ("legacy", "logs", ["stock.HTTPLog"]),
        (None, "logs", []),
        ("stock", "http_log", ["stock.HTTPLog"]),
        (None, "stock_http_log", ["stock.HTTPLog"]),
        (None, "places", ["other.Place"]),
        ("public", "places", ["other.Place"]),
        ("shop", "Status", []),
        (None, "order", []),
    ],
)
def test_tables_as_sql_spells_them(index: Index, schema: str | None, name: str, expected: list[str]) -> None:
    assert ids(Scope(index, "x").tables(schema, name)) == expected


def test_a_name_too_long_for_postgres_is_found_as_it_cuts_it(index: Index) -> None:
    put(index, "long.atl", entity(f"shop.{'Very' * 20}"))
    written = "shop_" + "_".join(["very"] * 20)
    assert Scope(index, "shop").tables("atlantis", written)
    assert Scope(index, "shop").tables(None, written[:63])


def test_physical_clashes_are_of_tables_and_types_without_regard_to_case(index: Index) -> None:
    put(index, "c.atl", entity("x.A", "atlantis.SHOP_status"))
    assert ids(Scope(index, "x").same_physical_name("atlantis", "shop_status")) == ["shop.Status", "x.A"]


def test_what_cannot_be_read_may_be_anything_of_its_name(index: Index) -> None:
    scope = Scope(index, "shop")
    assert not scope.may_be_broken("Cart")
    put(index, "c.atl", OtherSymbol("broken", "", "Cart", SPAN), entity("Basket"))
    assert scope.may_be_broken("Cart")
    assert scope.may_be_broken("Basket")
    assert not scope.may_be_broken("Other")
    assert scope.entity(None, "Basket") is None
    put(index, "d.atl", entity("shop."))
    assert scope.may_be_broken("Other")


def test_own_declarations_come_before_other_callers(index: Index) -> None:
    put(index, "a-cache.atl", entity("shop.Order", "elsewhere"), own=False)
    found = Scope(index, "shop").find("entity", None, "Order")
    assert found is not None
    assert found.own
    assert [each.own for each in Scope(index, "shop").same_id("shop.Order")] == [False, True, True]


def test_an_equal_symbol_changes_nothing(index: Index) -> None:
    assert put(index, "z.atl", entity("other.Place", "places"), job("other.Sync"), own=False) == set()
    changed = put(index, "z.atl", entity("other.Place", "places", Span(1, 2)), job("other.Sync"), own=False)
    assert ("entity", "other.Place") in changed
    assert ("names", "entity") not in changed
    assert ("job", "other.Sync") not in changed


NAMESPACES = ["", "a", "b", "c"]
NAMES = ["X", "Y", "XY", ""]
_ids = st.builds("{}.{}".format, st.sampled_from(NAMESPACES), st.sampled_from(NAMES))
SYMBOLS = st.one_of(
    st.builds(entity, _ids, st.sampled_from([None, None, "a.x", "t", "b_xy", "atlantis.A_x", "no-name"])),
    st.builds(enum, _ids),
    st.builds(job, _ids),
    st.builds(query, st.sampled_from(NAMES), _ids),
    st.builds(lambda name: OtherSymbol("broken", "", name, SPAN), st.sampled_from(NAMES)),
)
QUESTIONS: list[Callable[[Scope], object]] = [
    *(lambda s, n=n, q=q: s.entity_candidates(q, n) for n in NAMES for q in [None, "a"]),
    *(lambda s, n=n, k=k, q=q: s.find(k, q, n) for n in NAMES for k in ["job", "enum", "entity"] for q in [None, "b"]),
    *(lambda s, n=n, q=q: s.same_id(f"{q}.{n}") for n in NAMES for q in NAMESPACES),
    *(lambda s, n=n, q=q: s.tables(q, n) for n in ["x", "a_x", "T", "B_XY"] for q in [None, "a", "atlantis"]),
    *(lambda s, n=n: s.same_physical_name("atlantis", n) for n in ["a_x", "b_y"]),
    *(lambda s, n=n: s.may_be_broken(n) for n in NAMES),
    *(lambda s, k=k: list(s.names(k)) for k in ["entity", "job", "enum"]),
]


def _plain(answer: object) -> object:
    """An answer without the identity of anchors."""
    if isinstance(answer, Found):
        return (answer.symbol, answer.anchor.file.path, answer.own)
    return [_plain(each) for each in answer] if isinstance(answer, list) else answer


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["p", "q", "r"]), st.lists(SYMBOLS, max_size=4), st.booleans(), st.booleans()),
        min_size=1,
        max_size=8,
    )
)
def test_edits_give_what_building_anew_gives_and_tell_all_that_changed(
    edits: list[tuple[str, list[Symbol], bool, bool]],
) -> None:
    index = Index()
    files: dict[str, tuple[list[tuple[Symbol, Anchor]], bool]] = {}
    scopes = [(namespace, question) for namespace in ["a", ""] for question in QUESTIONS]
    answers: list[tuple[object, set[tuple[str, ...]]]] = [([], set())] * len(scopes)
    for at, (path, symbols, own, alone) in enumerate(edits):
        entries = placed(path, symbols)
        if alone and symbols and path in files and files[path][0]:
            # One declaration changes, the others are the same objects.
            entries, own = [*files[path][0]], files[path][1]
            position = len(symbols) % len(entries)
            entries[position] = (symbols[0], entries[position][1])
        changed = index.add(path, entries, own)
        files[path] = (entries, own)
        anew = Index()
        for other, (there, other_own) in reversed(files.items()):
            anew.add(other, there, other_own)
        for number, (namespace, question) in enumerate(scopes):
            scope = Scope(index, namespace)
            answer = _plain(question(scope))
            assert answer == _plain(question(Scope(anew, namespace)))
            before, asked = answers[number]
            if at and before != answer:
                assert asked & changed
            answers[number] = (answer, scope.asked)
    for path in files:
        index.remove(path)
    assert vars(index) == vars(Index()) | {"_sorted_names": index._sorted_names}
