"""What is remembered of types and defaults changes nothing that is found."""

from __future__ import annotations

from tests.check.checking import check_files, check_text

BAD = "varchar(0), [][]int, text[], numeric, vector(16001), uuid(3), []point"
GOOD = "varchar(41), []int, numeric(8, 2), vector(3), uuid"


def entity(types: str) -> str:
    fields = [f"  f{number} {type_}\n" for number, type_ in enumerate(types.replace("(8, 2)", "(8,2)").split(", "))]
    return f"entity E in s {{\n  id bigint primary\n{''.join(fields)}}}\n"


def test_a_type_is_judged_wherever_it_stands() -> None:
    once = [finding.code for finding in check_text(entity(BAD))]
    assert once == ["ATL201", "ATL202", "ATL107", "ATL201", "ATL201", "ATL201", "ATL202"]
    assert [finding.code for finding in check_text(entity(f"{BAD}, {GOOD}, {BAD}, {GOOD}"))] == 2 * once


def test_a_default_is_judged_wherever_it_stands() -> None:
    fields = ["int default 7", "smallint default 70000", "int default 70000", 'text default "a"', "date default 7"]
    assert [finding.code for finding in check_text(entity(", ".join(fields)))] == ["ATL203"] * 2
    assert [finding.code for finding in check_text(entity(", ".join(fields * 3)))] == ["ATL203"] * 6


def test_a_check_of_names_alone_vouches_for_nothing_else() -> None:
    text = entity("char(77777777)")
    assert check_files({"a.atl": text}, names_only=True) == []
    assert [finding.code for finding in check_text(text)] == ["ATL201"]
