"""0xx: text and syntax. Most codes are the parser's own, two are the silences'; their modules are pages only."""

from atl.check.registry import Row
from atl.syntax import nodes as n

RULES: tuple[Row, ...] = (
    Row("ATL001", "unexpected_token"),
    Row("ATL002", "unclosed_block"),
    Row("ATL003", "unterminated_string"),
    Row("ATL004", "unknown_escape"),
    Row("ATL005", "unterminated_sql"),
    Row("ATL006", "invalid_character"),
    Row("ATL007", "single_quoted_string"),
    Row("ATL008", "bad_duration"),
    Row("ATL009", "block_comment"),
    Row("ATL010", "unknown_clause"),
    Row(
        "ATL011",
        "duplicate_clause",
        (
            n.EntityDecl,
            n.EphemeralDecl,
            n.QueryDecl,
            n.ProcedureDecl,
            n.WorkflowDecl,
            n.JobDecl,
            n.Cache,
            n.Step,
            n.Compensate,
            n.Args,
            n.State,
            n.Update,
            n.Insert,
            n.PrimaryBy,
            n.UniqueBy,
        ),
    ),
    Row("ATL012", "reserved_word"),
    Row("ATL013", "misplaced_clause"),
    Row("ATL014", "unused_silence"),
    Row("ATL015", "silenced_error"),
    Row("ATL016", "stale_hint", (n.EntityDecl, n.EnumDecl, n.JobDecl)),
)
