"""1xx: names."""

from atl.check.declared import NAMING
from atl.check.entity_uses import USERS
from atl.check.registry import Row
from atl.syntax import nodes as n

RULES: tuple[Row, ...] = (
    Row("ATL101", "duplicate_declaration", NAMING),
    Row("ATL102", "duplicate_member", (n.EntityDecl, n.EphemeralDecl, n.Args, n.State, n.Input, n.Output)),
    Row("ATL103", "unknown_entity", USERS),
    Row(
        "ATL104",
        "unknown_field",
        (
            n.EntityDecl,
            n.PrimaryBy,
            n.UniqueBy,
            n.Index,
            n.HnswIndex,
            n.GinIndex,
            n.FieldClause,
            n.References,
            n.Relation,
            n.InvalidateOn,
        ),
    ),
    Row("ATL105", "unknown_job", (n.Enqueue, n.JobUse)),
    Row("ATL106", "ambiguous_name", USERS),
    Row("ATL107", "unknown_type", (n.TypeRef,)),
    Row("ATL108", "naming_style", NAMING),
    Row("ATL109", "bad_identifier", NAMING),
    Row("ATL110", "undeclared_parameter", (n.QueryDecl, n.ProcedureDecl, n.WorkflowDecl)),
    Row("ATL111", "unused_input", (n.QueryDecl, n.ProcedureDecl)),
    Row("ATL112", "unqualified_reference", (n.References,)),
)
