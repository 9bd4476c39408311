"""What hovers say."""

from __future__ import annotations

from datetime import datetime, timezone

import pytest
from syrupy.assertion import SnapshotAssertion

from atl.ide.hover import hover
from tests.ide.asking import at

NOW = datetime(2026, 1, 1, 12, 0, tzinfo=timezone.utc)

TEXT = """// Things that are sold.
// Also bundles.
entity Item in shop {
  id bigint identity primary
  // What it says on the tin.
  label varchar(20) not null unique default "x\\"y" check "length(label) > 1"
  state State not null default "open"
  parent bigint references shop.Item.id on delete set null
  gone timestamptz
  soft_delete by gone
  unique index partial by label where gone is null
  query_timeout = 1500ms
}
hypertable Sample in shop on at { at timestamptz not null keyless tags []text }
enum State in shop { open, done }
ephemeral Session in shop { token text primary  ttl = 90m }
query Find for Item {
  input { label: varchar(20) default "a" }
  output { id: bigint }
  sql touches(Item) { select i.id from shop.item i where i.label = $label and state = 'open' }
}
procedure Clean for Item { input { id: bigint } steps { delete Item where id = $id enqueue Sweep(region: "x") } }
job Sweep in shop {
  args { region varchar(20) not null  day date }
  retries 3
  schedule "30 3 * * MON-FRI" // atl: ignore[ATL408, ATL409]
}
workflow Tidy in shop {
  state { region varchar(20) not null }
  step first { job Sweep args { region: $region } }
  step second { job Sweep args { region: $region } }
  compensate first { job Sweep args { region: $region } }
}
// atl: renamed-from Old
entity New in shop { id int primary }
"""

MARKS = [
    "entity It<|>em in",
    "ent<|>ity Item",
    "  i<|>d bigint",
    "lab<|>el varchar",
    "var<|>char(20) not",
    "not nu<|>ll unique",
    '"length(la<|>bel)',
    "st<|>ate State",
    "State in<|> shop",
    "enum Sta<|>te in",
    "{ op<|>en, done",
    "par<|>ent bigint",
    "soft_del<|>ete by",
    "unique in<|>dex partial",
    "1500<|>ms",
    "Sam<|>ple in",
    "[]te<|>xt",
    "Sess<|>ion in",
    "90<|>m }",
    "query Fi<|>nd",
    "input { la<|>bel",
    "output { i<|>d",
    "procedure Cl<|>ean",
    "from shop.it<|>em i",
    "where i.la<|>bel",
    "= 'op<|>en'",
    "= $la<|>bel",
    "Sweep(reg<|>ion:",
    "job Sw<|>eep in",
    "retr<|>ies 3",
    '"30 3<|> * * MON',
    "ATL4<|>08",
    "Ti<|>dy in",
    "step fi<|>rst",
    "state { reg<|>ion",
    "enq<|>ueue Sweep",
    "renamed-from O<|>ld",
    "// Things<|> that",
]


@pytest.mark.parametrize("mark", MARKS)
def test_hover(mark: str, snapshot: SnapshotAssertion) -> None:
    plain = mark.replace("<|>", "")
    assert plain in TEXT
    workspace, path, offset = at(TEXT.replace(plain, mark, 1))
    found = hover(workspace, path, offset, NOW)
    text = workspace.source(path).text  # type: ignore[union-attr]
    assert (None if found is None else f"[{text[slice(*found.span)]}]\n{found.markdown}") == snapshot


@pytest.mark.parametrize(
    "text",
    ["<|>", "entity <|>", 'job J in s { schedule "* *<|> *" }', "entity A in s { a text<|> x }", "query Q for <|>A"],
)
def test_hover_in_broken_text(text: str) -> None:
    hover(*at(text), NOW)
