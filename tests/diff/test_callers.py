"""What a change is when other callers' declarations are known."""

from __future__ import annotations

import pytest

from tests.diff.reading import compare

OLD = """
entity Order in shop {
  id     bigint primary
  total  int not null
  note   text
  gone   timestamptz
  soft_delete by gone
}
"""
RENAMED = OLD.replace("  note   text", "  // atl: renamed-from note\n  remark text")
UNHIDDEN = OLD.replace("  soft_delete by gone\n", "")
QUERY = """entity Own in till {{ id bigint primary }}
query Q for Own {{ output {{ id: bigint }} sql touches(shop.Order)
{{ {} }} }}"""


@pytest.mark.parametrize(
    ("new", "cached", "cls", "lines"),
    [
        (RENAMED, None, "cross_caller_breaking", []),
        (RENAMED, "entity Own in till { id bigint primary }", "additive", []),
        (RENAMED, QUERY.format("SELECT id FROM shop.order"), "additive", []),
        (RENAMED, QUERY.format("SELECT count(*) AS id FROM shop.order"), "additive", []),
        (RENAMED, QUERY.format("SELECT total * 2 AS id FROM shop.order"), "additive", []),
        (RENAMED, QUERY.format("SELECT note FROM shop.order"), "cross_caller_breaking", [3]),
        (RENAMED, QUERY.format("SELECT o.* FROM shop.order o"), "cross_caller_breaking", [3]),
        (RENAMED, QUERY.format("SELECT note FROM shop.order, unnest(ARRAY[1]) u"), "cross_caller_breaking", [3]),
        (RENAMED, "query Q for shop.Order { output as shop.Order\nsql touches(shop.Order) { SELECT 1 } }",
         "cross_caller_breaking", [1]),
        (RENAMED, 'procedure P for shop.Order { steps { update shop.Order\nset note = "x" where id = 1 } }',
         "cross_caller_breaking", [2]),
        (UNHIDDEN, "entity Own in till { id bigint primary }", "additive", []),
        (UNHIDDEN, "entity Own in till {\nid bigint primary\nlink bigint references shop.Order.id }",
         "cross_caller_breaking", [3]),
        # A text that cannot be read uses nothing that can be named.
        (RENAMED, "query Q for shop.Order { output as", "additive", []),
        (RENAMED, "}}}", "additive", []),
    ],
)  # fmt: skip
def test_class(new: str, cached: str | None, cls: str, lines: list[int]) -> None:
    (change,) = compare(OLD, new, cached=cached).changes
    assert (change.cls.value, [line for _, line in change.callers]) == (cls, lines)


def test_destructive_stays_and_names_who_uses_it() -> None:
    gone = OLD.replace("  note   text\n", "")
    (change,) = compare(OLD, gone, cached=QUERY.format("SELECT id FROM shop.order")).changes
    assert (change.cls.value, change.callers) == ("destructive", ())
    (change,) = compare(OLD, gone, cached=QUERY.format("SELECT note FROM shop.order")).changes
    assert (change.cls.value, change.callers) == ("destructive", (("other.atl", 3),))


def test_a_renamed_entity_is_looked_for_by_its_old_name() -> None:
    new = OLD.replace("entity Order", "// atl: renamed-from Order\nentity Sale")
    (change,) = compare(OLD, new, cached=QUERY.format("SELECT id FROM atlantis.shop_order")).changes
    assert (change.kind, change.cls.value) == ("entity_renamed", "cross_caller_breaking")
    assert change.callers == (("other.atl", 2), ("other.atl", 3))


def test_jobs_are_judged_by_who_sees_them() -> None:
    job, other = 'job J in shop { visible_to "shop" }', "entity Own in till { id bigint primary }"
    assert [c.cls.value for c in compare(job, "", "shop").changes] == ["additive"]
    assert [c.cls.value for c in compare(job, "", "till").changes] == ["cross_caller_breaking"]
    assert [c.cls.value for c in compare("job J in shop { }", "", "shop", other).changes] == ["cross_caller_breaking"]
