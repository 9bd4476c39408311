"""Renames that are suggested, never made."""

from __future__ import annotations

import pytest

from tests.diff.reading import compare

ENTITY = "entity A in s {{\nid int primary\n{}\n}}"


@pytest.mark.parametrize(
    ("old", "new", "hints"),
    [
        ("mail text", "email text", ["s.A.email from mail"]),
        ("mail text", "email varchar(9)", []),
        ("mail text", "electronic_address text", ["s.A.electronic_address from mail"]),
        ("mail text\nfax text", "electronic_address text\nweb text", []),
        ("mail text\nfax text", "fax_no text\nemail text", ["s.A.email from mail", "s.A.fax_no from fax"]),
        ("mail text\nmails text", "email text", ["s.A.email from mail"]),
        ("mail text", "", []),
        ("", "email text", []),
    ],
)
def test_fields(old: str, new: str, hints: list[str]) -> None:
    found = compare(ENTITY.format(old), ENTITY.format(new))
    assert [f"{s.id}.{s.member} from {s.old_name}" for s in found.suggestions] == hints


def test_declarations_and_labels() -> None:
    old = """
    entity Visit in s { id int primary
      at date }
    enum Size in s { small, large }
    enum Tint in s { red, blue, "light grey" }
    job Mail in s { args { id int } }
    """
    new = """
    entity Appointment in s { id int primary
      at date }
    enum Sizes in s { small, large }
    enum Tint in s { red, blue, gray }
    job MailOut in s { args { id int } }
    """
    found = compare(old, new).suggestions
    assert [(s.id, s.member, s.hint) for s in found] == [
        ("s.Appointment", "", "// atl: renamed-from Visit"),
        ("s.MailOut", "", "// atl: renamed-from Mail"),
        ("s.Sizes", "", "// atl: renamed-from Size"),
        ("s.Tint", "gray", '// atl: renamed-from "light grey"'),
    ]
    assert found[0].where == ("a.atl", 2)


def test_the_hint_makes_the_rename() -> None:
    old, new = ENTITY.format("mail text"), ENTITY.format("email text")
    (suggestion,) = compare(old, new).suggestions
    lines = new.split("\n")
    lines.insert(suggestion.where[1] - 1, suggestion.hint)
    found = compare(old, "\n".join(lines))
    assert [c.kind for c in found.changes] == ["field_renamed"]
    assert found.suggestions == ()
