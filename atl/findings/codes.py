"""The table of codes. A code and its name are stable for ever; a new rule takes a free number of its block."""

from __future__ import annotations

from enum import Enum

from atl.records import NamedTuple

__all__ = ["CODES", "Code", "Fixable", "Severity"]


class Severity(Enum):
    """How bad: the server would refuse it; it is very likely wrong; it is worth knowing."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


class Fixable(Enum):
    """Whether a rule can mend what it finds: not, without thought, or by a suggestion the author must choose."""

    NO = "no"
    SAFE = "safe"
    SUGGESTED = "suggested"


class Code(NamedTuple):
    """One row of the table. `severity` is the usual one; a finding can be weaker where its rule says so."""

    code: str
    name: str
    severity: Severity
    fixable: Fixable


_ROWS = (
    Code("ATL001", "unexpected-token", Severity.ERROR, Fixable.NO),
    Code("ATL002", "unclosed-block", Severity.ERROR, Fixable.NO),
    Code("ATL003", "unterminated-string", Severity.ERROR, Fixable.SAFE),
    Code("ATL004", "unknown-escape", Severity.ERROR, Fixable.SAFE),
    Code("ATL005", "unterminated-sql", Severity.ERROR, Fixable.NO),
    Code("ATL006", "invalid-character", Severity.ERROR, Fixable.NO),
    Code("ATL007", "single-quoted-string", Severity.ERROR, Fixable.SAFE),
    Code("ATL008", "bad-duration", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL009", "block-comment", Severity.WARNING, Fixable.SAFE),
    Code("ATL010", "unknown-clause", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL011", "duplicate-clause", Severity.ERROR, Fixable.SAFE),
    Code("ATL012", "reserved-word", Severity.ERROR, Fixable.NO),
    Code("ATL013", "misplaced-clause", Severity.ERROR, Fixable.NO),
    Code("ATL014", "unused-silence", Severity.WARNING, Fixable.SAFE),
    Code("ATL015", "silenced-error", Severity.WARNING, Fixable.NO),
    Code("ATL016", "stale-hint", Severity.WARNING, Fixable.SAFE),
    Code("ATL101", "duplicate-declaration", Severity.ERROR, Fixable.NO),
    Code("ATL102", "duplicate-member", Severity.ERROR, Fixable.NO),
    Code("ATL103", "unknown-entity", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL104", "unknown-field", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL105", "unknown-job", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL106", "ambiguous-name", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL107", "unknown-type", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL108", "naming-style", Severity.WARNING, Fixable.NO),
    Code("ATL109", "bad-identifier", Severity.ERROR, Fixable.NO),
    Code("ATL110", "undeclared-parameter", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL111", "unused-input", Severity.ERROR, Fixable.SAFE),
    Code("ATL112", "unqualified-reference", Severity.ERROR, Fixable.SAFE),
    Code("ATL201", "bad-type-parameters", Severity.ERROR, Fixable.NO),
    Code("ATL202", "bad-array-element", Severity.ERROR, Fixable.NO),
    Code("ATL203", "bad-default", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL205", "bad-assignment", Severity.ERROR, Fixable.NO),
    Code("ATL206", "bad-comparison", Severity.ERROR, Fixable.NO),
    Code("ATL207", "may-not-fit", Severity.WARNING, Fixable.NO),
    Code("ATL208", "may-be-null", Severity.WARNING, Fixable.NO),
    Code("ATL210", "no-equality", Severity.ERROR, Fixable.NO),
    Code("ATL301", "missing-key", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL302", "several-primary-fields", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL303", "primary-and-primary-by", Severity.ERROR, Fixable.NO),
    Code("ATL304", "keyless-conflict", Severity.ERROR, Fixable.NO),
    Code("ATL305", "nullable-key-field", Severity.ERROR, Fixable.SAFE),
    Code("ATL306", "bad-serial", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL307", "reference-not-unique", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL308", "reference-type-mismatch", Severity.ERROR, Fixable.NO),
    Code("ATL309", "set-null-on-not-null", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL310", "bad-soft-delete", Severity.ERROR, Fixable.SAFE),
    Code("ATL311", "bad-touch-on-update", Severity.ERROR, Fixable.NO),
    Code("ATL312", "nullable-partition", Severity.ERROR, Fixable.SAFE),
    Code("ATL313", "bad-ttl-field", Severity.ERROR, Fixable.NO),
    Code("ATL314", "bad-table-name", Severity.ERROR, Fixable.NO),
    Code("ATL315", "table-collision", Severity.ERROR, Fixable.NO),
    Code("ATL316", "hnsw-needs-vector", Severity.ERROR, Fixable.NO),
    Code("ATL317", "gin-needs-jsonb-or-array", Severity.ERROR, Fixable.NO),
    Code("ATL318", "vector-too-wide-for-index", Severity.ERROR, Fixable.NO),
    Code("ATL319", "bad-time-field", Severity.ERROR, Fixable.NO),
    Code("ATL320", "hypertable-key-without-time", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL321", "second-field-check", Severity.ERROR, Fixable.SAFE),
    Code("ATL322", "bad-cache", Severity.ERROR, Fixable.NO),
    Code("ATL323", "query-timeout-out-of-range", Severity.ERROR, Fixable.NO),
    Code("ATL324", "no-effect", Severity.HINT, Fixable.SAFE),
    Code("ATL326", "redundant-index", Severity.WARNING, Fixable.SAFE),
    Code("ATL327", "unindexed-reference", Severity.HINT, Fixable.SUGGESTED),
    Code("ATL328", "bad-enum", Severity.ERROR, Fixable.NO),
    Code("ATL329", "backfill-without-effect", Severity.WARNING, Fixable.SAFE),
    Code("ATL401", "storage-modifier", Severity.ERROR, Fixable.SAFE),
    Code("ATL402", "bad-retries", Severity.ERROR, Fixable.NO),
    Code("ATL403", "bad-timeout", Severity.ERROR, Fixable.NO),
    Code("ATL404", "bad-heartbeat", Severity.ERROR, Fixable.NO),
    Code("ATL405", "heartbeat-not-below-timeout", Severity.WARNING, Fixable.NO),
    Code("ATL406", "bad-queue", Severity.ERROR, Fixable.NO),
    Code("ATL407", "bad-schedule", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL408", "scheduled-job-needs-arguments", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL409", "schedule-outpaced", Severity.HINT, Fixable.NO),
    Code("ATL410", "bad-visible-to", Severity.ERROR, Fixable.NO),
    Code("ATL411", "not-visible-here", Severity.WARNING, Fixable.NO),
    Code("ATL451", "unknown-argument", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL452", "missing-argument", Severity.ERROR, Fixable.SAFE),
    Code("ATL453", "duplicate-argument", Severity.ERROR, Fixable.SAFE),
    Code("ATL454", "bad-argument-value", Severity.ERROR, Fixable.NO),
    Code("ATL455", "bad-argument-type", Severity.ERROR, Fixable.NO),
    Code("ATL501", "no-steps", Severity.ERROR, Fixable.NO),
    Code("ATL502", "duplicate-step", Severity.ERROR, Fixable.NO),
    Code("ATL503", "step-without-job", Severity.ERROR, Fixable.NO),
    Code("ATL504", "unknown-step", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL505", "duplicate-compensation", Severity.ERROR, Fixable.NO),
    Code("ATL509", "unused-state", Severity.HINT, Fixable.NO),
    Code("ATL510", "state-storage-modifier", Severity.ERROR, Fixable.SAFE),
    Code("ATL512", "compensation-never-runs", Severity.HINT, Fixable.NO),
    Code("ATL601", "missing-part", Severity.ERROR, Fixable.NO),
    Code("ATL603", "owner-not-touched", Severity.WARNING, Fixable.SAFE),
    Code("ATL604", "bad-touches", Severity.ERROR, Fixable.SAFE),
    Code("ATL607", "sql-syntax", Severity.ERROR, Fixable.NO),
    Code("ATL608", "not-in-touches", Severity.ERROR, Fixable.SAFE),
    Code("ATL609", "several-statements", Severity.ERROR, Fixable.NO),
    Code("ATL610", "forbidden-call", Severity.ERROR, Fixable.NO),
    Code("ATL611", "statement-not-allowed", Severity.ERROR, Fixable.NO),
    Code("ATL612", "unknown-column", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL613", "insert-missing-column", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL614", "unknown-table", Severity.ERROR, Fixable.SUGGESTED),
    Code("ATL615", "output-mismatch", Severity.ERROR, Fixable.NO),
    Code("ATL616", "touches-too-much", Severity.HINT, Fixable.SAFE),
    Code("ATL701", "bad-check", Severity.ERROR, Fixable.NO),
    Code("ATL702", "bad-predicate", Severity.ERROR, Fixable.NO),
    Code("ATL703", "bad-index-expression", Severity.ERROR, Fixable.NO),
    Code("ATL704", "bad-backfill", Severity.ERROR, Fixable.NO),
    Code("ATL705", "bad-raw-default", Severity.ERROR, Fixable.NO),
)

CODES: dict[str, Code] = {row.code: row for row in _ROWS}
if len(CODES) != len(_ROWS):
    raise ValueError("a code stands twice in the table")
