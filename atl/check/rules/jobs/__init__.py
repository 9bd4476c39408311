"""4xx: jobs and their calls."""

from atl.check.registry import Row
from atl.syntax import nodes as n

_CALLS = (n.Enqueue, n.Step, n.Compensate)

RULES: tuple[Row, ...] = (
    Row("ATL401", "storage_modifier", (n.Args, n.EphemeralDecl)),
    Row("ATL402", "bad_retries", (n.Retries,), also=("ATL001",)),
    Row("ATL403", "bad_timeout", (n.Timeout,)),
    Row("ATL404", "bad_heartbeat", (n.Heartbeat,)),
    Row("ATL405", "heartbeat_not_below_timeout", (n.JobDecl,)),
    Row("ATL406", "bad_queue", (n.Queue,)),
    Row("ATL407", "bad_schedule", (n.Schedule,)),
    Row("ATL408", "scheduled_job_needs_arguments", (n.JobDecl,)),
    Row("ATL409", "schedule_outpaced", (n.Schedule,)),
    Row("ATL410", "bad_visible_to", (n.VisibleTo,)),
    Row("ATL411", "not_visible_here", (n.VisibleTo,)),
    Row("ATL451", "unknown_argument", _CALLS),
    Row("ATL452", "missing_argument", _CALLS),
    Row("ATL453", "duplicate_argument", _CALLS),
    Row("ATL454", "bad_argument_value", _CALLS),
    Row("ATL455", "bad_argument_type", _CALLS),
)
