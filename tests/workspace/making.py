"""Pieces of declarations that depend on each other over files, for random workspaces."""

from __future__ import annotations

from hypothesis import strategies as st

NAMESPACES = ("shop", "crm")
NAMES = ("Order", "Ordr", "Item")

_PIECES = (
    """\
entity {a} in {n} {{
  id bigint primary
  ref bigint references {m}.{b}.id
}}
""",
    """\
entity {a} in {n} {{
  id bigint primary
  state State not null default "open"
  table "{m}.{n}_order"
}}
""",
    "entity {a} in {n} {{\n  id int primary\n  badName text\n}}\n",
    """\
// atl: ignore[ATL108, ATL308]
entity {a} in {n} {{
  // a note
  id int primary
  badName int references {m}.{b}.id
}}
""",
    "entity {a} in {n} {{\n  id bigint primary\n  has_many items: {b} via ref\n",
    "enum State in {n} {{ open, done }}\n",
    "job {a} in {n} {{ args {{ id bigint not null }} timeout 2m }}\n",
    'job {a} in {n} {{ args {{ id bigint not null, }} queue "q" }}\n',
    """\
query List for {a} {{
  input {{ id: bigint }}
  output as {a}
  sql touches({a}, {b}) {{ SELECT * FROM {n}.order WHERE id = $id }}
}}
""",
    """\
procedure List for {m}.{a} {{
  input {{ id: bigint }}
  steps {{
    update {b} set id = $id where id = $id
    enqueue {a}(id: $id)
  }}
}}
""",
    """\
workflow Flow in {n} {{
  state {{ id bigint }}
  step one {{ job {a} args {{ id: $id }} }}
  compensate one {{ job {m}.{b} }}
}}
""",
    "ephemeral {a} in {n} {{ code text primary ttl = 5m }}\n",
    "entity in {n} {{ id bigint primary }}\n",
    "// a comment\n\n",
    "garbage {{ }}\n",
)


def _filled(piece: str, n: str, m: str, a: str, b: str) -> str:
    return piece.format(n=n, m=m, a=a, b=b)


pieces = st.builds(
    _filled,
    st.sampled_from(_PIECES),
    st.sampled_from(NAMESPACES),
    st.sampled_from(NAMESPACES),
    st.sampled_from(NAMES),
    st.sampled_from(NAMES),
)
texts = st.lists(pieces, max_size=4).map("".join)
paths = st.sampled_from(("a.atl", "b.atl", "x/c.atl", ".tide-cache/schema/a.atl", ".tide-cache/schema/o.atl"))
fragments = st.one_of(
    st.sampled_from(("", " ", "\n", "{", "}", "//", "/*", '"', "Order", "shop", "é", "\r\n")),
    st.just("// atl: ignore[ATL108]\n"),
    pieces,
)
