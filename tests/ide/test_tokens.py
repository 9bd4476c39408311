"""Semantic tokens, as a text where each is `⟨kind text⟩`."""

from __future__ import annotations

from syrupy.assertion import SnapshotAssertion

from atl.ide.tokens import KINDS, MODIFIERS, semantic_tokens
from atl.source import Span
from atl.workspace.live import Workspace

TEXT = """// A comment.
entity Item in shop {
  id bigint identity primary
  kind Kind not null default "big" check "kind <> 'small' and id > 0"
  item Unknown references shop.Item.id on delete cascade
  index partial by kind where kind = "big" and lower("x") = 'y' // why
  cache { read_through ttl = 5m tag = "i:{id}" }
}
enum Kind in shop { big, "small" }
query Find for Item {
  input { id: bigint }
  output { kind: shop.Kind }
  sql touches(Item) {
    -- 日本語 🎈
    select i.kind, count(*) from shop.item i where i.id = $id and kind = 'big' and note = 'a
b' /* x */
  }
}
procedure P for Item { input { id: bigint } steps { update Item set kind = "big" where id = $id enqueue J(n: 1) } }
job J in shop { args { n int not null } timeout none }
workflow W in shop { state { n int } step a { job J args { n: $n } } compensate a { job other.Unknown } }
"""


def test_tokens(snapshot: SnapshotAssertion) -> None:
    found = semantic_tokens(Workspace.in_memory({"a.atl": TEXT}), "a.atl")
    out, at = [], 0
    for token in found:
        assert at <= token.start < token.end and "\n" not in TEXT[token.start : token.end]
        assert token.kind in KINDS and set(token.modifiers) <= set(MODIFIERS)
        marks = "".join(f" {modifier}" for modifier in token.modifiers)
        out += [TEXT[at : token.start], f"⟨{token.kind}{marks} {TEXT[token.start : token.end]}⟩"]
        at = token.end
    assert "".join([*out, TEXT[at:]]) == snapshot


def test_a_range_has_the_same_tokens() -> None:
    workspace = Workspace.in_memory({"a.atl": TEXT})
    span = Span(TEXT.index("query"), TEXT.index("procedure"))
    everything = semantic_tokens(workspace, "a.atl")
    assert semantic_tokens(workspace, "a.atl", span) == [
        token for token in everything if token.start <= span.end and token.end >= span.start
    ]
