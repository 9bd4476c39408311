"""Hints: which hold, what follows them, which are stale."""

from __future__ import annotations

import pytest

from tests.diff.reading import compare, kinds

FIELD = "entity A in s {{ id int primary\n{}\n}}"


def fields(old: str, new: str) -> tuple[set[str], list[tuple[str, str]]]:
    found = compare(FIELD.format(old), FIELD.format(new))
    return {kind.removesuffix(" cross_caller_breaking") for kind in kinds(found)}, [
        (stale.member, stale.old_name) for stale in found.stale
    ]


B_FROM_A = "// atl: renamed-from a\nb int"
A_FROM_B = "// atl: renamed-from b\na int"


@pytest.mark.parametrize(
    ("old", "new", "changes", "stale"),
    [
        ("a int", B_FROM_A, {"field_renamed s.A.b"}, []),
        (B_FROM_A, B_FROM_A, set(), []),
        ("b int", B_FROM_A, set(), [("b", "a")]),
        ("a int\nb int", f"{A_FROM_B}\n{B_FROM_A}", {"field_renamed s.A.a", "field_renamed s.A.b"}, []),
        ("a int", f"a int\n{B_FROM_A}", {"field_added s.A.b additive"}, [("b", "a")]),
        ("a int\nb int", B_FROM_A, {"field_renamed s.A.b", "field_removed s.A.b destructive"}, []),
        (
            "a int\nb int",
            f"{B_FROM_A}\n// atl: renamed-from b\nc int",
            {"field_renamed s.A.b", "field_renamed s.A.c"},
            [],
        ),
        (
            "a int",
            f"{B_FROM_A}\n// atl: renamed-from a\nc int",
            {"field_renamed s.A.b", "field_added s.A.c additive"},
            [("c", "a")],
        ),
        (
            "a int",
            "// atl: renamed-from a\nb bigint",
            {"field_renamed s.A.b", "field_type_widened s.A.b additive"},
            [],
        ),
        # What has been carried out stays in the file, and a new field of the old name is just that.
        (B_FROM_A, f"{B_FROM_A}\na text", {"field_added s.A.a additive"}, []),
    ],
)
def test_fields(old: str, new: str, changes: set[str], stale: list[tuple[str, str]]) -> None:
    assert fields(old, new) == (changes, stale)


def test_what_names_a_renamed_field_follows_it() -> None:
    body = """
      {hint}
      {f} int not null check "{f} > 0"
      other int backfill "{f} + 1"
      unique by {f}, other
      index by {f}, expr "abs({f})"
      index partial by other where {f} > 5
      check "{f} < other" as ordered
      check "{f} <> 3"
      cache {{ read_through ttl = 1m tag = "x:{{{f}}}" invalidate_on: write(B where a_{f} = self.{f}) }}
    """
    rest = """
    entity B in s {{ id int primary {more} a_{f} int }}
    query Q for A {{ output {{ n: int }} sql touches(A) {{ SELECT a.{f} AS n FROM s.a WHERE {f} > 1 }} }}
    procedure P for A {{ steps {{
      update A set {f} = 4 where {f} = 5
      sql touches(A) {{ UPDATE s.a SET {f} = {f} + 1 }}
    }} }}
    """
    old = FIELD.format(body.format(f="n", hint="")) + rest.format(f="n", more="")
    new = FIELD.format(body.format(f="m", hint="// atl: renamed-from n")) + rest.format(
        f="m", more="\n// atl: renamed-from a_n\n"
    )
    assert kinds(compare(old, new)) == {
        "field_renamed s.A.m cross_caller_breaking",
        "field_renamed s.B.a_m cross_caller_breaking",
    }


def test_what_names_a_renamed_entity_follows_it() -> None:
    text = """
    {hint}
    entity {E} in s {{ id int primary }}
    entity Other in s {{
      id int primary
      link int references s.{E}.id
      has_many all: {E} via id
      cache {{ invalidate_on: write({E}) }}
    }}
    query Q for {E} {{ output as {E} sql touches(Other, {E}) {{ SELECT {t}.* FROM s.{t}, other }} }}
    query R for Other {{ output as Other sql touches({E}, Other) {{ SELECT o.* FROM atlantis.s_{t} AS x, s_other o }} }}
    procedure P for {E} {{ steps {{ delete {E} where id = 1 }} }}
    """
    old = text.format(E="OldName", t="old_name", hint="")
    new = text.format(E="Name", t="name", hint="// atl: renamed-from OldName")
    assert kinds(compare(old, new)) == {"entity_renamed s.Name cross_caller_breaking"}


def test_a_table_that_was_chosen_stays() -> None:
    old = "entity A in s { id int primary }"
    kept = '// atl: renamed-from A\nentity B in s { id int primary table "atlantis.s_a" }'
    assert kinds(compare(old, kept)) == {"entity_renamed s.B cross_caller_breaking"}
    elsewhere = '// atl: renamed-from A\nentity B in s { id int primary table "other" }'
    assert kinds(compare(old, elsewhere)) == {
        "entity_renamed s.B cross_caller_breaking",
        "entity_table_changed s.B cross_caller_breaking",
    }


def test_what_has_a_renamed_enum_or_label_follows_it() -> None:
    text = """
    {hint}
    enum {E} in s {{
      {label_hint}
      "{x}", other
    }}
    entity A in s {{
      id int primary
      state {E} not null default "{x}" check "state <> '{x}'"
      index partial by id where state = "{x}"
    }}
    query Q for A {{ output as A sql touches(A) {{ SELECT * FROM s.a WHERE state = '{x}' }} }}
    procedure P for A {{ steps {{
      update A set state = "{x}" where state != "{x}"
      enqueue J(state: "{x}")
    }} }}
    job J in s {{ args {{ state {E} default "{x}" check "state = '{x}'" }} }}
    workflow W in s {{ step a {{ job J args {{ state: "{x}" }} }} }}
    ephemeral M in s {{ state {E} default "{x}" }}
    """
    old = text.format(E="Old", x="new thing", hint="", label_hint="")
    new = text.format(
        E="New", x="fresh", hint="// atl: renamed-from Old", label_hint='// atl: renamed-from "new thing"'
    )
    assert kinds(compare(old, new)) == {
        "enum_renamed s.New cross_caller_breaking",
        "enum_label_renamed s.New.fresh cross_caller_breaking",
    }


def test_a_renamed_job() -> None:
    text = """
    entity A in s {{ id int primary }}
    {hint}
    job {J} in s {{ retries 1 }}
    procedure P for A {{ steps {{ enqueue {J}() }} }}
    workflow W in s {{ step a {{ job {J} }} compensate a {{ job {J} }} }}
    """
    found = compare(text.format(J="Old", hint=""), text.format(J="New", hint="// atl: renamed-from Old"))
    assert kinds(found) == {"job_renamed s.New cross_caller_breaking"}


def test_an_entity_that_takes_the_name_of_another() -> None:
    old = "entity A in s { id int primary, a int }\nentity B in s { id int primary, b int }".replace(",", "\n")
    new = "// atl: renamed-from A\nentity B in s { id int primary\n a int }"
    assert kinds(compare(old, new)) == {
        "entity_renamed s.B cross_caller_breaking",
        "entity_removed s.B destructive",
    }


def test_a_key_is_unique_by_itself() -> None:
    old = "entity A in s { id int primary\n code int not null unique }"
    new = "entity A in s { id int not null unique\n code int primary }"
    assert kinds(compare(old, new)) == {"key_changed s.A cross_caller_breaking"}


def swaps(old: str, new: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(swap.id, swap.names) for swap in compare(old, new).renames.swaps]


def test_names_that_went_round_by_hints_which_are_gone() -> None:
    swapped, plain = FIELD.format(f"{A_FROM_B}\n{B_FROM_A}"), FIELD.format("a int\nb int")
    assert swaps(swapped, plain) == [("s.A", ("a", "b"))]
    assert swaps(plain, swapped) == swaps(swapped, swapped) == swaps(plain, plain) == []
    # One that still has its hint, or is gone, says enough.
    assert swaps(swapped, FIELD.format(f"a int\n{B_FROM_A}")) == swaps(swapped, FIELD.format("a int")) == []
    chain = FIELD.format(f"{B_FROM_A}\n// atl: renamed-from b\nc int")
    assert swaps(chain, FIELD.format("b int\nc int")) == []
    enum = 'enum E in s {{\n{}"a",\n{}"b", "c" }}'
    hinted = enum.format("// atl: renamed-from b\n", "// atl: renamed-from a\n")
    assert swaps(hinted, enum.format("", "")) == [("s.E", ("a", "b"))]
    jobs = "{}job A in s {{ }}\n{}job B in s {{ }}\n"
    hinted = jobs.format("// atl: renamed-from B\n", "// atl: renamed-from A\n")
    assert swaps(hinted, jobs.format("", "")) == [("s", ("A", "B"))]
