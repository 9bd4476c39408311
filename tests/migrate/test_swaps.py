"""Two fields that take each other's names, there and back, with the rows of a real server."""

from __future__ import annotations

from tests.databases import Subject

ENTITY = """entity Pair in s {{
  id bigint primary
  {}
}}
"""
HINT = "// atl: renamed-from {}\n  "
PLAIN = ENTITY.format("a text\n  b text")
SWAPPED = ENTITY.format(f"{HINT.format('b')}a text\n  {HINT.format('a')}b text")
AGREED = ("--allow", "cross_caller_breaking")


def rows(subject: Subject) -> list[tuple[object, ...]]:
    return subject.sql("SELECT a, b FROM atlantis.s_pair")


def begin(subject: Subject) -> None:
    subject.write(PLAIN)
    assert subject.atl("apply").code == 0
    subject.sql("INSERT INTO atlantis.s_pair VALUES (1, 'first', 'second')")
    subject.write(SWAPPED)
    assert subject.atl("apply", *AGREED).code == 0
    assert rows(subject) == [("second", "first")]


def test_the_way_back_is_said_and_works(subject: Subject) -> None:
    begin(subject)
    subject.write(PLAIN)
    for command in ("plan", "apply"):
        told = subject.atl(command)
        assert told.code == 0
        assert "`a` and `b` of `s.Pair` took each other's names by hints that are gone now" in told.said, told.said
        assert "apply this first, then give the same hints again" in told.said
    assert rows(subject) == [("second", "first")]
    assert "took each other's names" not in subject.atl("plan").said
    subject.write(SWAPPED)
    assert subject.atl("apply", *AGREED).code == 0
    assert rows(subject) == [("first", "second")]
    assert subject.atl("inspect").code == 0


def test_by_a_third_name(subject: Subject) -> None:
    begin(subject)
    subject.write(ENTITY.format(f"{HINT.format('a')}c text\n  b text"))
    assert subject.atl("apply", *AGREED).code == 0
    subject.write(ENTITY.format(f"{HINT.format('b')}a text\n  {HINT.format('c')}b text"))
    assert subject.atl("apply", *AGREED).code == 0
    assert rows(subject) == [("first", "second")]
