"""Which words may be names, and where; each of the language's words in each place that takes a name."""

from __future__ import annotations

import pytest

from atl.syntax import _table as k
from atl.syntax import nodes as n
from tests.syntax.trees import tree

FREE = sorted(k.FREE_WORDS | k.COLUMN_WORDS)
RESERVED = sorted(k.RESERVED_WORDS)

FIELDS = [
    "entity A in b {{\n  id bigint primary\n  {0} text not null\n  z int\n}}",
    "entity A in b {{\n  id bigint primary\n  {0} varchar(20)\n  z int\n}}",
    "entity A in b {{\n  id bigint primary\n  {0} int\n}}",
    "entity A in b {{\n  {0} bigint primary\n  z int\n}}",
    "entity A in b {{\n  id int not null\n  index by id\n  {0} text\n}}",
    "ephemeral A in b {{\n  id bigint primary\n  {0} text not null\n  z int\n}}",
    "ephemeral A in b {{\n  {0} []int\n}}",
    "entity A in b {{\n  {0} []int\n}}",
    "job A in b {{ args {{\n  a int\n  {0} text\n  b int\n}} }}",
    "workflow A in b {{ state {{\n  {0} int not null\n}} }}",
    "query A for B {{ input {{ a: int, {0}: text }} }}",
    "query A for B {{ input {{\n  a: int\n  {0}: text\n  b: int\n}} }}",
    "query A for B {{ output {{ {0}: int }} }}",
]
USES = [
    "procedure P for A {{ steps {{ update A set {0} = ${0}, a = {0} where {0} = 1 and 1 = {0} and {0} }} }}",
    "procedure P for A {{ steps {{ delete A where {0} insert A {{ {0} = 1 }} enqueue {0}({0}: ${0}) }} }}",
    "entity A in b {{ index by {0}, a desc index partial by {0} where x\n primary by {0} unique by {0}, id }}",
    "entity A in b {{ soft_delete by {0} ttl_field {0} index gin on {0} index hnsw on {0} ops ip }}",
    "entity A in b {{ a int references {0}.A.{0} cache {{ invalidate_on: write(B where {0} = self.{0}) }} }}",
    "entity A in b {{ id\n {0}.T }}",
    "hypertable A in b on {0} {{ a int }}",
]
NAMES = [
    "workflow {0} in {0} {{ step {0} {{ job {0} args {{ {0}: 1 }} }} compensate {0} {{ job {0}.{0} }} }}",
    "enum {0} in {0} {{ {0}, a }}",
    "query {0} for {0} {{ output as {0} sql touches({0}, {0}.{0}) {{ }} }}",
    "entity {0} in {0} {{ has_many {0}: B via {0} }}",
]


def codes(text: str) -> list[str]:
    return [raw.code for unit in tree(text).units for raw in unit.chunk.raw]


def names(text: str) -> list[str]:
    decl = tree(text).units[0].chunk.declarations[0]
    assert isinstance(decl, (n.EntityDecl, n.EphemeralDecl))
    return [member.name.text for member in decl.members if isinstance(member, n.Field)]


@pytest.mark.parametrize("pattern", [*FIELDS, *USES, *NAMES])
def test_free_words_are_names_anywhere(pattern: str) -> None:
    assert [word for word in FREE if codes(pattern.format(word))] == []


def reserved_in(pattern: str) -> list[str]:
    """`ttl_field int` alone is right where a field is called `int`."""
    alone = pattern.startswith("entity") and pattern.endswith(("{0} int\n}}", "{0} text\n}}"))
    return [word for word in RESERVED if word != "ttl_field" or not alone]


@pytest.mark.parametrize("pattern", FIELDS)
def test_reserved_words_are_reported_and_taken_all_the_same(pattern: str) -> None:
    assert [word for word in reserved_in(pattern) if codes(pattern.format(word)) != ["ATL012"]] == []
    if pattern.startswith("e"):
        assert [word for word in reserved_in(pattern) if word not in names(pattern.format(word))] == []
