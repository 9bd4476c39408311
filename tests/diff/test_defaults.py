"""Defaults: equal by what they mean, and volatile only where each row gets its own value."""

from __future__ import annotations

import pytest

from atl.diff import Hazard
from tests.diff.reading import compare

FIELD = "entity T in s {{ id bigint primary\n  x {} }}"


@pytest.mark.parametrize(
    ("plain", "raw"),
    [
        ("timestamptz default now()", 'timestamptz default raw "NOW( )"'),
        ("int default 1", 'int default raw "(1)"'),
        ("int default -5", 'int default raw "- 5"'),
        ("int default 0", 'int default raw "0"'),
        ("bigint default 3000000000", 'bigint default raw "3000000000"'),
        ("boolean default true", 'boolean default raw "TRUE"'),
        ("boolean default false", 'boolean default raw "false"'),
        ('text default ""', "text default raw \"''\""),
        ('text default "it\'s"', "text default raw \"'it''s'\""),
    ],
)
def test_sql_that_a_plain_default_would_have_been(plain: str, raw: str) -> None:
    assert compare(FIELD.format(plain), FIELD.format(raw)).changes == ()


@pytest.mark.parametrize(
    ("plain", "raw"),
    [
        ("int default 1", "int default raw \"'1'\""),
        ("numeric(5, 2) default 1", 'numeric(5, 2) default raw "1.5"'),
        ("timestamptz default now()", 'timestamptz default raw "clock_timestamp()"'),
        ("boolean default true", 'boolean default raw "false"'),
        ("text", 'text default raw "null"'),
    ],
)
def test_sql_that_is_not_known_to_be_the_same(plain: str, raw: str) -> None:
    (change,) = compare(FIELD.format(plain), FIELD.format(raw)).changes
    assert change.kind == "field_default_changed"


@pytest.mark.parametrize(
    ("added", "rewrites"),
    [
        ('uuid default raw "gen_random_uuid()"', True),
        ('uuid default raw "public.uuid_generate_v4()"', True),
        ("timestamptz default raw \"now() + random() * interval '1 day'\"", True),
        ('timestamptz default raw "clock_timestamp()"', True),
        ("timestamptz default raw \"now() + interval '1 day'\"", False),
        ("jsonb default raw \"jsonb_build_object('a', 1)\"", False),
        ("timestamptz default raw \"'2024-01-01'::text::timestamptz\"", False),
        ('text default raw "current_user"', False),
    ],
)
def test_a_default_of_each_row_rewrites_the_table(added: str, rewrites: bool) -> None:
    (change,) = compare(FIELD.format("int"), FIELD.format("int\n  y " + added)).changes
    assert (Hazard.REWRITES_TABLE in change.hazards) == rewrites
