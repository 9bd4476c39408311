"""What a change of type is called, what it asks, and whether SQL can do it."""

from __future__ import annotations

import pytest

from atl.diff.types import type_change
from atl.schema.types import parse_type

# old, new, kind, class, some of its hazards; `manual` among them when it is.
ROWS = """
smallint         int               widened        additive               rewrites-table clients-change
int              bigint            widened        additive               rewrites-table clients-change
bigint           int               narrowed       backfill_required      rewrites-table may-fail-on-data
varchar(20)      varchar(40)       widened        additive               -
varchar(20)      varchar           widened        additive               -
varchar(20)      text              widened        additive               -
varchar          text              widened        additive               -
text             varchar           widened        additive               -
varchar(20)      varchar(10)       narrowed       backfill_required      may-fail-on-data scans-table
varchar          varchar(10)       narrowed       backfill_required      may-fail-on-data
text             varchar(10)       narrowed       backfill_required      may-fail-on-data
char(5)          char(9)           widened        additive               rewrites-table
char(5)          char(3)           narrowed       backfill_required      may-fail-on-data
char(5)          text              widened        additive               rewrites-table
numeric(8, 2)    numeric(12, 2)    widened        additive               -
numeric(6, 2)    numeric(10, 4)    widened        additive               rewrites-table
numeric(8, 2)    numeric(8, 4)     narrowed       backfill_required      may-fail-on-data
numeric(8, 2)    numeric(6, 2)     narrowed       backfill_required      may-fail-on-data
numeric(10, 4)   numeric(10, 2)    scale_reduced  destructive            loses-data
numeric(10, 4)   numeric(20, 2)    scale_reduced  destructive            loses-data
shop.Size        text              widened        additive               rewrites-table clients-change
shop.Size        varchar(10)       changed        backfill_required      rewrites-table
text             shop.Size         changed        backfill_required      may-fail-on-data
shop.Size        shop.Tint         changed        backfill_required      may-fail-on-data
int              text              changed        backfill_required      may-fail-on-data
text             int               changed        backfill_required      may-fail-on-data
text             uuid              changed        backfill_required      may-fail-on-data
int              numeric(10, 0)    changed        backfill_required      may-fail-on-data
int              double            changed        backfill_required      may-fail-on-data
numeric(8, 2)    int               changed        destructive            loses-data
double           bigint            changed        destructive            loses-data may-fail-on-data
numeric(4, 2)    numeric(3, 1)     scale_reduced  destructive            loses-data may-fail-on-data
double           real              changed        destructive            loses-data
bigint           double            changed        destructive            loses-data
double           numeric(20, 9)    changed        destructive            loses-data
[]real           []numeric(9, 2)   changed        destructive            loses-data
jsonb            numeric(20, 9)    changed        destructive            loses-data
money            numeric(20, 1)    changed        destructive            loses-data
money            numeric(20, 2)    changed        backfill_required      may-fail-on-data
int              numeric(9, 2)     changed        backfill_required      may-fail-on-data
timestamptz      date              changed        destructive            loses-data
timestamp        date              changed        destructive            loses-data
timestamp        timestamptz       changed        backfill_required      may-fail-on-data
timestamptz      timestamp         changed        backfill_required      may-fail-on-data
date             timestamptz       changed        backfill_required      -
text             citext            changed        backfill_required      may-fail-on-data
citext           text              widened        additive               -
uuid             int               changed        backfill_required      manual
xml              json              changed        backfill_required      manual
json             jsonb             changed        backfill_required      rewrites-table
bit(4)           bit(8)            changed        backfill_required      manual
varbit(8)        bit(8)            changed        backfill_required      manual
varbit(4)        varbit(8)         widened        additive               -
varbit(8)        varbit(4)         narrowed       backfill_required      may-fail-on-data
bit(4)           varbit            changed        backfill_required      -
vector(3)        vector(4)         shape_changed  cross_caller_breaking  manual
int              []int             shape_changed  cross_caller_breaking  manual
[]int            int               shape_changed  cross_caller_breaking  manual
[]int            []bigint          widened        additive               rewrites-table
[]varchar(9)     []text            widened        additive               rewrites-table
[]varchar(9)     []varchar(5)      narrowed       backfill_required      rewrites-table may-fail-on-data
[]int            []text            changed        backfill_required      rewrites-table
"""


@pytest.mark.parametrize("row", ROWS.strip().splitlines(), ids=lambda row: " ".join(row.split()[:4]))
def test_type(row: str) -> None:
    import re

    before, after, kind, cls, facts = re.split(r"\s{2,}", row)
    old, new = parse_type(before), parse_type(after)
    assert old is not None and new is not None
    change = type_change(old, new)
    assert (change.kind, change.cls.value) == (kind, cls)
    hazards = {hazard.value for hazard in change.hazards}
    wanted = set(facts.split()) - {"-", "manual"}
    assert wanted <= hazards
    assert ("manual" in facts.split()) == change.manual
    if facts == "-":
        assert not hazards & {"rewrites-table", "scans-table", "loses-data"} or "changed" in kind
