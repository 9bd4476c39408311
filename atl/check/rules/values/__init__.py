"""2xx: types and values."""

from atl.check.registry import Row
from atl.syntax import nodes as n

_ASSIGNERS = (n.Enqueue, n.Step, n.Compensate, n.Update, n.Insert)

RULES: tuple[Row, ...] = (
    Row("ATL201", "bad_type_parameters", (n.TypeRef,)),
    Row("ATL202", "bad_array_element", (n.TypeRef,)),
    Row("ATL203", "bad_default", (n.Default,), also=("ATL001",)),
    Row("ATL205", "bad_assignment", (n.Update, n.Insert)),
    Row("ATL206", "bad_comparison", (n.Update, n.Delete)),
    Row("ATL207", "may_not_fit", _ASSIGNERS),
    Row("ATL208", "may_be_null", _ASSIGNERS),
    Row(
        "ATL210",
        "no_equality",
        (n.EntityDecl, n.EphemeralDecl, n.PrimaryBy, n.UniqueBy, n.Index, n.FieldClause, n.Update, n.Delete),
    ),
)
