"""6xx: queries, procedures and their SQL."""

from atl.check.registry import Row
from atl.syntax import nodes as n

RULES: tuple[Row, ...] = (
    Row("ATL601", "missing_part", (n.QueryDecl, n.ProcedureDecl)),
    Row("ATL603", "owner_not_touched", (n.QueryDecl,)),
    Row("ATL604", "bad_touches", (n.Sql,)),
    Row("ATL607", "sql_syntax", (n.Sql,)),
    Row("ATL608", "not_in_touches", (n.Sql,)),
    Row("ATL609", "several_statements", (n.Sql,)),
    Row("ATL610", "forbidden_call", (n.Sql,)),
    Row("ATL611", "statement_not_allowed", (n.Sql,)),
    Row("ATL612", "unknown_column", (n.Sql, n.Update, n.Delete, n.Insert)),
    Row("ATL613", "insert_missing_column", (n.Insert,)),
    Row("ATL614", "unknown_table", (n.Sql,)),
    Row("ATL615", "output_mismatch", (n.QueryDecl,)),
    Row("ATL616", "touches_too_much", (n.Sql,)),
)
